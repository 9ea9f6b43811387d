/** The beginning of a body, as long as an honest one may be: an engine that never stops talking is not listened to. */
export async function readSome(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
