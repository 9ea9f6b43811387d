import type { ToolCall, ToolUse } from '#contract/messages';
import { isObject } from '#dialects/json-object';
import type { Clock } from '#vocabulary/clock';
import type { ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { mintId } from '#vocabulary/ids';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { OfferedTool, ToolBench, ToolConsentStore } from '#vocabulary/tools';
import { addBelow } from './add-below.ts';
import type { AnswerRegistry } from './answer-registry.ts';
import { failureOf, type CallFailure } from './call-failures.ts';
import { newMessage } from './new-message.ts';
import type { PersonEvents } from './person-events.ts';
import type { RunningAnswer } from './running-answer.ts';
import { RunningCall } from './running-call.ts';
import type { StorageQuota } from './storage-quota.ts';

/** A question that nobody answers for so long is withdrawn. */
const longestQuestionMs = 3_600_000;
/** Calls of one answer; the others fail at once. */
const maxCallsPerAnswer = 16;
/** Calls that wait for somebody or run, of one person and of all. One more fails at once. */
const maxOpenPerPerson = 64;
const maxOpen = 2000;

/** Calls the tools that an answer asks for, when the person agrees, and lets the model go on with the results. */
export interface ToolRounds {
  /** Called before the answer is told to have ended, so that what follows is there when it is. */
  follow(round: AnsweredRound): Promise<void>;
}

export interface AnsweredRound {
  readonly chatId: string;
  readonly answer: RunningAnswer;
  /** What the model was told of. */
  readonly tools: readonly OfferedTool[];
  /** Every call has its result: the model goes on below the last of them. */
  readonly goOn: (parentId: string) => Promise<void>;
}

export function createToolRounds(parts: {
  readonly store: ConversationStore;
  readonly consents: ToolConsentStore;
  readonly tools: ToolBench;
  readonly registry: AnswerRegistry;
  readonly quota: StorageQuota;
  readonly events: PersonEvents;
  readonly clock: Clock;
  readonly logger: Logger;
}): ToolRounds {
  const { store, consents, tools, registry, events, clock, logger } = parts;
  const openBy = new Map<string, number>();
  let openInAll = 0;

  return {
    async follow(round) {
      const { chatId, answer } = round;
      const { personId } = answer;
      const asking = answer.message();
      const byName = new Map(round.tools.map((tool) => [tool.functionName, tool]));
      const meant = asking.toolCalls.flatMap((call) => {
        const tool = byName.get(call.name);
        return tool === undefined ? [] : [{ call, tool }];
      });
      if (!answer.isWhole || meant.length === 0) return;
      await parts.quota.require(personId, 0);
      const planned = await Promise.all(
        meant.map(async ({ call, tool }, index) => {
          const consent = await consents.find(personId, chatId, tool.digest);
          const permission =
            consent === undefined ? 'asked' : consent.chatId === undefined ? 'always' : 'chat';
          return { ...readCall(call), tool, permission, isTooMany: index >= maxCallsPerAnswer } as const;
        }),
      );
      const calls: RunningCall[] = [];
      let parentId = asking.id;
      for (const { call, tool, permission } of planned) {
        const running = begin(answer, parentId, call, tool, permission);
        calls.push(running);
        parentId = running.description.messageId;
      }
      const messages = calls.map((call) => call.message());
      if (!(await addBelow(store, personId, chatId, asking.id, messages, clock.wallMs()))) return;
      events.announce(personId, { type: 'messagesAdded', chatId, messages });

      let left = calls.length;
      const isComplete = meant.length === asking.toolCalls.length;
      for (const [index, call] of calls.entries()) {
        const plan = planned[index];
        if (plan === undefined) continue;
        // Whoever stops one call wants an end to all of them.
        call.cancellation.onCancel((reason) => calls.forEach((other) => other.cancellation.cancel(reason)));
        const work = perform(call, plan, chatId).then(async () => {
          if (--left > 0 || !isComplete || call.cancellation.isCancelled) return;
          await round.goOn(parentId).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            logger.info({ code: error.code }, 'an answer could not go on after its tools');
          });
        });
        registry.keep(call, work, () => {});
      }
    },
  };

  function begin(
    answer: RunningAnswer,
    parentId: string,
    call: ToolCall,
    tool: OfferedTool,
    consent: ToolUse['consent'],
  ): RunningCall {
    const { chatId, model } = answer.description;
    const generationId = mintId('generation');
    const startedAt = clock.wallMs();
    const { serverName: server, serverLabel, name, title } = tool;
    const use: ToolUse = { server, serverLabel, tool: name, title, consent, isError: false, isCut: false };
    const message: ChatMessage & { readonly tool: ToolUse } = {
      ...newMessage({ parentId, role: 'tool', content: '', createdAt: startedAt, toolCallId: call.id }),
      tool: use,
      state: 'running',
      generationId,
    };
    const description = { id: generationId, chatId, messageId: message.id, model, startedAt };
    return new RunningCall({ personId: answer.personId, description, message, clock });
  }

  /** Until there is a result, or somebody stopped it. Never throws. */
  async function perform(call: RunningCall, plan: PlannedCall, chatId: string): Promise<void> {
    const { personId, cancellation } = call;
    using place = open(personId);
    const obstacle: CallFailure | undefined =
      plan.given === undefined ? 'arguments' : plan.isTooMany || place === undefined ? 'busy' : undefined;
    if (obstacle !== undefined || plan.given === undefined) {
      call.finish(failureOf(obstacle ?? 'arguments'));
      return;
    }
    if (plan.permission === 'asked') {
      const decision = await asked(call);
      if (decision === undefined) return;
      if (decision === 'refuse') {
        call.finish({ text: 'The person refused this call.' });
        return;
      }
      if (decision !== 'once') await remember(call, plan.tool, decision === 'chat' ? chatId : undefined);
    }
    const outcome = await tools.call({ personId, tool: plan.tool, arguments: plan.given, cancellation });
    if (cancellation.isCancelled) return;
    if (outcome.kind === 'failed') call.finish(failureOf(outcome.failure));
    else call.finish(outcome);
  }

  /** Undefined when it is stopped, or when nobody has answered for long. */
  async function asked(call: RunningCall): Promise<Awaited<RunningCall['decision']> | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const forget = call.cancellation.onCancel(() => resolve(undefined));
    const timer = setTimeout(() => call.cancellation.cancel('caller-left'), longestQuestionMs).unref();
    try {
      return await Promise.race([call.decision, promise]);
    } finally {
      forget();
      clearTimeout(timer);
    }
  }

  /** A permission that cannot be written down holds for this once. */
  async function remember(call: RunningCall, tool: OfferedTool, chatId: string | undefined): Promise<void> {
    const { serverName, name: toolName, digest } = tool;
    const consent = {
      personId: call.personId,
      chatId,
      serverName,
      toolName,
      digest,
      givenAt: clock.wallMs(),
    };
    await consents
      .put(consent)
      .catch((error: unknown) => logger.warn({ error }, 'a permission for a tool could not be kept'));
  }

  /** Undefined when there are too many. */
  function open(personId: string): Disposable | undefined {
    const own = openBy.get(personId) ?? 0;
    if (own >= maxOpenPerPerson || openInAll >= maxOpen) return undefined;
    openBy.set(personId, own + 1);
    openInAll++;
    return {
      [Symbol.dispose]() {
        openInAll--;
        const now = (openBy.get(personId) ?? 1) - 1;
        if (now === 0) openBy.delete(personId);
        else openBy.set(personId, now);
      },
    };
  }
}

interface PlannedCall {
  readonly tool: OfferedTool;
  readonly permission: ToolUse['consent'];
  /** Undefined when what the model wrote is no JSON object. */
  readonly given: Readonly<Record<string, unknown>> | undefined;
  readonly isTooMany: boolean;
}

function readCall(call: ToolCall): Pick<PlannedCall, 'given'> & { readonly call: ToolCall } {
  if (call.argumentsText.trim() === '') return { call, given: {} };
  try {
    const given: unknown = JSON.parse(call.argumentsText);
    return { call, given: isObject(given) ? given : undefined };
  } catch {
    return { call, given: undefined };
  }
}
