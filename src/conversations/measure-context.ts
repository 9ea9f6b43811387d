import type { AskedFor } from './chat-request.ts';
import { estimateTokens, tokensPerMessage, tokensPerPicture } from './estimate-tokens.ts';
import type { PlannedMessage } from './plan-context.ts';
import type { TokenCounts } from './token-counts.ts';

/** Counts by the engine's tokenizer where it tells in time, and estimates the rest. */
export interface Meter {
  readonly counts: TokenCounts;
  readonly personId: string;
  readonly asked: AskedFor;
  /** Nobody waits longer than this for an engine to count. */
  readonly patienceMs: number;
}

export interface Size {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

export interface MeasuredContext {
  readonly instructions: Size;
  /** One for each message of the branch. */
  readonly messages: readonly Size[];
}

/** Messages so far back that they cannot go along are estimated: nobody will see the number. */
export async function measureContext(
  { counts, personId, asked, patienceMs }: Meter,
  branch: readonly PlannedMessage[],
  contextTokens: number,
): Promise<MeasuredContext> {
  const { model } = asked;
  const estimates = branch.map((message) => estimateTokens(textOf(message)) + tokensPerMessage);
  let within = 2 * contextTokens;
  const first = estimates.findLastIndex((estimate) => (within -= estimate) < 0) + 1;
  const near = branch.slice(first).map(textOf);
  const system = instructionsOf(asked);
  const questions = [system.chat, one, three, word, system.text, ...near];
  const [chat, short, long, letter, text, ...told] = await counts.count(
    personId,
    model.id,
    questions,
    patienceMs,
  );
  // What a template puts around a message, and once around everything.
  const countedBorder =
    short === undefined || long === undefined || letter === undefined
      ? undefined
      : Math.max(0, (long - short) / 2 - letter);
  const border = countedBorder ?? tokensPerMessage;
  return {
    instructions:
      chat !== undefined && letter !== undefined
        ? {
            tokens: Math.max(0, Math.floor(chat - letter - border)),
            isEstimated: countedBorder === undefined,
          }
        : {
            tokens: (text ?? estimateTokens(system.text)) + tokensPerMessage,
            isEstimated: system.text !== '',
          },
    messages: branch.map((message, index) => {
      const counted = index < first ? undefined : told[index - first];
      const pictures = model.supportsVision
        ? (message.documents ?? []).filter(({ kind }) => kind === 'picture').length
        : 0;
      return {
        tokens:
          (counted ?? (estimates[index] ?? 0) - tokensPerMessage) + border + pictures * tokensPerPicture,
        // Some engines count texts, but not what their template puts around them.
        isEstimated:
          countedBorder === undefined || (counted === undefined && textOf(message) !== '') || pictures > 0,
      };
    }),
  };
}

/** Several texts as one number. */
export async function measureTexts(
  { counts, personId, asked, patienceMs }: Meter,
  texts: readonly string[],
): Promise<Size> {
  const told = await counts.count(personId, asked.model.id, texts, patienceMs);
  return {
    tokens: texts.reduce((sum, text, index) => sum + (told[index] ?? estimateTokens(text)), 0),
    isEstimated: told.includes(undefined),
  };
}

const word = 'a';
const one = { messages: [{ role: 'user', content: word }] } as const;
const three = {
  messages: [
    { role: 'user', content: word },
    { role: 'assistant', content: word },
    { role: 'user', content: word },
  ],
} as const;

function instructionsOf({ model, systemPrompt, parameters }: AskedFor) {
  const isWritten = systemPrompt.trim() !== '';
  const tools = model.supportsTools && (parameters.tools?.length ?? 0) > 0 ? parameters.tools : undefined;
  return {
    text: (isWritten ? systemPrompt : '') + (tools === undefined ? '' : JSON.stringify(tools)),
    chat: {
      messages: [...(isWritten ? [{ role: 'system' as const, content: systemPrompt }] : []), ...one.messages],
      ...(tools !== undefined && { tools }),
    },
  };
}

function textOf({ content, toolCalls }: PlannedMessage): string {
  return [content, ...toolCalls.map(({ name, argumentsText }) => name + argumentsText)].join('\n').trim();
}
