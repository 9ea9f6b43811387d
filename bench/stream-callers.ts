/**
 * Callers who keep a number of paced streams open: a process of its own, on bare sockets so that it costs little.
 * Takes one job by message, answers with its figures. A stream that ends or vanishes is replaced by a new one.
 */
import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { monotonicMicros } from './monotonic-clock.ts';

export interface CallersJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly streams: number;
  readonly seconds: number;
  readonly paceMs: number;
  /** Average length of one stream. */
  readonly streamSeconds: number;
  readonly doVanish: boolean;
}

export interface CallersFigures {
  readonly frames: number;
  readonly framesPerSecond: number;
  /** From the upstream's write to our read. */
  readonly delayMs: Spread;
  /** How much longer the pause between two frames was for us than for the upstream. */
  readonly addedGapMs: Spread;
  readonly begun: number;
  /** Vanished before the first byte: whether the request was ever read, nobody can say. */
  readonly unseen: number;
  readonly completed: number;
  readonly broken: number;
  readonly refused: number;
  readonly vanished: Readonly<Record<string, number>>;
}

export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const waysToVanish = ['closed', 'reset', 'half-closed', 'stopped reading', 'before the answer'] as const;
type WayToVanish = (typeof waysToVanish)[number];

process.once('message', (job: CallersJob) => {
  process.send?.('ready');
  runJob(job);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: 0 });

function runJob(job: CallersJob): void {
  const url = new URL(job.url);
  const delays = createHistogram();
  const gaps = createHistogram();
  const counts = { frames: 0, begun: 0, unseen: 0, completed: 0, broken: 0, refused: 0 };
  const vanished: Record<string, number> = Object.fromEntries(waysToVanish.map((way) => [way, 0]));
  const startedAt = performance.now();
  const endsAt = startedAt + job.seconds * 1000;
  // The first streams all begin at once, which no measurement of a steady load should contain.
  const countsFrom = startedAt + Math.min(10_000, (job.seconds * 1000) / 4);
  let open = 0;

  const headerLines = Object.entries(job.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n${headerLines.join('')}`;

  for (let index = 0; index < job.streams; index++) setTimeout(openStream, (index / job.streams) * 2000);
  const lateEnd = setInterval(() => {
    if (performance.now() < endsAt + 500 || open > 0) return;
    clearInterval(lateEnd);
    finish();
  }, 100);

  function openStream(): void {
    const leftMs = endsAt - performance.now();
    const lifeMs = Math.min(leftMs, job.streamSeconds * 1000 * (0.5 + Math.random()));
    if (lifeMs < job.paceMs * 2) return;
    const way = job.doVanish && Math.random() < 0.7 ? randomOf(waysToVanish) : undefined;
    open++;
    const stream = callOnce(requestOf(lifeMs, way), url, recordFrame);
    if (way === 'before the answer') stream.socket.once('connect', () => setImmediate(leave, stream, way, 0));
    else if (way !== undefined) {
      const momentMs = Math.random() * lifeMs * 0.8;
      setTimeout(leave, momentMs, stream, way, Math.random() * (lifeMs - momentMs));
    }
    // Nobody may keep this program from ending.
    const tooLate = setTimeout(() => stream.socket.destroy(), lifeMs + 60_000);
    stream.socket.once('close', () => {
      clearTimeout(tooLate);
      open--;
      if (stream.status === 0) counts.unseen += stream.left === undefined ? 0 : 1;
      else if (stream.status === 200) counts.begun++;
      else counts.refused++;
      if (stream.left !== undefined) vanished[stream.left] = (vanished[stream.left] ?? 0) + 1;
      else if (stream.isDone) counts.completed++;
      else counts.broken++;
      openStream();
    });
  }

  function requestOf(lifeMs: number, way: WayToVanish | undefined): string {
    // Who stops reading must be sent more than the buffers on the way take.
    const extra = way === 'stopped reading' ? 4096 : 0;
    const content = `pace=${job.paceMs} frames=${Math.floor(lifeMs / job.paceMs)} stamp=${extra} ${'a'.repeat(900)}`;
    const body = JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content }] });
    return `${head}content-length: ${body.length}\r\n\r\n${body}`;
  }

  function recordFrame(delayMicros: number, addedGapMicros: number): void {
    if (performance.now() < countsFrom) return;
    counts.frames++;
    delays.record(Math.max(1, delayMicros));
    if (!Number.isNaN(addedGapMicros)) gaps.record(Math.max(1, addedGapMicros));
  }

  function finish(): void {
    const figures: CallersFigures = {
      ...counts,
      framesPerSecond: counts.frames / ((endsAt - countsFrom) / 1000),
      delayMs: spreadOf(delays),
      addedGapMs: spreadOf(gaps),
      vanished,
    };
    process.send?.(figures);
  }
}

interface Stream {
  readonly socket: Socket;
  status: number;
  isDone: boolean;
  left: WayToVanish | undefined;
}

function callOnce(
  request: string,
  url: URL,
  onFrame: (delayMicros: number, addedGapMicros: number) => void,
): Stream {
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true, noDelay: true });
  const stream: Stream = { socket, status: 0, isDone: false, left: undefined };
  let tail = '';
  let lastDelay = Number.NaN;
  socket.write(request);
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    const now = monotonicMicros();
    const text = tail + chunk.toString('latin1');
    if (stream.status === 0) stream.status = Number(text.slice(9, 12));
    for (let at = text.indexOf(' t='); at !== -1; at = text.indexOf(' t=', at + 3)) {
      const end = text.indexOf(';', at);
      // Incomplete, or already seen with the chunk before.
      if (end === -1 || end < tail.length) continue;
      const delay = now - Number(text.slice(at + 3, end));
      onFrame(delay, delay - lastDelay);
      lastDelay = delay;
    }
    if (text.includes('data: [DONE]')) {
      stream.isDone = true;
      socket.destroy();
    }
    tail = text.slice(-32);
  });
  return stream;
}

/** Who stops reading or closes half stays a while before going for good. */
function leave(stream: Stream, way: WayToVanish, stayMs: number): void {
  const { socket } = stream;
  if (socket.destroyed) return;
  stream.left = way;
  if (way === 'half-closed') socket.end();
  else if (way === 'stopped reading') socket.pause();
  else if (way === 'reset') return void socket.resetAndDestroy();
  else return void socket.destroy();
  setTimeout(() => socket.destroy(), stayMs);
}

function randomOf<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

function spreadOf(histogram: RecordableHistogram): Spread {
  return {
    p50: histogram.percentile(50) / 1000,
    p99: histogram.percentile(99) / 1000,
    max: histogram.max / 1000,
  };
}
