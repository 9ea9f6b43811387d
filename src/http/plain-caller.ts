import type { Socket } from 'node:net';
import { Refusal } from '#vocabulary/refusal';
import { refusalText } from './client-error.ts';

/** How the first message of a TLS handshake begins. */
const handshakeByte = 0x16;

/**
 * Listens to the first byte of a caller. Who speaks HTTP without encryption is told where they are, instead of nothing;
 * who begins a handshake, and so almost everybody, is handed on with what they have sent.
 */
export function sortOutPlainCaller(
  socket: Socket,
  waitMs: number,
  onHandshake: (socket: Socket) => void,
): void {
  const leave = () => void socket.destroy();
  const waiting = setTimeout(leave, waitMs);
  // The closing is what counts.
  socket.on('error', () => {});
  socket.once('close', () => clearTimeout(waiting));
  socket.once('end', leave);
  socket.once('data', (bytes: Buffer) => {
    if (bytes[0] === handshakeByte) {
      clearTimeout(waiting);
      socket.off('end', leave);
      socket.pause();
      socket.unshift(bytes);
      onHandshake(socket);
    } else if (/^[A-Z]+ /.test(bytes.toString('latin1', 0, 32))) {
      socket.end(refusalText(encryptionNeeded()));
      socket.resume();
    } else leave();
  });
}

function encryptionNeeded(): Refusal {
  return new Refusal(
    'invalid_request',
    'This address is encrypted. Write https:// instead of http:// before it.',
  );
}
