/** Takes a text apart that thinks between `<think>` and `</think>`, also when the tags come in pieces. */
export interface ThinkSplitter {
  push(piece: string, isLast: boolean): { readonly thought: string; readonly text: string };
}

const OPEN = '<think>';
const CLOSE = '</think>';

export function createThinkSplitter(): ThinkSplitter {
  let isThinking = false;
  let held = '';

  return {
    push(piece, isLast) {
      let thought = '';
      let text = '';
      let rest = held + piece;
      held = '';
      for (;;) {
        const tag = isThinking ? CLOSE : OPEN;
        const at = rest.indexOf(tag);
        const end = at >= 0 ? at : rest.length - (isLast ? 0 : partialTagLength(rest, tag));
        if (isThinking) thought += rest.slice(0, end);
        else text += rest.slice(0, end);
        if (at < 0) {
          held = rest.slice(end);
          return { thought, text };
        }
        rest = rest.slice(at + tag.length);
        isThinking = !isThinking;
      }
    },
  };
}

/** How much of the end of the text could be the beginning of the tag. */
function partialTagLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
