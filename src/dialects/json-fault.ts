import { Refusal } from '#vocabulary/refusal';

/** The refusal of a body that no JSON parser can read, with the place; undefined when it is JSON. Shows nothing of it. */
export function jsonFault(body: Buffer): Refusal | undefined {
  try {
    JSON.parse(body.toString());
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const reason = /^(.*?)(?: in JSON at position|, )/.exec(said)?.[1] ?? 'it cannot be read';
    const place = /\((line \d+ column \d+)\)/.exec(said)?.[1];
    const advice = reason.startsWith('Bad control character')
      ? ' Write line breaks inside a string as \\n.'
      : '';
    return new Refusal(
      'invalid_json',
      `The request body is not valid JSON: ${reason}${place === undefined ? '' : ` (${place})`}.${advice}`,
    );
  }
}
