import { Agent, interceptors, request } from 'undici';

export interface Question {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly socketPath?: string | undefined;
  /** Only towards our own service: its name is not the address at which we ask. */
  readonly acceptsAnyCertificate?: boolean;
  readonly followsRedirects?: boolean;
  readonly limitMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
  /** How far our clock is ahead of theirs; undefined when they do not say. */
  readonly skewMs: number | undefined;
  header(name: string): string | undefined;
  /** Undefined when the text is no JSON. */
  json(): unknown;
}

/** A whole answer, or an error whose message is fit to be shown. */
export async function ask(question: Question): Promise<Reply> {
  const limitMs = question.limitMs ?? 20_000;
  const agent = new Agent({
    connect: {
      timeout: Math.min(5_000, limitMs),
      ...(question.socketPath !== undefined && { socketPath: question.socketPath }),
      ...(question.acceptsAnyCertificate === true && { rejectUnauthorized: false }),
    },
  });
  const dispatcher =
    question.followsRedirects === true ? agent.compose(interceptors.redirect({ maxRedirections: 3 })) : agent;
  const begunMs = performance.now();
  try {
    const response = await request(question.url, {
      method: question.method ?? 'GET',
      headers: { ...question.headers },
      ...(question.body !== undefined && { body: question.body }),
      dispatcher,
      signal: AbortSignal.timeout(limitMs),
    });
    const { date } = response.headers;
    const skewMs = typeof date === 'string' ? skewTo(date) : undefined;
    const text = await response.body.text();
    return {
      status: response.statusCode,
      text,
      tookMs: performance.now() - begunMs,
      skewMs,
      header: (name) => {
        const value = response.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      json: () => parse(text),
    };
  } catch (cause) {
    throw new Error(explain(cause, limitMs), { cause });
  } finally {
    await agent.destroy();
  }
}

/** The header has whole seconds, so half a second is the best guess for the rest. */
function skewTo(date: string): number | undefined {
  const theirs = Date.parse(date);
  return Number.isNaN(theirs) ? undefined : Date.now() - theirs - 500;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was cut',
  ENOENT: 'the socket is not there',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 5 seconds',
  UND_ERR_SOCKET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by nobody we know (NODE_EXTRA_CA_CERTS names more)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody we know (NODE_EXTRA_CA_CERTS names more)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes without its chain, or is signed by nobody we know (NODE_EXTRA_CA_CERTS names more)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

function explain(cause: unknown, limitMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `no answer within ${Math.round(limitMs / 1000)} seconds`;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const code = (inner as { code?: string }).code ?? (cause as { code?: string }).code ?? '';
  return meanings[code] ?? (code === '' ? cause.message : `${cause.message} (${code})`);
}
