/** Reads one call while it is being written: its beginning with the name, its arguments, its last brace. */
export interface ToolCallReader {
  push(text: string): ToolCallReading;
}

export interface ToolCallReading {
  readonly pieces: readonly ToolCallPiece[];
  /** What follows the call, once its outer brace has closed. */
  readonly rest: string | undefined;
}

export type ToolCallPiece =
  | { readonly kind: 'name'; readonly name: string }
  /** A piece of the JSON text of the arguments, exactly as written. */
  | { readonly kind: 'arguments'; readonly text: string };

export function createToolCallReader(beginning: RegExp): ToolCallReader {
  let head = '';
  let argumentsText: ValueReader | undefined;

  function readHead(text: string, pieces: ToolCallPiece[]): string {
    head += text;
    const match = beginning.exec(head);
    if (match?.[1] === undefined) return '';
    pieces.push({ kind: 'name', name: JSON.parse(match[1]) as string });
    argumentsText = createValueReader();
    return head.slice(match[0].length);
  }

  return {
    push: (text) => {
      const pieces: ToolCallPiece[] = [];
      const unread = argumentsText === undefined ? readHead(text, pieces) : text;
      if (argumentsText === undefined) return { pieces, rest: undefined };
      const { value, after } = argumentsText.push(unread);
      if (value !== '') pieces.push({ kind: 'arguments', text: value });
      const brace = argumentsText.hasEnded ? after.indexOf('}') : -1;
      return { pieces, rest: brace < 0 ? undefined : after.slice(brace + 1) };
    },
  };
}

interface ValueReader {
  push(text: string): { readonly value: string; readonly after: string };
  readonly hasEnded: boolean;
}

/** Follows one JSON object by its braces and strings; what comes after it is not its business. */
function createValueReader(): ValueReader {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let hasEnded = false;

  function step(character: string): void {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      hasEnded = depth === 0;
    }
  }

  return {
    push: (text) => {
      if (hasEnded) return { value: '', after: text };
      for (let index = 0; index < text.length; index += 1) {
        step(text.charAt(index));
        if (hasEnded) return { value: text.slice(0, index + 1), after: text.slice(index + 1) };
      }
      return { value: text, after: '' };
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}
