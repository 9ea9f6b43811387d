import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

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
}

export interface SteadyCallers {
  readonly calls: readonly Call[];
  /** Lets everybody finish what they have begun. */
  over(): Promise<void>;
}

/**
 * Callers who ask again and again, each time another gateway, as a balancer without sticky sessions sends them: one
 * that cannot be reached is passed over. Every third gives its answer a name (`Gatehouse-Resume`) and asks for it until it
 * has all of it, every fifth asks for a whole answer.
 */
export function startCallers(gateways: readonly string[], count: number, secret: string): SteadyCallers {
  const calls: Call[] = [];
  const end = new AbortController();
  const callers = Array.from({ length: count }, async (_, index) => {
    while (!end.signal.aborted) {
      calls.push(await callOnce(gateways, secret, index));
      await sleep(Math.random() * 200);
    }
  });
  return {
    calls,
    async over() {
      end.abort();
      await Promise.all(callers);
    },
  };
}

const longestAnswerMs = 120_000;

async function callOnce(gateways: readonly string[], secret: string, caller: number): Promise<Call> {
  const startedAt = performance.now();
  const isStream = caller % 5 !== 0;
  const isResumable = isStream && caller % 3 === 0;
  const words = 5 + Math.floor(Math.random() * 15);
  const body = JSON.stringify({
    model: 'm',
    stream: isStream,
    messages: [{ role: 'user', content: `words=${words}` }],
  });
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...(isResumable && { 'gatehouse-resume': `60; name=${randomUUID()}` }),
  };
  let gateway = Math.floor(Math.random() * gateways.length);
  let answer: Answer | undefined;
  while (answer === undefined) {
    answer = await ask(`${gateways[gateway]}/api/chat/completions`, headers, body);
    if (answer === undefined) {
      gateway = (gateway + 1) % gateways.length;
      await sleep(50);
    }
  }
  const requestId = answer.headers['x-request-id'] as string | undefined;
  let ending = judge(answer, isStream, words);
  let brokenAt = performance.now();
  if (ending === 'broken' && isResumable) {
    const asked = { headers, body };
    const all = await readOn(gateways, asked, answer.text, () => (brokenAt = performance.now()));
    const judged = all === undefined ? 'broken' : judge(all, isStream, words);
    ending = judged === 'whole' ? 'resumed' : judged;
    answer = all ?? answer;
  }
  const said = answer.text.match(/w\d+ /g)?.join('');
  const detail =
    ending === 'whole'
      ? ''
      : `${words} words asked for, ${answer.status}: ${said} ${answer.text.slice(-300)}`;
  const endedAt = performance.now();
  return { gateway, isResumable, startedAt, endedAt, brokenAt, requestId, ending, detail };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly isWhole: boolean;
}

/** Undefined when nobody was there: then nothing was sent, and the next one may be asked. */
function ask(url: string, headers: Record<string, string>, body?: string): Promise<Answer | undefined> {
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

function judge({ status, text, isWhole }: Answer, isStream: boolean, words: number): Call['ending'] {
  if (status === 0 || !isWhole) return 'broken';
  if (status !== 200) return 'refused';
  if (/^event: error|"error":\{/m.test(text)) return 'told of an error';
  const said = text.match(/w\d+ /g) ?? [];
  const isRight = said.length === words && said.every((word, index) => word === `w${index} `);
  if (!isRight || (isStream && !text.includes('data: [DONE]'))) return 'with other words';
  return 'whole';
}

/** The rest of an answer, from whichever gateway has it: asked for in the same words under the same name. */
async function readOn(
  gateways: readonly string[],
  { headers, body }: { readonly headers: Record<string, string>; readonly body: string },
  before: string,
  onBreak: () => void,
): Promise<Answer | undefined> {
  let whole = wholeFrames(before);
  for (let turn = 0; turn < 10; turn += 1) {
    for (const gateway of gateways) {
      const last = [...whole.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
      const position = last === undefined ? headers : { ...headers, 'last-event-id': last };
      const answer = await ask(`${gateway}/api/chat/completions`, position, body);
      if (answer?.status !== 200) continue;
      whole += wholeFrames(answer.text);
      if (answer.isWhole) return { ...answer, text: whole };
      onBreak();
    }
    await sleep(1000);
  }
  return undefined;
}

/** What a client takes of an answer that broke off. */
function wholeFrames(text: string): string {
  return text.slice(0, text.lastIndexOf('\n\n') + 2);
}
