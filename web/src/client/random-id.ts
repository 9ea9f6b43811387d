/** `crypto.randomUUID` exists only on https and localhost; people run services on plain http inside a house too. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
