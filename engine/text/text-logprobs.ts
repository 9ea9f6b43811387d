import { finiteLogprob } from '../chat/chat-logprobs.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import type { TokenScores } from '../sampling/token-chooser.ts';

/** The `logprobs` object of text completions: parallel lists, one place per token. */
export interface TextLogprobs {
  readonly tokens: readonly string[];
  readonly token_logprobs: readonly (number | null)[];
  readonly top_logprobs: readonly (Readonly<Record<string, number>> | null)[];
  readonly text_offset: readonly number[];
}

export interface TextLogprobsBuilder {
  /** A token nobody scored: the first of a prompt. */
  addUnscored(token: number): void;
  add(scores: TokenScores): void;
  /** What was added since the last call. */
  take(): TextLogprobs;
}

export function createTextLogprobsBuilder(tokenizer: Tokenizer): TextLogprobsBuilder {
  let offset = 0;
  let lists = emptyLists();

  function place(token: number): void {
    const name = tokenizer.nameOf(token);
    lists.tokens.push(name);
    lists.text_offset.push(offset);
    offset += tokenizer.bytesOf(token).length === 0 ? 0 : name.length;
  }

  return {
    addUnscored: (token) => {
      place(token);
      lists.token_logprobs.push(null);
      lists.top_logprobs.push(null);
    },
    add: (scores) => {
      place(scores.token);
      lists.token_logprobs.push(finiteLogprob(scores.logprob));
      const top: Record<string, number> = {};
      for (const { token, logprob } of scores.alternatives) {
        top[tokenizer.nameOf(token)] ??= finiteLogprob(logprob);
      }
      lists.top_logprobs.push(top);
    },
    take: () => {
      const taken = lists;
      lists = emptyLists();
      return taken;
    },
  };
}

function emptyLists() {
  return {
    tokens: [] as string[],
    token_logprobs: [] as (number | null)[],
    top_logprobs: [] as (Record<string, number> | null)[],
    text_offset: [] as number[],
  };
}
