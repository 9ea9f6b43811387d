import type { WireUsage } from '../wire/usage.ts';
import type { ChatDelta } from './chat-assembler.ts';
import type { ChatTokenLogprobs } from './chat-logprobs.ts';

/** Writes the chunks of one chat stream. The parts that never change are written down once. */
export interface ChatChunks {
  opening(index: number, usage: WireUsage | undefined): string;
  delta(
    index: number,
    delta: ChatDelta,
    logprobs: readonly ChatTokenLogprobs[] | undefined,
    usage: WireUsage | undefined,
  ): string;
  ending(ending: ChunkEnding): string;
  usage(usage: WireUsage): string;
}

export interface ChunkEnding {
  readonly index: number;
  readonly reason: string;
  readonly stoppedBy: string | number | null;
  readonly logprobs: readonly ChatTokenLogprobs[] | undefined;
  readonly usage: WireUsage | undefined;
}

export function createChatChunks(head: {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}): ChatChunks {
  const start = `{"id":${JSON.stringify(head.id)},"object":"chat.completion.chunk","created":${head.created},"model":${JSON.stringify(head.model)},"choices":[`;
  const end = (usage: WireUsage | undefined): string =>
    usage === undefined ? ']}' : `],"usage":${JSON.stringify(usage)}}`;
  const chunk = (
    index: number,
    delta: string,
    logprobs: readonly ChatTokenLogprobs[] | undefined,
    tail: string,
    usage: WireUsage | undefined,
  ): string => {
    const scores = logprobs === undefined ? 'null' : JSON.stringify({ content: logprobs, refusal: null });
    return `${start}{"index":${index},"delta":${delta},"logprobs":${scores},${tail}}${end(usage)}`;
  };

  return {
    opening: (index, usage) =>
      chunk(index, '{"role":"assistant","content":""}', undefined, '"finish_reason":null', usage),
    delta: (index, delta, logprobs, usage) =>
      chunk(index, writeDelta(delta), logprobs, '"finish_reason":null', usage),
    ending: ({ index, reason, stoppedBy, logprobs, usage }) =>
      chunk(
        index,
        '{}',
        logprobs,
        `"finish_reason":"${reason}","stop_reason":${JSON.stringify(stoppedBy)}`,
        usage,
      ),
    usage: (usage) => `${start}${end(usage)}`,
  };
}

function writeDelta({ content, reasoning, toolCall }: ChatDelta): string {
  if (content !== undefined) return `{"content":${JSON.stringify(content)}}`;
  if (reasoning !== undefined) {
    const text = JSON.stringify(reasoning);
    return `{"reasoning":${text},"reasoning_content":${text}}`;
  }
  if (toolCall === undefined) return '{}';
  const { index, opening, arguments: fragment } = toolCall;
  return JSON.stringify({
    tool_calls: [
      opening === undefined
        ? { index, function: { arguments: fragment } }
        : {
            index,
            id: opening.id,
            type: 'function',
            function: { name: opening.name, arguments: fragment },
          },
    ],
  });
}
