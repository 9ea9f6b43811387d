/**
 * What a simulated engine does with one request. A test writes words such as `sim:die-mid-frame` or
 * `sim:frames=20 sim:every=50` into the prompt: headers of a caller never reach an engine, the prompt does.
 */
export interface SimulationPlan {
  /** Break the connection before any response byte: `reset` (RST), `close` (FIN) or say nothing (`hang`). */
  readonly beforeHeaders: 'reset' | 'close' | 'hang' | undefined;
  /** The line breaks before any response byte when a prompt comes for the first time, and the engine does not notice. */
  readonly losesFirstLine: boolean;
  readonly headersDelayMs: number;
  /** Answer with this status and an error body instead of generating. */
  readonly status: number | undefined;
  readonly errorShape: ErrorShape | undefined;
  /** Content pieces; undefined means the standard sentence. */
  readonly frames: number | undefined;
  /** The pieces are prose, code and formulas in turn, or one block that grows: `list`, `table`, `code`. */
  readonly rich: string | undefined;
  readonly everyMs: number;
  readonly hugeBytes: number | undefined;
  readonly thinks: boolean;
  readonly callsTool: boolean | undefined;
  readonly finishReason: string | undefined;
  readonly cachedTokens: number;
  /** Where a stream breaks, counted in frames written. */
  readonly dieMidFrameAfter: number | undefined;
  readonly dieAfter: number | undefined;
  readonly endMidFrameAfter: number | undefined;
  readonly hangAfter: number | undefined;
  readonly errorEventAfter: number | undefined;
  readonly diesAfterUsage: boolean;
  readonly omitsDone: boolean;
  readonly omitsUsage: boolean;
  readonly framing: Framing;
  readonly sendsComments: boolean;
  /** A 200 whose body is not JSON. */
  readonly answersNonsense: boolean;
  /** Answers with events where none were asked for, or in one piece where they were. */
  readonly form: 'stream' | 'whole' | undefined;
  /** Says something for ever: after its end, or comments instead of an answer. */
  readonly goesOn: 'after-done' | 'comments' | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export type ErrorShape = 'flat' | 'nested' | 'string' | 'detail' | 'html' | 'empty';

export interface Framing {
  readonly lineEnd: '\n' | '\r\n';
  readonly dataPrefix: 'data: ' | 'data:';
  /** `whole`: one write per frame; the others cut frames where readers like to break. */
  readonly cut: 'whole' | 'one-byte' | 'inside-utf8' | 'inside-usage' | 'all-at-once';
}

export function planFrom(text: string): SimulationPlan {
  const words = new Map<string, string>();
  for (const match of text.matchAll(/\bsim:([a-z0-9-]+)(?:=([^\s"]+))?/g))
    words.set(match[1]!, match[2] ?? '');
  const numberOf = (word: string): number | undefined => {
    const value = words.get(word);
    return value === undefined || value === '' ? undefined : Number(value);
  };
  const afterFrames = (word: string): number | undefined =>
    words.has(word) ? (numberOf(word) ?? 2) : undefined;
  return {
    beforeHeaders: words.has('reset')
      ? 'reset'
      : words.has('close')
        ? 'close'
        : words.has('hang')
          ? 'hang'
          : undefined,
    losesFirstLine: words.has('lose-line'),
    headersDelayMs: numberOf('slow') ?? 0,
    status: numberOf('status'),
    errorShape: words.get('shape') as ErrorShape | undefined,
    frames: numberOf('frames'),
    rich: words.get('rich'),
    everyMs: numberOf('every') ?? 0,
    hugeBytes: numberOf('huge'),
    thinks: words.has('think'),
    callsTool: words.has('tool') ? true : words.has('text') ? false : undefined,
    finishReason: words.get('finish'),
    cachedTokens: numberOf('cached') ?? 0,
    dieMidFrameAfter: afterFrames('die-mid-frame'),
    dieAfter: afterFrames('die-after'),
    endMidFrameAfter: afterFrames('end-mid-frame'),
    hangAfter: afterFrames('hang-after'),
    errorEventAfter: afterFrames('error-event'),
    diesAfterUsage: words.has('die-after-usage'),
    omitsDone: words.has('no-done'),
    omitsUsage: words.has('no-usage'),
    framing: {
      lineEnd: words.has('crlf') ? '\r\n' : '\n',
      dataPrefix: words.has('no-space') ? 'data:' : 'data: ',
      cut: cutFrom(words),
    },
    sendsComments: words.has('comments'),
    answersNonsense: words.has('nonsense'),
    form: words.has('as-stream') ? 'stream' : words.has('as-whole') ? 'whole' : undefined,
    goesOn: words.has('after-done') ? 'after-done' : words.has('only-comments') ? 'comments' : undefined,
    retryAfterSeconds: numberOf('retry-after'),
  };
}

function cutFrom(words: ReadonlyMap<string, string>): Framing['cut'] {
  if (words.has('one-byte')) return 'one-byte';
  if (words.has('split-utf8')) return 'inside-utf8';
  if (words.has('split-usage')) return 'inside-usage';
  if (words.has('all-at-once')) return 'all-at-once';
  return 'whole';
}
