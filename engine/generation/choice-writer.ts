import type { Tokenizer } from '../native/tokenizer.ts';
import type { OutputEvent, OutputParser } from '../output/output-parser.ts';
import type { TokenScores } from '../sampling/token-chooser.ts';
import type { PromptReading, SequenceWriter } from '../scheduler/sequence-task.ts';
import type { AnswerGuide } from './answer-guide.ts';

/** Where one choice of an answer goes. Called in order: `began`, any number of `wrote`, one ending. */
export interface ChoiceSink {
  began(reading: PromptReading): void;
  /** Once per token, and once more when something was held back. */
  wrote(step: ChoiceStep): void;
  finished(ending: ChoiceEnding): void;
  failed(cause: Error): void;
}

export interface ChoiceCounts {
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

export interface ChoiceStep extends ChoiceCounts {
  readonly events: readonly OutputEvent[];
  /** Of the token just chosen, where scores were asked for. */
  readonly scores: TokenScores | undefined;
}

export interface ChoiceEnding extends ChoiceCounts {
  readonly reason: 'stop' | 'length' | 'tool_calls';
  /** The stop string or the token that ended it. */
  readonly stoppedBy: string | number | null;
}

export interface ChoiceWriterParts {
  readonly tokenizer: Tokenizer;
  readonly parser: OutputParser;
  readonly guide: AnswerGuide;
  readonly sink: ChoiceSink;
  readonly maxTokens: number;
  readonly endsAtEndToken: boolean;
  readonly stopTokens: readonly number[];
}

/** Turns the tokens of one sequence into the events of one choice. */
export function createChoiceWriter(parts: ChoiceWriterParts): SequenceWriter {
  const { tokenizer, parser, guide, sink, maxTokens } = parts;
  let completionTokens = 0;
  let reasoningTokens = 0;
  let hasCalled = false;

  function finish(reason: 'stop' | 'length', stoppedBy: string | number | null): 'finished' {
    const rest = parser.finish();
    if (rest.length > 0) sink.wrote({ events: rest, scores: undefined, completionTokens, reasoningTokens });
    sink.finished({
      reason: reason === 'stop' && hasCalled ? 'tool_calls' : reason,
      stoppedBy,
      completionTokens,
      reasoningTokens,
    });
    return 'finished';
  }

  return {
    promptRead: (reading) => sink.began(reading),
    nextDirective: () => {
      if (maxTokens > 0) return guide.next();
      finish('length', null);
      return { kind: 'end' };
    },
    accept: (token, scores) => {
      completionTokens += 1;
      if (parts.stopTokens.includes(token)) return finish('stop', token);
      if (parts.endsAtEndToken && tokenizer.isEnd(token)) return finish('stop', null);

      const bytes = tokenizer.bytesOf(token);
      const before = parser.mode;
      const events = parser.push(bytes);
      const after = parser.mode;
      if (before === 'thought' || after === 'thought') reasoningTokens += 1;
      guide.accepted(bytes, after, parser.textAfterSwitch);
      hasCalled ||= events.some(({ kind }) => kind === 'call-began');
      sink.wrote({ events, scores, completionTokens, reasoningTokens });

      const stopped = events.find((event) => event.kind === 'stopped');
      if (stopped !== undefined) return finish('stop', stopped.by);
      if (guide.isOver) return finish('stop', null);
      return completionTokens >= maxTokens ? finish('length', null) : 'continue';
    },
    failed: (cause) => sink.failed(cause),
  };
}
