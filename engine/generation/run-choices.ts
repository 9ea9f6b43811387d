import type { TokenTable } from '../constraint/token-table.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import { createOutputParser } from '../output/output-parser.ts';
import type { SequenceHandle } from '../scheduler/sequence-task.ts';
import type { StepLoop } from '../scheduler/step-loop.ts';
import { createAnswerGuide } from './answer-guide.ts';
import type { AnswerPlan } from './answer-plan.ts';
import { createExpectedText } from './expected-text.ts';
import { createChoiceWriter } from './choice-writer.ts';
import type { ChoiceSink } from './choice-writer.ts';

export interface GenerationTools {
  readonly loop: StepLoop;
  readonly tokenizer: Tokenizer;
  readonly tokenTable: () => TokenTable;
}

/**
 * Starts all choices of one answer. The others join when the first has read the prompt, and copy its cache
 * instead of reading it again. Throws a `Refusal` when the engine's line is full.
 */
export function runChoices(
  plan: AnswerPlan,
  tools: GenerationTools,
  sinkOf: (choice: number) => ChoiceSink,
): SequenceHandle {
  const handles: SequenceHandle[] = [];
  let isCancelled = false;

  const first = sinkOf(0);
  submit(0, {
    ...first,
    began: (reading) => {
      first.began(reading);
      for (let choice = 1; choice < plan.choiceCount; choice += 1) submitLater(choice);
    },
  });

  function submitLater(choice: number): void {
    if (isCancelled) return;
    const sink = sinkOf(choice);
    try {
      submit(choice, sink);
    } catch (cause) {
      sink.failed(cause instanceof Error ? cause : new Error(String(cause)));
    }
  }

  function submit(choice: number, sink: ChoiceSink): void {
    const { rules, output } = plan;
    const guide = createAnswerGuide({
      rules,
      tokenizer: tools.tokenizer,
      tokenTable: tools.tokenTable,
      startsInThought: output.startsInThought,
    });
    handles.push(
      tools.loop.submit({
        promptTokens: plan.promptTokens,
        cacheSalt: plan.cacheSalt,
        member: plan.member,
        sampling: { ...plan.sampling, seed: (plan.sampling.seed + choice * choiceSeedStep) >>> 0 },
        alternatives: plan.alternatives,
        scoresPrompt: plan.scoresPrompt,
        draft:
          plan.expectedText === undefined || plan.alternatives !== undefined
            ? undefined
            : createExpectedText(plan.expectedText, tools.tokenizer),
        writer: createChoiceWriter({
          tokenizer: tools.tokenizer,
          parser: createOutputParser(output),
          guide,
          sink,
          maxTokens: rules.maxTokens,
          endsAtEndToken: plan.endsAtEndToken,
          stopTokens: plan.stopTokens,
        }),
      }),
    );
  }

  return {
    cancel: () => {
      isCancelled = true;
      for (const handle of handles) handle.cancel();
    },
    readAhead: (text) => handles[0]?.readAhead(text),
  };
}

/** Far apart, so that the choices of seed 1 are not the first choices of seeds 2, 3 and 4. */
const choiceSeedStep = 0x9e3779b1;
