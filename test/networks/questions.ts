/** The models of the contract with their direct paths. */
export const models: readonly (readonly [id: string, path: string])[] = [
  ['alpha-R1', 'engine-b'],
  ['beta-4-scout', 'beta-4-scout'],
  ['gamma-oss-120b', 'gamma-oss-120b'],
];

export function chat(model: string, more: object = {}): object {
  return { model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 8, ...more };
}

/** Would go on for as long as the context allows: for what happens while an answer is under way. */
export function longAnswer(model: string): object {
  return { model, prompt: 'Once upon a time', max_tokens: 1900, ignore_eos: true, stream: true };
}
