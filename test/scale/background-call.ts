import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, type Call, longestAnswerMs } from './caller.ts';

/**
 * One response in the background: asked for at whichever gateway takes it, and then looked for at all of them in turn
 * until it is written. From the moment in which its caller knows its id, nobody's death may lose it.
 */
export async function callInBackground(gateways: readonly string[], secret: string): Promise<Call> {
  const startedAt = performance.now();
  const words = 5 + Math.floor(Math.random() * 15);
  const body = JSON.stringify({ model: 'm', input: `words=${words}`, background: true });
  const authorization = `Bearer ${secret}`;
  const headers = {
    authorization,
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  let gateway = Math.floor(Math.random() * gateways.length);
  let begun = await ask(`${gateways[gateway]}/api/responses`, headers, body);
  while (begun === undefined || isToComeAgain(begun)) {
    await sleep(100);
    gateway = (gateway + 1) % gateways.length;
    begun = await ask(`${gateways[gateway]}/api/responses`, headers, body);
  }
  const brokenAt = performance.now();
  const requestId = begun.headers['x-request-id'] as string | undefined;
  const isBegun = begun.isWhole && begun.status === 200;
  const answer = isBegun ? await untilWritten(gateways, begun, authorization) : begun;
  const ending = isBegun ? judge(answer, words) : begun.isWhole ? 'refused' : 'broken';
  const detail =
    ending === 'resumed'
      ? ''
      : `${words} words asked for, ${answer.status}: ${/"status":"\w+"/.exec(answer.text)?.[0]} ${/"error":(?:null|\{[^}]*\})/.exec(answer.text)?.[0]}`;
  return {
    gateway,
    isResumable: isBegun,
    startedAt,
    endedAt: performance.now(),
    brokenAt,
    requestId,
    ending,
    detail,
  };
}

/** Too many are under way, or the database is away: nothing was begun. */
function isToComeAgain({ status }: Answer): boolean {
  return status === 429 || status === 503;
}

async function untilWritten(
  gateways: readonly string[],
  begun: Answer,
  authorization: string,
): Promise<Answer> {
  const { id } = JSON.parse(begun.text) as { id: string };
  const giveUpAt = performance.now() + longestAnswerMs;
  let last = begun;
  for (let turn = 0; performance.now() < giveUpAt; turn++) {
    await sleep(200);
    const found = await ask(`${gateways[turn % gateways.length]}/api/responses/${id}`, { authorization });
    if (found === undefined || !found.isWhole || isToComeAgain(found)) continue;
    last = found;
    if (!/"status":"(?:queued|in_progress)"/.test(found.text)) break;
  }
  return last;
}

/** Whether it was gone on with cannot be seen from outside. */
function judge({ status, text }: Answer, words: number): Call['ending'] {
  if (status !== 200) return 'refused';
  const { status: state, output } = JSON.parse(text) as { status: string; output: unknown };
  if (state === 'failed') return 'told of an error';
  const said = JSON.stringify(output).match(/w\d+ /g) ?? [];
  const isRight = said.length === words && said.every((word, index) => word === `w${index} `);
  return state === 'completed' && isRight ? 'resumed' : 'with other words';
}
