import { Link } from 'wouter';
import type { AuditEntryView } from '#contract/audit';
import { Moment } from '../../design/moment.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { useTrailWords } from '../../language/trail-words.ts';
import { Detail } from './detail.tsx';

export function AuditTable({ entries }: { readonly entries: readonly AuditEntryView[] }) {
  const { audit } = useManageWords();
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={audit.what}>
      <table className="table-plain table-stacked">
        <thead>
          <tr>
            <th scope="col">{audit.when}</th>
            <th scope="col">{audit.what}</th>
            <th scope="col">{audit.by}</th>
            <th scope="col">{audit.whom}</th>
            <th scope="col">{audit.from}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry }: { readonly entry: AuditEntryView }) {
  const { audit } = useManageWords();
  const kinds: Readonly<Record<string, string>> = useTrailWords().kinds;
  // Beside the logs of other programs, seconds count.
  const exactly = new Intl.DateTimeFormat(useLanguageTag(), {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const { at, kind, by, person, address, device, detail } = entry;
  const isSelf = person !== null && by.kind === 'person' && by.id === person.id;
  return (
    <tr>
      <td className="whitespace-nowrap text-ink-soft">
        <Moment at={at} />
        <span className="block text-sm text-ink-faint">{exactly.format(at)}</span>
      </td>
      <td>
        <span className="font-[550]">{kinds[kind] ?? kind}</span>
        <span className="block max-w-96 text-sm break-words text-ink-soft">
          <Detail detail={detail} />
        </span>
      </td>
      <td data-label={audit.by}>
        {by.kind === 'person' && by.id !== null ? (
          <Person id={by.id} name={by.name} />
        ) : (
          <>
            {by.name ?? audit.actors[by.kind]}
            {by.name !== null && (
              <span className="text-sm text-ink-soft sm:block"> {audit.actors[by.kind]}</span>
            )}
          </>
        )}
      </td>
      <td {...(person !== null && !isSelf && { 'data-label': audit.whom })}>
        {person !== null && !isSelf && <Person id={person.id} name={person.name} />}
      </td>
      <td className="text-sm text-ink-soft">
        {address}
        {device !== null && <span className="block">{device}</span>}
      </td>
    </tr>
  );
}

function Person({ id, name }: { readonly id: string; readonly name: string | null }) {
  const { audit } = useManageWords();
  if (name === null) return <span className="text-ink-soft">{audit.gone}</span>;
  return (
    <Link
      href={`/administration/people/${encodeURIComponent(id)}`}
      className="text-accent underline-offset-3 hover:underline"
    >
      {name}
    </Link>
  );
}
