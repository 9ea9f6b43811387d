import { autoOrSize, duration, durationOrOff, size, wholeNumber } from './checks.ts';
import { knob, section } from './knob.ts';

const hourMs = 3_600_000;

export const limitFields = {
  maxBody: knob(size(1024, 1024 ** 3, '32MiB'), {
    fallback: '32MiB',
    meaning:
      'Largest request body of an inference request; the web page and its sign-in take less, each address as much as it needs.',
  }),
  totalBuffered: knob(autoOrSize(1024 ** 2, 1024 ** 4, '2GiB'), {
    fallback: 'auto',
    meaning:
      'Bytes of requests and unread answers that are kept in memory at a time, of all callers together; one address may fill a quarter, all addresses of one IPv6 /64 half of it. Beyond, requests are refused with 503 or 429. `auto` is an eighth of the memory.',
  }),
  maxHeader: knob(size(1024, 1024 ** 2, '16KiB'), {
    fallback: '16KiB',
    meaning: 'All header lines of a request together.',
  }),
  headerTimeout: knob(duration(100, hourMs, '15s'), {
    fallback: '15s',
    meaning: 'Time a caller has to send the header of a request.',
  }),
  bodyTimeout: knob(duration(100, hourMs, '60s'), {
    fallback: '60s',
    meaning: 'Time a caller has to send the body, after its headers.',
  }),
  slowReader: knob(duration(1000, 24 * hourMs, '2m'), {
    fallback: '2m',
    meaning:
      'A caller who takes nothing of what waits for them, of whatever kind, for this long is cut off; at the latest after twice this time.',
  }),
  maxConnections: knob(wholeNumber(1, 1_000_000), {
    fallback: 10_000,
    meaning: 'Open connections of callers, streams of HTTP/2 included; more are not accepted.',
  }),
  maxConnectionsPerAddress: knob(wholeNumber(1, 1_000_000), {
    fallback: 2000,
    meaning:
      'Open connections of one address, and requests of one address that are answered at a time. All addresses of one IPv6 /64 together have half of `limits.maxConnections` at most. Trusted proxies may have more; the callers behind them are counted each.',
  }),
  waitingLine: section('Requests that wait for a place at an engine.', {
    maxWaiting: knob(wholeNumber(0, 1_000_000), {
      fallback: 4096,
      meaning:
        'Requests that may wait for the same engines. When more come, the newest of whoever holds most of the line is refused with 429.',
    }),
    maxWaitingPerMember: knob(wholeNumber(0, 1_000_000), {
      fallback: 256,
      meaning: 'Requests of one person, or of one address without a key, that may wait for the same engines.',
    }),
    maxRunningPerMember: knob(wholeNumber(1, 1_000_000), {
      fallback: 100_000,
      meaning: 'Answers that the same engines write for one person or address at once; further ones wait.',
    }),
    maxWait: knob(duration(1, 24 * hourMs, '2m'), {
      fallback: '2m',
      meaning: 'A request that has waited this long is refused with 429.',
    }),
  }),
  resume: section(
    'Answers that go on when their reader is cut off, for callers who send `Gatehouse-Resume` (docs/scale.md).',
    {
      longest: knob(durationOrOff(1000, hourMs, '5m'), {
        fallback: '5m',
        meaning: 'The longest time for which an answer waits for its reader.',
      }),
      maxPerKey: knob(wholeNumber(0, 10_000), {
        fallback: 32,
        meaning: 'Answers that are kept at a time for one API key; further ones end with their reader.',
      }),
      bytesPerKey: knob(size(1024, 1024 ** 3, '16MiB'), {
        fallback: '16MiB',
        meaning: 'Bytes of answers that are kept for one API key; the oldest frames that were sent go first.',
      }),
      totalBytes: knob(size(1024, 1024 ** 4, '256MiB'), {
        fallback: '256MiB',
        meaning: 'Bytes of answers that are kept for all API keys together.',
      }),
    },
  ),
  storagePerPerson: knob(size(1024 ** 2, 1024 ** 4, '256MiB'), {
    fallback: '256MiB',
    meaning:
      'What the chats and documents of one person may take in the database; more is refused until some are deleted.',
  }),
  storagePerProject: knob(size(1024 ** 2, 1024 ** 4, '1GiB'), {
    fallback: '1GiB',
    meaning:
      'What the documents in the space of one project may take in the database; more are refused until some are removed.',
  }),
  documentSize: knob(size(1024, 1024 ** 3, '64MiB'), {
    fallback: '64MiB',
    meaning: 'Largest document or picture that people may bring into a chat.',
  }),
  documentsTotal: knob(size(1024 ** 2, 1024 ** 5, '64GiB'), {
    fallback: '64GiB',
    meaning: 'What the documents of all people together may take in the database; more are refused.',
  }),
  maxOutputTokens: knob(wholeNumber(1, 100_000_000), {
    fallback: 131_072,
    meaning: 'Highest `max_tokens`, `max_completion_tokens` and `min_tokens` a request may ask for.',
  }),
  maxChoices: knob(wholeNumber(1, 1024), {
    fallback: 16,
    meaning: 'Highest `n` and `best_of`.',
  }),
  maxPrompts: knob(wholeNumber(1, 100_000), {
    fallback: 128,
    meaning: 'Most prompts in one text completion request.',
  }),
  maxTools: knob(wholeNumber(0, 100_000), {
    fallback: 128,
    meaning: 'Most `tools` in one request.',
  }),
  maxStopStrings: knob(wholeNumber(0, 1024), {
    fallback: 16,
    meaning: 'Most `stop` strings in one request.',
  }),
  maxLogprobs: knob(wholeNumber(0, 1000), {
    fallback: 20,
    meaning: 'Highest `logprobs` and `top_logprobs`.',
  }),
  maxJsonDepth: knob(wholeNumber(4, 1000), {
    fallback: 64,
    meaning: 'How deeply the JSON of a request may be nested.',
  }),
  maxJsonValues: knob(wholeNumber(1000, 100_000_000), {
    fallback: 500_000,
    meaning: 'How many values and brackets the JSON of a request may hold.',
  }),
  engineSilence: knob(durationOrOff(1000, 24 * hourMs, '10m'), {
    fallback: '10m',
    meaning: 'An engine that gives no sign of life for this long, before or within an answer, has failed.',
  }),
};
