import type { JsonObject } from '../json-object.ts';
import type { ChatTemplate } from '../chat/chat-template.ts';
import { readChatPrompt } from '../chat/read-chat-request.ts';
import { renderChat } from '../chat/render-chat.ts';
import type { EngineProfile } from '../engine-profile.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import { contextTokensOf } from './context-limit.ts';
import { encodeInput, readTokens } from './encode-input.ts';
import type { EngineReply } from './engine-reply.ts';
import { readArray, readBoolean, readString, wrong } from './read-field.ts';

/** vLLM's shapes: text or messages in, token ids out. */
export async function answerTokenize(
  body: JsonObject,
  profile: EngineProfile,
  parts: { readonly template: ChatTemplate; readonly tokenizer: Tokenizer; readonly contextTokens: number },
  reply: EngineReply,
): Promise<void> {
  const contextTokens = contextTokensOf(profile, parts.contextTokens);
  const tokens =
    body['messages'] == null
      ? await textTokens(body, parts.tokenizer, contextTokens)
      : (await renderChat(readChatPrompt(body, profile), parts, contextTokens)).tokens;
  reply.json(200, {
    count: tokens.length,
    max_model_len: contextTokens,
    tokens,
    token_strs:
      readBoolean(body, 'return_token_strs') === true
        ? tokens.map((token) => parts.tokenizer.nameOf(token))
        : null,
  });
}

async function textTokens(
  body: JsonObject,
  tokenizer: Tokenizer,
  contextTokens: number,
): Promise<readonly number[]> {
  const prompt = readString(body, 'prompt');
  if (prompt === undefined) throw wrong('prompt', 'Send "prompt" or "messages".');
  const addsBegin = readBoolean(body, 'add_special_tokens') ?? true;
  return encodeInput(prompt, tokenizer, { param: 'prompt', contextTokens, parsesSpecial: true, addsBegin });
}

export function answerDetokenize(body: JsonObject, tokenizer: Tokenizer, reply: EngineReply): void {
  const tokens = readArray(body, 'tokens');
  if (tokens === undefined) throw wrong('tokens', 'Send an array of token ids in "tokens".');
  const names = readTokens(tokens, tokenizer.vocabularySize, 'tokens').map((token) => {
    const bytes = tokenizer.bytesOf(token);
    return bytes.length === 0 ? Buffer.from(tokenizer.nameOf(token)) : bytes;
  });
  reply.json(200, { prompt: Buffer.concat(names).toString('utf8') });
}
