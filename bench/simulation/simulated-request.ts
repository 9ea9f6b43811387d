import type { Clock } from '#vocabulary/clock';
import { Cancellation } from '#vocabulary/cancellation';
import type { ModelDefinition } from '#vocabulary/catalogue';
import type { Exchange } from '#vocabulary/exchange';
import type { Identity, IncomingRequest, ParsedRequest } from '#vocabulary/inference';

/** One question as the world of the simulation knows it. */
export interface Question {
  readonly model: ModelDefinition;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly maxOutputTokens: number | undefined;
  readonly sequences: number;
  /** The same text begins all prompts with this name. */
  readonly prefix: { readonly name: string; readonly tokens: number } | undefined;
  /** By a gateway that died. */
  readonly wasAdmitted?: boolean;
}

const bytesPerToken = 4;
const largestBody = Buffer.alloc(1 << 20, 'a');
const prefixedBodies = new Map<string, Buffer>();

export function incomingFrom(secret: string, clock: Clock): IncomingRequest {
  return {
    exchange: exchangeAt(clock),
    door: 'proxy',
    address: '192.0.2.1',
    isAddressCertain: true,
    claim: { kind: 'key', secret },
    asked: 'chat/completions',
    leavesReceipt: false,
    servedHere: undefined,
  };
}

export function parsedFrom(
  { exchange, door, address }: IncomingRequest,
  identity: Identity,
  question: Question,
): ParsedRequest {
  const body = bodyOf(question);
  const messages = {
    kind: 'array',
    keyStart: 0,
    valueStart: 0,
    valueEnd: body.length,
    mayHoldMedia: false,
    entries: 1,
  } as const;
  return {
    exchange,
    door,
    address,
    spoken: 'chat/completions',
    endpoint: 'chat/completions',
    model: question.model,
    envelope: { body, fields: new Map([['messages', messages]]) },
    wantsStream: true,
    wantsUsage: false,
    reasoning: 'none',
    sequences: question.sequences,
    maxOutputTokens: question.maxOutputTokens,
    ignored: [],
    leavesReceipt: false,
    seedSource: undefined,
    share: identity.shareFor(question.model.id),
  };
}

/** Only lengths and beginnings count; the letters behind a beginning are the same for all. */
function bodyOf({ inputTokens, prefix }: Question): Buffer {
  const bytes = Math.min(largestBody.length, inputTokens * bytesPerToken);
  if (prefix === undefined) return largestBody.subarray(0, bytes);
  let body = prefixedBodies.get(prefix.name);
  if (body === undefined || body.length < bytes) {
    body = Buffer.alloc(bytes, `${prefix.name} `);
    prefixedBodies.set(prefix.name, body);
  }
  return body.subarray(0, bytes);
}

function exchangeAt(clock: Clock): Exchange {
  return {
    requestId: 'simulated',
    method: 'POST',
    path: '/api/chat/completions',
    query: '',
    headers: {},
    countHeader: () => 0,
    peerAddress: '192.0.2.1',
    receivedAt: clock.wallMs(),
    startedMs: clock.monotonicMs(),
    cancellation: new Cancellation(),
    reply: nobody,
    memory: { takeForRequest: () => {}, takeForAnswer: () => {}, give: () => {} },
    readBody: () => Promise.resolve(largestBody.subarray(0, 0)),
  };
}

const nobody: Exchange['reply'] = {
  hasBegun: false,
  hasEnded: false,
  bufferedBytes: 0,
  showPlace: () => {},
  announce: () => {},
  begin: () => {},
  write: () => true,
  onDrain: () => {},
  end: () => {},
};
