import { useState } from 'react';
import { Link } from 'wouter';
import type { KeyRecord } from '#contract/person-administration';
import type { ProjectStanding } from '#contract/projects';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Moment } from '../../design/moment.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { describeLimit } from '../../standing/describe-limit.ts';
import { everyone } from '../../standing/everyone.ts';
import { SubjectLimits } from '../subject-limits.tsx';

interface KeyTableProps {
  readonly keys: readonly KeyRecord[];
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: ReadonlySet<string>) => void;
}

export function KeyTable({ keys, selected, select }: KeyTableProps) {
  const words = usePagesWords();
  const { keys: keyWords } = useManageWords();
  const [limited, setLimited] = useState<KeyRecord>();
  const usable = keys.filter(({ state }) => state === 'active').map(({ id }) => id);
  const areAllSelected = usable.length > 0 && usable.every((id) => selected.has(id));
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.settings.keys}>
      <table className="table-plain table-stacked">
        <thead>
          <tr>
            <th scope="col" className="w-8">
              <input
                type="checkbox"
                className="size-4 accent-(--accent)"
                aria-label={keyWords.selectAll}
                checked={areAllSelected}
                disabled={usable.length === 0}
                onChange={() => select(new Set(areAllSelected ? [] : usable))}
              />
            </th>
            <th scope="col">{keyWords.key}</th>
            <th scope="col">{keyWords.owner}</th>
            <th scope="col">{keyWords.project}</th>
            <th scope="col">{words.keys.lastUsed}</th>
            <th scope="col">{words.keys.expires}</th>
            <th scope="col">{words.keys.limits}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row
              key={key.id}
              apiKey={key}
              isSelected={selected.has(key.id)}
              toggle={() => {
                const next = new Set(selected);
                if (!next.delete(key.id)) next.add(key.id);
                select(next);
              }}
              editLimits={() => setLimited(key)}
            />
          ))}
        </tbody>
      </table>
      <Dialog
        isOpen={limited !== undefined}
        close={() => setLimited(undefined)}
        title={limited === undefined ? '' : keyWords.limitsOf(limited.name, limited.owner.name)}
        description={keyWords.limitsLead}
      >
        {limited !== undefined && <SubjectLimits scope="key" subjectId={limited.id} />}
      </Dialog>
    </div>
  );
}

interface RowProps {
  readonly apiKey: KeyRecord;
  readonly isSelected: boolean;
  readonly toggle: () => void;
  readonly editLimits: () => void;
}

function Row({ apiKey, isSelected, toggle, editLimits }: RowProps) {
  const words = usePagesWords();
  const manage = useManageWords();
  const { keys: keyWords } = manage;
  const tag = useLanguageTag();
  const { name, prefix, state, owner, projectId, projectName, projectState } = apiKey;
  const limits = Object.entries(apiKey.limits) as [ProjectStanding['limit'], number][];
  return (
    <tr>
      <td className="max-sm:float-start max-sm:pe-3">
        {state === 'active' && (
          <input
            type="checkbox"
            className="mt-1 size-4 accent-(--accent)"
            aria-label={keyWords.select(name, owner.name)}
            checked={isSelected}
            onChange={toggle}
          />
        )}
      </td>
      <td>
        <span className="font-[550] break-words">{name}</span>
        <span dir="ltr" className="block font-mono text-[0.8125rem] text-ink-soft">
          {prefix}…
        </span>
        {state !== 'active' && <span className="block text-sm text-danger">{words.keys.states[state]}</span>}
        {apiKey.isBackground && (
          <span className="block text-sm text-ink-soft">{words.keys.backgroundClass}</span>
        )}
      </td>
      <td className="min-w-44">
        <Link
          href={`/administration/people/${encodeURIComponent(owner.id)}`}
          className="text-accent underline-offset-3 hover:underline"
        >
          {owner.name}
        </Link>
        <span className="block text-sm break-words text-ink-soft">{owner.email}</span>
        {!owner.isActive && <span className="block text-sm text-danger">{keyWords.ownerInactive}</span>}
      </td>
      <td data-label={keyWords.project}>
        {projectId === everyone ? words.standing.everyone : projectName}
        {state === 'active' && projectState !== 'open' && (
          <span className="block text-sm text-danger">{words.keys.projectStates[projectState]}</span>
        )}
      </td>
      <td data-label={words.keys.lastUsed} className="text-ink-soft">
        <Moment at={apiKey.lastUsedAt} />
        {apiKey.lastUsedFrom !== null && <span className="text-sm sm:block"> {apiKey.lastUsedFrom}</span>}
      </td>
      <td data-label={words.keys.expires} className="text-ink-soft">
        <Moment at={apiKey.expiresAt} />
      </td>
      <td className="text-sm text-ink-soft">
        {limits.map(([limit, amount]) => (
          <span key={limit} className="block">
            {describeLimit({ limit, amount, modelId: null }, words.standing, tag)}
          </span>
        ))}
        {state === 'active' && (
          <Button
            size="small"
            kind="quiet"
            aria-label={`${manage.edit}: ${keyWords.limitsOf(name, owner.name)}`}
            onClick={editLimits}
          >
            {manage.edit}
          </Button>
        )}
      </td>
    </tr>
  );
}
