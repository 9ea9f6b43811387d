/** Meaning lies in the direction of a vector: a signed byte for each number, against the largest, is enough of it. */
export function toBytes(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  return Int8Array.from(vector, (number) => (largest === 0 ? 0 : Math.round((number / largest) * 127)));
}

/** The cosine of the angle between them, but for the length of the question, which is the same for all. */
export function nearness(question: Float32Array, passage: Int8Array): number {
  let product = 0;
  let square = 0;
  for (let index = 0; index < passage.length; index++) {
    const number = passage[index] ?? 0;
    product += (question[index] ?? 0) * number;
    square += number * number;
  }
  return square === 0 ? 0 : product / Math.sqrt(square);
}
