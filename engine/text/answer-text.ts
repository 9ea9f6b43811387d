import type { AnswerPlan } from '../generation/answer-plan.ts';
import type { ChoiceEnding, ChoiceSink } from '../generation/choice-writer.ts';
import { runChoices } from '../generation/run-choices.ts';
import type { GenerationTools } from '../generation/run-choices.ts';
import type { SequenceHandle } from '../scheduler/sequence-task.ts';
import type { EngineReply } from '../wire/engine-reply.ts';
import { createUsageTally } from '../wire/usage.ts';
import type { UsageTally } from '../wire/usage.ts';
import type { TextRequest } from './read-text-request.ts';
import { createTextLogprobsBuilder } from './text-logprobs.ts';
import type { TextLogprobs } from './text-logprobs.ts';

interface TextOutlet {
  added(index: number, text: string, logprobs: TextLogprobs | null): void;
  ended(index: number, ending: ChoiceEnding, logprobs: TextLogprobs | null): void;
  allEnded(): void;
}

/** Runs text completions for one or many prompts and writes them to the reply. */
export function answerText(
  request: TextRequest,
  plans: readonly AnswerPlan[],
  tools: GenerationTools,
  reply: EngineReply,
): void {
  const tally = createUsageTally(plans.reduce((total, plan) => total + plan.promptTokens.length, 0));
  const head = {
    id: `cmpl-${reply.requestId}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: request.profile.id,
  };
  const outlet =
    request.stream === undefined
      ? documentOutlet(head, tally, reply)
      : streamOutlet(head, tally, request, reply);
  const runs: SequenceHandle[] = [];
  let openChoices = plans.length * request.choiceCount;
  let cachedTokens = 0;

  function cancelAll(): void {
    for (const run of runs) run.cancel();
  }

  function sinkOf(plan: AnswerPlan, index: number, isFirstOfPrompt: boolean): ChoiceSink {
    const scores = createTextLogprobsBuilder(tools.tokenizer);
    const takeScores = () => (plan.alternatives === undefined ? null : scores.take());
    return {
      began: (reading) => {
        if (isFirstOfPrompt) cachedTokens += reading.cachedTokens;
        tally.promptRead(cachedTokens);
        if (!request.echoesPrompt) return;
        const first = plan.promptTokens[0];
        if (plan.scoresPrompt && first !== undefined) scores.addUnscored(first);
        for (const score of reading.scores) scores.add(score);
        outlet.added(index, tools.tokenizer.decode(plan.promptTokens), takeScores());
      },
      wrote: (step) => {
        tally.counted(index, step);
        if (step.scores !== undefined) scores.add(step.scores);
        for (const event of step.events) {
          if (event.kind === 'text') outlet.added(index, event.text, takeScores());
        }
      },
      finished: (ending) => {
        tally.counted(index, ending);
        outlet.ended(index, ending, takeScores());
        openChoices -= 1;
        if (openChoices === 0) outlet.allEnded();
      },
      failed: (cause) => {
        cancelAll();
        reply.refuse(cause);
      },
    };
  }

  reply.onDeparture(cancelAll);
  try {
    for (const [place, plan] of plans.entries()) {
      runs.push(
        runChoices(plan, tools, (choice) => sinkOf(plan, place * request.choiceCount + choice, choice === 0)),
      );
    }
  } catch (error) {
    cancelAll();
    throw error;
  }
}

type AnswerHead = Readonly<Record<'id' | 'object' | 'model', string> & { created: number }>;

function streamOutlet(
  head: AnswerHead,
  tally: UsageTally,
  { stream }: TextRequest,
  reply: EngineReply,
): TextOutlet {
  const send = (choices: readonly unknown[], withUsage: boolean): void =>
    reply.event(JSON.stringify({ ...head, choices, ...(withUsage && { usage: tally.usage() }) }));
  const isRunning = stream?.includesRunningUsage === true;
  return {
    added: (index, text, logprobs) =>
      send([{ index, text, logprobs, finish_reason: null, stop_reason: null }], isRunning),
    ended: (index, { reason, stoppedBy }, logprobs) =>
      send(
        [
          {
            index,
            text: '',
            logprobs: logprobs === null || logprobs.tokens.length === 0 ? null : logprobs,
            finish_reason: reason,
            stop_reason: stoppedBy,
          },
        ],
        isRunning,
      ),
    allEnded: () => {
      if (stream?.includesUsage === true) send([], true);
      reply.endStream();
    },
  };
}

function documentOutlet(head: AnswerHead, tally: UsageTally, reply: EngineReply): TextOutlet {
  const choices: unknown[] = [];
  const texts: string[] = [];
  const scores: (TextLogprobs | null)[] = [];
  const keep = (index: number, text: string, logprobs: TextLogprobs | null): void => {
    texts[index] = (texts[index] ?? '') + text;
    scores[index] = join(scores[index] ?? null, logprobs);
  };
  return {
    added: keep,
    ended: (index, { reason, stoppedBy }, logprobs) => {
      keep(index, '', logprobs);
      choices[index] = {
        index,
        text: texts[index],
        logprobs: scores[index],
        finish_reason: reason,
        stop_reason: stoppedBy,
      };
    },
    allEnded: () => reply.json(200, { ...head, choices, usage: tally.usage(), system_fingerprint: null }),
  };
}

function join(before: TextLogprobs | null, after: TextLogprobs | null): TextLogprobs | null {
  if (before === null || after === null) return before ?? after;
  return {
    tokens: [...before.tokens, ...after.tokens],
    token_logprobs: [...before.token_logprobs, ...after.token_logprobs],
    top_logprobs: [...before.top_logprobs, ...after.top_logprobs],
    text_offset: [...before.text_offset, ...after.text_offset],
  };
}
