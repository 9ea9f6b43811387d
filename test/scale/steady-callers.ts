import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { namedAnswerId } from '#continuity';
import type { MadeKey } from '#harness/key-office';
import { callInBackground } from './background-call.ts';
import { type Answer, ask, type Call } from './caller.ts';

export interface SteadyCallers {
  readonly calls: readonly Call[];
  /** Lets everybody finish what they have begun. */
  over(): Promise<void>;
}

/**
 * Callers who ask again and again, each time another gateway, as a balancer without sticky sessions sends them: one
 * that cannot be reached is passed over. Every third gives its answer a name (`Gatehouse-Resume`) and asks for it until it
 * has all of it, every fifth asks for a whole answer, every seventh for a response in the background.
 */
export function startCallers(gateways: readonly string[], count: number, key: MadeKey): SteadyCallers {
  const calls: Call[] = [];
  const end = new AbortController();
  const callers = Array.from({ length: count }, async (_, index) => {
    while (!end.signal.aborted) {
      const isInBackground = index % 7 === 4;
      calls.push(
        await (isInBackground ? callInBackground(gateways, key.secret) : callOnce(gateways, key, index)),
      );
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

async function callOnce(gateways: readonly string[], key: MadeKey, caller: number): Promise<Call> {
  const startedAt = performance.now();
  const isStream = caller % 5 !== 0;
  const isResumable = caller % 3 === 0;
  const words = 5 + Math.floor(Math.random() * 15);
  const body = JSON.stringify({
    model: 'm',
    stream: isStream,
    messages: [{ role: 'user', content: `words=${words}` }],
  });
  const name = randomUUID();
  const headers = {
    authorization: `Bearer ${key.secret}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...(isResumable && { 'gatehouse-resume': `60; name=${name}` }),
  };
  const tried = isResumable ? [`in the logs: ${namedAnswerId(key.id, name)}`] : [];
  const note = (at: number, { status, text }: Answer) => {
    const why = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    tried.push(`${Math.round(performance.now() - startedAt)} ms: gateway ${at + 1} ${status} ${why}`);
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
  note(gateway, answer);
  let ending = judge(answer, isStream, words);
  let brokenAt = performance.now();
  if (ending === 'broken' && isResumable) {
    const asked = { headers, body };
    const all = await readOn(gateways, asked, isStream, answer.text, (at, part) => {
      note(at, part);
      if (part.status === 200 && !part.isWhole) brokenAt = performance.now();
    });
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
  return { gateway, isResumable, startedAt, endedAt, brokenAt, requestId, ending, detail, tried };
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

/** The rest of an answer, or all of a whole one, from whichever gateway has it: in the same words under the same name. */
async function readOn(
  gateways: readonly string[],
  { headers, body }: { readonly headers: Record<string, string>; readonly body: string },
  isStream: boolean,
  before: string,
  onAnswer: (gateway: number, answer: Answer) => void,
): Promise<Answer | undefined> {
  let whole = wholeFrames(before);
  for (let turn = 0; turn < 10; turn += 1) {
    for (const [at, gateway] of gateways.entries()) {
      const last = [...whole.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
      const position = last === undefined ? headers : { ...headers, 'last-event-id': last };
      const answer = await ask(`${gateway}/api/chat/completions`, position, body);
      if (answer !== undefined) onAnswer(at, answer);
      if (answer?.status !== 200) continue;
      if (!isStream && answer.isWhole) return answer;
      whole += wholeFrames(answer.text);
      if (answer.isWhole) return { ...answer, text: whole };
    }
    await sleep(1000);
  }
  return undefined;
}

/** What a client takes of an answer that broke off. */
function wholeFrames(text: string): string {
  return text.slice(0, text.lastIndexOf('\n\n') + 2);
}
