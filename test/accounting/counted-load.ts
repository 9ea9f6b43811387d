import { request as httpRequest } from 'node:http';
import type { UsageRow } from '#harness/gateway';
import type { SimulatedEngine } from '#harness/simulated-engine';

/** One request of the load, as its caller saw it. The address is its own, so that its record can be found. */
export interface CountedRequest {
  readonly address: string;
  readonly mark: string;
  readonly outputTokens: number;
  readonly begunMs: number;
  /** The whole answer has arrived, with its end. */
  isDelivered: boolean;
  errorCode: string | undefined;
  /** When which frame arrived. */
  readonly frameTimes: number[];
}

export interface CountedLoad {
  readonly requests: CountedRequest[];
  /** No new requests; resolves when the running ones have ended, one way or another. */
  stop(): Promise<void>;
}

let numbers = 0;

/** Callers who ask one thing after another: short whole answers, short streams and long ones. */
export function startLoad(chatUrl: string, callers: number): CountedLoad {
  const requests: CountedRequest[] = [];
  const stopping = new AbortController();
  const running = Array.from({ length: callers }, async (_, caller) => {
    while (!stopping.signal.aborted) {
      const one = nextRequest(caller % 4 === 0 ? 500 : 1 + Math.floor(Math.random() * 10));
      requests.push(one);
      await play(chatUrl, one, caller % 4 === 1 ? 'whole' : 'stream');
      // Whoever is turned away does not come back at once.
      if (!one.isDelivered) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  return {
    requests,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function nextRequest(outputTokens: number): CountedRequest {
  numbers += 1;
  return {
    address: `127.${100 + (numbers >> 16)}.${(numbers >> 8) & 255}.${numbers & 255}`,
    mark: `mark-${numbers}-`,
    outputTokens,
    begunMs: performance.now(),
    isDelivered: false,
    errorCode: undefined,
    frameTimes: [],
  };
}

function play(url: string, one: CountedRequest, form: 'whole' | 'stream'): Promise<void> {
  const words = `${one.mark} sim:frames=${one.outputTokens} sim:every=${form === 'stream' ? 10 : 0}`;
  const body = JSON.stringify({
    model: 'beta-4-scout',
    messages: [{ role: 'user', content: words }],
    stream: form === 'stream',
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const outgoing = httpRequest(url, {
    method: 'POST',
    agent: false,
    localAddress: one.address,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  outgoing.on('error', () => resolve());
  outgoing.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      text += piece;
      const now = performance.now();
      for (const _frame of piece.matchAll(/"content":"w/g)) one.frameTimes.push(now);
    });
    response.on('close', () => {
      one.errorCode = /"code":"(\w+)"/.exec(text)?.[1];
      const hasEnd = form === 'whole' ? response.complete : text.includes('[DONE]');
      one.isDelivered = hasEnd && response.statusCode === 200 && one.errorCode === undefined;
      resolve();
    });
    response.on('error', () => {});
  });
  outgoing.end(body);
  return promise;
}

export interface Comparison {
  readonly requests: number;
  readonly delivered: number;
  readonly records: number;
  /** What must be empty: one line for each request whose record is missing, wrong or one too many. */
  readonly mistakes: readonly string[];
}

/** One by one: what callers got and engines served against what stands in the books. */
export function compare(
  requests: readonly CountedRequest[],
  engine: SimulatedEngine,
  rows: readonly UsageRow[],
  killedMs: (request: CountedRequest) => number,
  /** A kill may cost a second of a stream; the rest is room for a busy machine. */
  forgivenMs = 2_500,
): Comparison {
  const mistakes: string[] = [];
  const byAddress = Map.groupBy(rows, (row) => row.address);
  const served = new Set(engine.generations.flatMap(({ prompt }) => /mark-\d+-/.exec(prompt)?.[0] ?? []));
  for (const one of requests) {
    const [row, ...others] = byAddress.get(one.address) ?? [];
    const about = `${one.mark} (${one.outputTokens} tokens, ${one.frameTimes.length} arrived, ${one.errorCode})`;
    if (others.length > 0) mistakes.push(`${about}: ${others.length + 1} records`);
    if (one.isDelivered) {
      const isRight =
        row?.ending === 'completed' && row.output_tokens === one.outputTokens && row.is_estimated === 0;
      if (!isRight) mistakes.push(`${about}: delivered, but the books say ${JSON.stringify(row)}`);
      continue;
    }
    const since = killedMs(one) - forgivenMs;
    const due = one.frameTimes.filter((time) => time < since).length;
    // The first frames are an estimate: a role and a usage frame count, too.
    if (due > 2 && (row?.output_tokens ?? 0) < due - 2)
      mistakes.push(`${about}: ${due} tokens were due, the books say ${JSON.stringify(row)}`);
    if (row === undefined && served.has(one.mark))
      mistakes.push(`${about}: an engine began it, and the books do not know of it`);
  }
  const known = new Set(requests.map(({ address }) => address));
  for (const row of rows) if (!known.has(row.address)) mistakes.push(`a record of nobody: ${row.address}`);
  return {
    requests: requests.length,
    delivered: requests.filter(({ isDelivered }) => isDelivered).length,
    records: rows.length,
    mistakes,
  };
}
