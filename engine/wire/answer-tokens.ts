import type { ChatTemplate } from '../chat/chat-template.ts';
import { readChatPrompt } from '../chat/read-chat-request.ts';
import type { EngineProfile } from '../engine-profile.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import type { EngineReply } from './engine-reply.ts';
import { readArray, readBoolean, readString, wrong } from './read-field.ts';
import type { JsonObject } from './read-field.ts';

/** vLLM's shapes: text or messages in, token ids out. */
export function answerTokenize(
  body: JsonObject,
  profile: EngineProfile,
  parts: { readonly template: ChatTemplate; readonly tokenizer: Tokenizer; readonly contextTokens: number },
  reply: EngineReply,
): void {
  const tokens =
    body['messages'] == null ? textTokens(body, parts.tokenizer) : chatTokens(body, profile, parts.template);
  reply.json(200, {
    count: tokens.length,
    max_model_len: Math.min(parts.contextTokens, profile.contextTokens ?? parts.contextTokens),
    tokens,
    token_strs:
      readBoolean(body, 'return_token_strs') === true
        ? tokens.map((token) => parts.tokenizer.nameOf(token))
        : null,
  });
}

function textTokens(body: JsonObject, tokenizer: Tokenizer): readonly number[] {
  const prompt = readString(body, 'prompt');
  if (prompt === undefined) throw wrong('prompt', 'Send "prompt" or "messages".');
  const tokens = tokenizer.encode(prompt, true);
  const begin = (readBoolean(body, 'add_special_tokens') ?? true) ? tokenizer.beginToken : undefined;
  return begin === undefined || tokens[0] === begin ? tokens : [begin, ...tokens];
}

function chatTokens(body: JsonObject, profile: EngineProfile, template: ChatTemplate): readonly number[] {
  const request = readChatPrompt(body, profile);
  return template.render({
    messages: request.messages,
    tools: request.tools?.declared.map(({ declaration }) => declaration),
    kwargs: request.templateKwargs,
    continuesFinalMessage: request.continuesFinalMessage,
    addsGenerationPrompt: request.addsGenerationPrompt,
  }).tokens;
}

export function answerDetokenize(body: JsonObject, tokenizer: Tokenizer, reply: EngineReply): void {
  const tokens = readArray(body, 'tokens');
  if (tokens === undefined) throw wrong('tokens', 'Send an array of token ids in "tokens".');
  const names = tokens.map((token) => {
    if (
      typeof token !== 'number' ||
      !Number.isInteger(token) ||
      token < 0 ||
      token >= tokenizer.vocabularySize
    ) {
      throw wrong('tokens', `Token ids must be from 0 to ${tokenizer.vocabularySize - 1}.`);
    }
    const bytes = tokenizer.bytesOf(token);
    return bytes.length === 0 ? Buffer.from(tokenizer.nameOf(token)) : bytes;
  });
  reply.json(200, { prompt: Buffer.concat(names).toString('utf8') });
}
