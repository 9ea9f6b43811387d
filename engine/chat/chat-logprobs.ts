import type { Tokenizer } from '../native/tokenizer.ts';
import type { TokenScore, TokenScores } from '../sampling/token-chooser.ts';

export interface ChatLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface ChatTokenLogprobs extends ChatLogprob {
  readonly top_logprobs: readonly ChatLogprob[];
}

export function chatLogprobs(scores: TokenScores, tokenizer: Tokenizer): ChatTokenLogprobs {
  return {
    ...chatLogprob(scores, tokenizer),
    top_logprobs: scores.alternatives.map((alternative) => chatLogprob(alternative, tokenizer)),
  };
}

function chatLogprob({ token, logprob }: TokenScore, tokenizer: Tokenizer): ChatLogprob {
  return {
    token: tokenizer.nameOf(token),
    logprob: finiteLogprob(logprob),
    bytes: Array.from(tokenizer.bytesOf(token)),
  };
}

/** JSON has no infinity. */
export function finiteLogprob(logprob: number): number {
  return Math.max(-9999, logprob);
}
