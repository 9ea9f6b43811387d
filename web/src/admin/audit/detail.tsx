import { Fragment } from 'react';
import type { AuditEntryView } from '#contract/audit';
import { usePagesWords } from '../../language/pages-words.ts';
import { useTrailWords } from '../../language/trail-words.ts';

/** What was written down beside what happened, in words where there are some; all of it is in the export. */
export function Detail({ detail }: { readonly detail: AuditEntryView['detail'] }) {
  const words = useTrailWords();
  const { standing } = usePagesWords();
  const names: Readonly<Record<string, string>> = { ...standing.limits, ...words.details };
  const values: Readonly<Record<string, string>> = words.values;
  return Object.entries(detail)
    .filter(([name, value]) => !saysNothing.has(name) && value !== '')
    .map(([name, value], index) => (
      <Fragment key={name}>
        {index > 0 && words.comma}
        {names[name] ?? name}: <bdi>{values[String(value)] ?? String(value)}</bdi>
      </Fragment>
    ));
}

/** Ids of what has a name as well, or is found nowhere by its id. */
const saysNothing: ReadonlySet<string> = new Set(['session', 'id', 'invitation']);
