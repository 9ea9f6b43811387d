import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Recording } from './recording.ts';

/** Answers with the recording it was told last, of this address if there is one, in as many pieces as wanted. */
export interface ReplayedEngine extends AsyncDisposable {
  readonly url: string;
  play(recording: Recording, pieceBytes?: number): void;
}

export async function startReplayedEngine(): Promise<ReplayedEngine> {
  const played: { readonly recording: Recording; readonly pieceBytes: number }[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const ofPath = played.findLast(({ recording }) => recording.request.path === request.url);
      const playing = ofPath ?? played.at(-1);
      if (playing === undefined) response.writeHead(404).end();
      else void play(playing.recording, playing.pieceBytes, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (recording, pieceBytes = Number.MAX_SAFE_INTEGER) => void played.push({ recording, pieceBytes }),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}

async function play(recording: Recording, pieceBytes: number, response: ServerResponse): Promise<void> {
  response.writeHead(recording.status, recording.headers);
  const bytes = Buffer.from(recording.body);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    response.write(bytes.subarray(at, at + pieceBytes));
    if (pieceBytes < bytes.length) await turn();
  }
  response.end();
}
