import type { ChatAsk, ChatInference } from '#vocabulary/chat-inference';
import { waitUntil } from '#harness/wait-until';

/** One answer that the test writes word by word. */
export interface PuppetAnswer {
  readonly ask: ChatAsk;
  say(content: string): void;
  think(reasoning: string): void;
  send(chunk: object): void;
  /** With a proper end and usage. */
  finish(): void;
  refuse(status: number, code: string): void;
  /** The stream stops without an end, as when an engine dies. */
  cut(): void;
}

export interface PuppetInference extends ChatInference {
  readonly answers: readonly PuppetAnswer[];
  /** The answer to the nth request, counted from 0; waits until it is asked for. */
  answer(ask: ChatAsk): Promise<void>;
  asked(index: number): Promise<PuppetAnswer>;
  /** Titles are asked for with few tokens; they are refused unless the test says what they shall be. */
  title: string | undefined;
  abandon(): void;
}

export function createPuppetInference(): PuppetInference {
  const answers: PuppetAnswer[] = [];
  let isAbandoned = false;
  const puppet: PuppetInference = {
    answers,
    title: undefined,
    answer(ask) {
      if (isAbandoned) return new Promise(() => {});
      return new Promise((resolve) => {
        const answer = play(ask, resolve);
        if (ask.request['max_tokens'] !== 24) {
          answers.push(answer);
          return;
        }
        if (puppet.title === undefined) answer.refuse(503, 'engine_unavailable');
        else {
          answer.say(puppet.title);
          answer.finish();
        }
      });
    },
    asked: (index) => waitUntil(`request ${index} reaches the engine`, () => answers[index]),
    abandon() {
      isAbandoned = true;
    },
  };
  return puppet;
}

function play(ask: ChatAsk, resolve: () => void): PuppetAnswer {
  const { reply, cancellation } = ask;
  cancellation.onCancel(() => {
    if (!reply.hasEnded) reply.end();
    resolve();
  });
  const send = (chunk: object) => {
    if (!reply.hasBegun) reply.begin(200, ['content-type', 'text/event-stream']);
    reply.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (fields: object) => send({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
  return {
    ask,
    send,
    say: (content) => delta({ content }),
    think: (reasoning) => delta({ reasoning_content: reasoning, reasoning }),
    finish() {
      send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
      send({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });
      reply.end('data: [DONE]\n\n');
      resolve();
    },
    refuse(status, code) {
      reply.begin(status, ['content-type', 'application/json']);
      reply.end(
        JSON.stringify({ error: { message: 'No engine.', type: 'server_error', param: null, code } }),
      );
      resolve();
    },
    cut() {
      reply.end();
      resolve();
    },
  };
}
