import type { ProjectStanding } from '#contract/projects';
import type { enPages } from '../language/en/pages.ts';

/** `100 requests per minute for gamma`, in a list of facts. */
export function describeLimit(
  { limit, amount, modelId }: Pick<ProjectStanding, 'limit' | 'amount' | 'modelId'>,
  words: (typeof enPages)['standing'],
  tag: string,
): string {
  const told = `${words.limits[limit]}: ${new Intl.NumberFormat(tag).format(amount)}`;
  return modelId === null ? told : `${told} ${words.forModel(modelId)}`;
}
