import type { EngineStream } from '#vocabulary/inference';

/** The text of an error answer, up to 64 KB of it. */
export function readSmallBody(stream: EngineStream): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => resolve(Buffer.concat(chunks).toString('utf8'));
    stream.read({
      chunkArrived(chunk) {
        bytes += chunk.length;
        if (bytes <= 64 * 1024) chunks.push(Buffer.from(chunk));
        else stream.cancel();
      },
      ended: finish,
      failed: finish,
    });
  });
}
