import { useEnginesWords } from '../language/engines-words.ts';

type Trouble = keyof ReturnType<typeof useEnginesWords>['troubles'];

/** What systems call these. */
const troubles: Readonly<Record<string, Trouble>> = {
  ECONNREFUSED: 'refused',
  ENOENT: 'refused',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  ENOTFOUND: 'unknown',
  EAI_AGAIN: 'unknown',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'silent',
};

/** Why an engine is not well, with the word of the system for those who look it up. */
export function HealthNote({ note }: { readonly note: string }) {
  const words = useEnginesWords();
  const trouble = troubles[/\b[A-Z_]{5,}\b/.exec(note)?.[0] ?? ''];
  if (trouble === undefined) return note;
  return <span title={note}>{words.troubles[trouble]}</span>;
}
