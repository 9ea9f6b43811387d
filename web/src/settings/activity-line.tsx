import type { Activity } from '#contract/audit';
import { Moment } from '../design/moment.tsx';
import { usePagesWords } from '../language/pages-words.ts';

/** When, by whom, with what and from where. */
export function ActivityFacts({ entry }: { readonly entry: Activity }) {
  const words = usePagesWords();
  const by = describeActor(entry, words.activity.by);
  return (
    <>
      <Moment at={entry.at} />
      {[by, entry.device, entry.address].flatMap((fact) => (fact === null ? [] : ` · ${fact}`)).join('')}
    </>
  );
}

export function useHappened(): (entry: Activity) => string {
  const words = usePagesWords();
  return ({ kind, detail }) => words.activity.happened(kind, detail, words.roles);
}

/** Null when it was the person, which needs no mention. */
function describeActor(
  { by }: Activity,
  words: ReturnType<typeof usePagesWords>['activity']['by'],
): string | null {
  if (by.isYou) return null;
  const word = words[by.kind];
  return typeof word === 'string' ? word : word(by.name);
}
