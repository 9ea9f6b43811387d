import type { AnswerPlan } from '../generation/answer-plan.ts';
import type { ChoiceEnding } from '../generation/choice-writer.ts';
import { runChoices } from '../generation/run-choices.ts';
import type { GenerationTools } from '../generation/run-choices.ts';
import type { EngineReply } from '../wire/engine-reply.ts';
import { createUsageTally } from '../wire/usage.ts';
import type { UsageTally } from '../wire/usage.ts';
import { createChatAssembler } from './chat-assembler.ts';
import type { ChatDelta } from './chat-assembler.ts';
import { createChatChunks } from './chat-chunks.ts';
import { chatLogprobs } from './chat-logprobs.ts';
import type { ChatTokenLogprobs } from './chat-logprobs.ts';
import { createChatMessageBuilder } from './chat-message.ts';
import type { ChatTemplate } from './chat-template.ts';
import { nextTurnTokens } from './next-turn.ts';
import { openThoughtOf } from './plan-chat.ts';
import type { ChatRequest } from './read-chat-request.ts';

/** Where the pieces of a chat answer go: into a stream, or into one document. */
interface ChatOutlet {
  began(choice: number): void;
  added(choice: number, delta: ChatDelta, logprobs: readonly ChatTokenLogprobs[] | undefined): void;
  ended(choice: number, ending: ChoiceEnding, logprobs: readonly ChatTokenLogprobs[] | undefined): void;
  allEnded(): void;
}

/** Runs a planned chat answer and writes it to the reply. Returns when it has been started. */
export function answerChat(
  request: ChatRequest,
  plan: AnswerPlan,
  tools: GenerationTools & { readonly template: ChatTemplate },
  reply: EngineReply,
): void {
  const tally = createUsageTally(plan.promptTokens.length);
  const head = {
    id: `chatcmpl-${reply.requestId}`,
    created: Math.floor(Date.now() / 1000),
    model: request.profile.id,
  };
  const outlet =
    request.stream === undefined
      ? documentOutlet(head, tally, plan.alternatives !== undefined, reply)
      : streamOutlet(head, tally, request.stream, reply);
  let openChoices = plan.choiceCount;

  const run = runChoices(plan, tools, (choice) => {
    const assembler = createChatAssembler({
      form: request.reasoningForm,
      showsReasoning: request.showsReasoning,
      startsInThought: plan.output.startsInThought,
      continues: continuedPart(request),
    });
    const answer = createChatMessageBuilder();
    let unsentScores: ChatTokenLogprobs[] = [];
    const takeScores = (): readonly ChatTokenLogprobs[] | undefined => {
      if (plan.alternatives === undefined) return undefined;
      const scores = unsentScores;
      unsentScores = [];
      return scores;
    };
    const send = (deltas: readonly ChatDelta[]): void => {
      for (const delta of deltas) {
        answer.add(delta);
        outlet.added(choice, delta, takeScores());
      }
    };
    return {
      began: ({ cachedTokens }) => {
        if (choice === 0) tally.promptRead(cachedTokens);
        outlet.began(choice);
        const last = request.messages.at(-1)?.content;
        if (request.echoesFinalMessage && last !== undefined)
          outlet.added(choice, { content: last }, undefined);
      },
      wrote: (step) => {
        const { events, scores } = step;
        tally.counted(choice, step);
        const deltas = assembler.assemble(events);
        if (scores !== undefined && assembler.isInContent) {
          unsentScores.push(chatLogprobs(scores, tools.tokenizer));
        }
        send(deltas);
      },
      finished: (ending) => {
        send(assembler.finish());
        tally.counted(choice, ending);
        outlet.ended(choice, ending, takeScores());
        if (plan.choiceCount === 1 && ending.reason !== 'length') {
          run.readAhead(() => nextTurnTokens(request, answer.asHistory(), tools.template));
        }
        openChoices -= 1;
        if (openChoices === 0) outlet.allEnded();
      },
      failed: (cause) => {
        run.cancel();
        reply.refuse(cause);
      },
    };
  });
  reply.onDeparture(() => run.cancel());
}

function continuedPart(request: ChatRequest): 'nothing' | 'thought' | 'text' {
  if (!request.continuesFinalMessage) return 'nothing';
  return openThoughtOf(request) === undefined ? 'text' : 'thought';
}

interface AnswerHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

function streamOutlet(
  head: AnswerHead,
  tally: UsageTally,
  wishes: { readonly includesUsage: boolean; readonly includesRunningUsage: boolean },
  reply: EngineReply,
): ChatOutlet {
  const chunks = createChatChunks(head);
  const running = () => (wishes.includesRunningUsage ? tally.usage() : undefined);
  return {
    began: (choice) => reply.event(chunks.opening(choice, running())),
    added: (choice, delta, logprobs) => reply.event(chunks.delta(choice, delta, logprobs, running())),
    ended: (index, { reason, stoppedBy }, scores) => {
      const logprobs = scores !== undefined && scores.length > 0 ? scores : undefined;
      reply.event(chunks.ending({ index, reason, stoppedBy, logprobs, usage: running() }));
    },
    allEnded: () => {
      if (wishes.includesUsage) reply.event(chunks.usage(tally.usage()));
      reply.endStream();
    },
  };
}

function documentOutlet(
  head: AnswerHead,
  tally: UsageTally,
  hasLogprobs: boolean,
  reply: EngineReply,
): ChatOutlet {
  const choices: unknown[] = [];
  const builders = new Map<number, ReturnType<typeof createChatMessageBuilder>>();
  const scores = new Map<number, ChatTokenLogprobs[]>();
  return {
    began: (choice) => {
      builders.set(choice, createChatMessageBuilder());
      scores.set(choice, []);
    },
    added: (choice, delta, logprobs) => {
      builders.get(choice)?.add(delta);
      scores.get(choice)?.push(...(logprobs ?? []));
    },
    ended: (index, { reason, stoppedBy }, logprobs) => {
      choices[index] = {
        index,
        message: builders.get(index)?.message(),
        logprobs: hasLogprobs
          ? { content: [...(scores.get(index) ?? []), ...(logprobs ?? [])], refusal: null }
          : null,
        finish_reason: reason,
        stop_reason: stoppedBy,
      };
    },
    allEnded: () =>
      reply.json(200, {
        id: head.id,
        object: 'chat.completion',
        created: head.created,
        model: head.model,
        choices,
        usage: tally.usage(),
        system_fingerprint: null,
      }),
  };
}
