const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxSide = 1024;

/** What is wrong with this picture; undefined when it is a PNG from its first byte to its last. */
export function checkPng(bytes: Buffer): string | undefined {
  if (!bytes.subarray(0, 8).equals(signature)) return 'It is not a PNG picture.';
  let position = 8;
  for (let chunk = 0; position + 12 <= bytes.length; chunk++) {
    const length = bytes.readUInt32BE(position);
    const type = bytes.toString('latin1', position + 4, position + 8);
    const end = position + 12 + length;
    if (end > bytes.length || !/^[a-zA-Z]{4}$/.test(type)) break;
    if (chunk === 0) {
      if (type !== 'IHDR' || length !== 13) break;
      const [width, height] = [bytes.readUInt32BE(position + 8), bytes.readUInt32BE(position + 12)];
      if (width === 0 || height === 0 || width > maxSide || height > maxSide)
        return `It must have between 1 and ${maxSide} dots on each side.`;
    }
    // Something behind the end would be another file in the same bytes.
    if (type === 'IEND') return end === bytes.length ? undefined : 'Something follows behind the picture.';
    position = end;
  }
  return 'The PNG picture is cut off or damaged.';
}
