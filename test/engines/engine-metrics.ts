import { send } from '#harness/http-client';

/** The sum of a metric over its labels, read from the engine itself. */
export async function readMetric(engineUrl: string, name: string): Promise<number> {
  const { text } = await send(`${engineUrl}/metrics`);
  return text
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
