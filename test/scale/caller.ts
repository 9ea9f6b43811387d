import { type IncomingMessage, request } from 'node:http';

/** One request as its caller saw it. */
export interface Call {
  readonly gateway: number;
  readonly isResumable: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When the last connection broke over which some of it came. */
  readonly brokenAt: number;
  readonly requestId: string | undefined;
  /** `resumed`: broken, and the rest was had afterwards. */
  readonly ending: 'whole' | 'resumed' | 'broken' | 'refused' | 'told of an error' | 'with other words';
  readonly detail: string;
  /** Who was asked for it, when, and what each said. */
  readonly tried?: readonly string[];
}

export const longestAnswerMs = 120_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly isWhole: boolean;
}

/** Undefined when nobody was there: then nothing was sent, and the next one may be asked. */
export function ask(
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
    outgoing.setTimeout(longestAnswerMs, () => outgoing.destroy(new Error('nothing came for too long')));
    let text = '';
    let response: IncomingMessage | undefined;
    const end = (isWhole: boolean) =>
      resolve({ status: response?.statusCode ?? 0, headers: response?.headers ?? {}, text, isWhole });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(undefined);
      else end(false);
    });
    outgoing.on('response', (incoming) => {
      response = incoming;
      incoming.setEncoding('utf8');
      incoming.on('data', (part: string) => (text += part));
      incoming.on('end', () => end(incoming.complete));
      incoming.on('error', () => end(false));
    });
    outgoing.end(body);
  });
}
