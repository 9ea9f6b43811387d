type Json = Record<string, unknown>;

interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs?: readonly TokenLogprob[];
}

/**
 * The log probabilities of a text completion in their own form: llama-server gives those of a chat, SGLang does not
 * tell where in the text a token stands. `offset` is the length of the text before.
 */
export function textLogprobs(given: unknown, offset: number): Json | null {
  if (typeof given !== 'object' || given === null) return null;
  const form = 'content' in given ? fromChat(given.content) : (given as Json);
  const { tokens, text_offset: offsets } = form;
  if (!Array.isArray(tokens) || !isUntold(offsets)) return form;
  return { ...form, text_offset: offsetsOf(tokens, offset) };
}

function fromChat(content: unknown): Json {
  const entries = Array.isArray(content) ? (content as TokenLogprob[]) : [];
  return {
    tokens: entries.map(({ token }) => token),
    token_logprobs: entries.map(({ logprob }) => logprob),
    top_logprobs: entries.map(({ top_logprobs: top = [] }) =>
      Object.fromEntries(top.map(({ token, logprob }) => [token, logprob])),
    ),
  };
}

function isUntold(offsets: unknown): boolean {
  return !Array.isArray(offsets) || offsets.some((offset) => typeof offset !== 'number' || offset < 0);
}

function offsetsOf(tokens: readonly unknown[], offset: number): number[] {
  let next = offset;
  return tokens.map((token) => {
    const at = next;
    next += String(token).length;
    return at;
  });
}
