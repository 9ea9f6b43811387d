import assert from 'node:assert/strict';
import { waitUntil } from '#harness/wait-until';
import { consoleRoutes, type RequestOf, type ResponseOf, type RouteName } from '#contract/routes';
import type { GenerationEvent, PersonEvent } from '#contract/generations';
import { errorBody } from '#contract/errors';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface Loose {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly [parameter: string]: unknown;
}

/** A browser without a page: keeps cookies, sends the token, and checks every answer against the contract. */
export class Visitor {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  csrfToken = 'signed-out';

  constructor(url: string) {
    this.#url = url;
  }

  /** Anything, right or wrong. */
  async raw(
    method: string,
    path: string,
    given: { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      // A fuse: a stream that should have been refused would never end.
      signal: AbortSignal.timeout(60_000),
      headers: { cookie: this.#cookieHeader(), ...given.headers },
      ...(given.body !== undefined && { body: given.body }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : text,
    };
  }

  async call(name: RouteName, given: Loose = {}): Promise<Answer> {
    const [method = '', pattern = ''] = name.split(' ');
    const path = pattern.replace(/:(\w+)/g, (_, parameter: string) => String(given[parameter]));
    const query = new URLSearchParams(
      Object.entries(given.query ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const answer = await this.raw(method, query.size === 0 ? path : `${path}?${query.toString()}`, {
      headers: {
        ...(method !== 'GET' && {
          'x-csrf-token': this.csrfToken,
          'sec-fetch-site': 'same-origin',
          origin: this.#url,
        }),
        ...(given.body !== undefined && { 'content-type': 'application/json' }),
        ...(given.bytes !== undefined && { 'content-type': 'application/octet-stream' }),
        ...given.headers,
      },
      ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
      ...(given.bytes !== undefined && { body: given.bytes }),
    });
    const route: { response?: { parse(body: unknown): unknown }; answer: string } = consoleRoutes[name];
    if (answer.status >= 400) errorBody.parse(answer.body);
    else if (route.answer === 'json') {
      // Parsing drops what the contract does not name: nothing may be lost.
      assert.deepEqual(
        route.response?.parse(answer.body),
        answer.body,
        `${name} answers more than the contract says`,
      );
      const { csrfToken } = answer.body as { csrfToken?: unknown };
      if (typeof csrfToken === 'string') this.csrfToken = csrfToken;
    }
    return answer;
  }

  async ok<Name extends RouteName>(
    name: Name,
    given?: RequestOf<Name> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<ResponseOf<Name>> {
    const answer = await this.call(name, (given ?? {}) as Loose);
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    return answer.body as ResponseOf<Name>;
  }

  async refused(name: RouteName, status: number, code: string, given: Loose = {}): Promise<Answer> {
    const answer = await this.call(name, given);
    assert.equal(answer.status, status, `${name}: ${answer.text}`);
    assert.equal(errorBody.parse(answer.body).error.code, code);
    return answer;
  }

  /** Opens the event stream and keeps what arrives: from then on, nothing is missed. */
  async listen(after = ''): Promise<Listening<PersonEvent>> {
    const events: PersonEvent[] = [];
    const listening = this.#listen(events, after, (event) => void events.push(event));
    await listening.until(({ type }) => type === 'hello');
    return listening;
  }

  /** One answer alone, each event with its number, until it ends. */
  listenToAnswer(generationId: string, after?: number): Listening<GenerationEvent> & Numbered {
    const events: GenerationEvent[] = [];
    const sequences: number[] = [];
    const listening = this.#listen(
      events,
      after === undefined ? '' : `${generationId}:${after}`,
      (event, stop) => {
        if (event.type !== 'answer' || event.generationId !== generationId) return;
        events.push(event.event);
        sequences.push(event.sequence);
        if (event.event.type === 'ended') stop();
      },
    );
    return Object.assign(listening, { sequences });
  }

  #listen<Event>(
    events: readonly Event[],
    after: string,
    arrived: (event: PersonEvent, stop: () => void) => void,
  ): Listening<Event> {
    const abort = new AbortController();
    const listening: Listening<Event> = {
      events,
      isOver: false,
      close: () => abort.abort(),
      until: (isThere) => waitUntil('an event arrives', () => events.find(isThere)),
      over: () => waitUntil('the stream ends', () => listening.isOver || undefined).then(() => {}),
    };
    void this.#read(after, abort, (event) => arrived(event, listening.close)).finally(() => {
      listening.isOver = true;
    });
    return listening;
  }

  async #read(after: string, abort: AbortController, arrived: (event: PersonEvent) => void): Promise<void> {
    try {
      const response = await fetch(`${this.#url}/console/events?after=${after}`, {
        headers: { cookie: this.#cookieHeader() },
        signal: abort.signal,
      });
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data !== undefined && !frame.startsWith('event: beat'))
            arrived(JSON.parse(data) as PersonEvent);
        }
      }
    } catch (cause) {
      if (!abort.signal.aborted) throw cause;
    }
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0/.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

interface Numbered {
  readonly sequences: readonly number[];
}

export interface Listening<Event> {
  readonly events: readonly Event[];
  isOver: boolean;
  close(): void;
  until(isThere: (event: Event) => boolean): Promise<NonNullable<Event>>;
  over(): Promise<void>;
}
