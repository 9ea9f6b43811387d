import type { Host } from './hosts.ts';

/** One process per host for the whole run; it asks what it is told to ask. */
export interface Caller {
  send(sent: SentRequest): Promise<Reply>;
  sendAll(requests: readonly SentRequest[]): Promise<Reply[]>;
  /** Resolves once that many frames have arrived; the stream goes on. */
  beginStream(request: SentRequest, untilFrames: number): Promise<number>;
  /** Resolves with the number of frames that came after this call: as many as asked for unless the stream ends. */
  followStream(stream: number, furtherFrames: number): Promise<number>;
  /** Closes the connection in the middle of the answer. */
  leaveStream(stream: number): Promise<StreamResult>;
  /** Resolves when the stream is over. */
  awaitStream(stream: number): Promise<StreamResult>;
  useClient(use: Omit<CallerTask & { kind: 'use-client' }, 'kind'>): Promise<ClientResult>;
  readCertificate(hostname: string): Promise<string>;
  /** Says each of these on a bare connection to port 443; resolves when the other side has closed them all. */
  speakPlainly(hostname: string, words: readonly string[]): Promise<void>;
}

export interface SentRequest {
  readonly url: string;
  /** Sent in the request line as it stands, instead of the path of the URL. */
  readonly target?: string;
  /** Connects here instead of to the host of the URL. */
  readonly at?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface StreamResult {
  readonly status: number;
  readonly frames: number;
  /** Ended as HTTP and as the dialect say. */
  readonly isWhole: boolean;
}

export interface ClientResult {
  readonly models: readonly string[];
  readonly chat: string;
  readonly streamed: string;
  readonly finishReason: string | null;
  readonly completion: string | undefined;
}

export type CallerTask =
  | { readonly kind: 'send'; readonly requests: readonly SentRequest[] }
  | { readonly kind: 'begin-stream'; readonly request: SentRequest; readonly untilFrames: number }
  | { readonly kind: 'follow-stream'; readonly stream: number; readonly furtherFrames: number }
  | { readonly kind: 'leave-stream' | 'await-stream'; readonly stream: number }
  | {
      readonly kind: 'use-client';
      readonly baseUrl: string;
      readonly apiKey: string;
      readonly model: string;
      readonly hasCompletions: boolean;
    }
  | { readonly kind: 'read-certificate'; readonly hostname: string }
  | { readonly kind: 'speak-plainly'; readonly hostname: string; readonly words: readonly string[] };

export function startCaller(host: Host, authorityFile: string): Caller {
  const child = host.fork(new URL('caller-program.ts', import.meta.url).pathname, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile },
  });
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  child.on('message', ({ id, result, problem }: { id: number; result: unknown; problem?: string }) => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (problem === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(problem));
  });
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error(`The caller on ${host.name} ended.`));
  });
  // The run may end while the caller still listens.
  child.unref();
  child.channel?.unref();

  const perform = async <Result>(task: CallerTask): Promise<Result> => {
    lastId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(lastId, { resolve, reject });
    child.send({ id: lastId, task });
    return (await promise) as Result;
  };
  const sendAll = (requests: readonly SentRequest[]) => perform<Reply[]>({ kind: 'send', requests });
  return {
    sendAll,
    send: async (sent) => (await sendAll([sent]))[0]!,
    beginStream: (request, untilFrames) => perform({ kind: 'begin-stream', request, untilFrames }),
    followStream: (stream, furtherFrames) => perform({ kind: 'follow-stream', stream, furtherFrames }),
    leaveStream: (stream) => perform({ kind: 'leave-stream', stream }),
    awaitStream: (stream) => perform({ kind: 'await-stream', stream }),
    useClient: (use) => perform({ kind: 'use-client', ...use }),
    readCertificate: (hostname) => perform({ kind: 'read-certificate', hostname }),
    speakPlainly: (hostname, words) => perform({ kind: 'speak-plainly', hostname, words }),
  };
}
