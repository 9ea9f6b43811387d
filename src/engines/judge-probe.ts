/** What is wrong with the answer to a test generation; undefined when there is text in it, as there should be. */
export function judgeProbe(status: number, body: string): string | undefined {
  // Some engines serve models that do not complete text; their refusal shows that they work.
  if (isOtherKind(status)) return undefined;
  if (status !== 200) return `a test generation was answered ${status}`;
  try {
    const { choices } = JSON.parse(body) as { choices?: { text?: unknown }[] };
    return typeof choices?.[0]?.text === 'string' ? undefined : 'a test generation came back without text';
  } catch {
    return 'a test generation came back as something other than JSON';
  }
}

/** Whether an engine that answers so may serve something else than what it was asked for. */
export function isOtherKind(status: number): boolean {
  return status === 501 || (status >= 400 && status < 500 && ![401, 403, 429].includes(status));
}
