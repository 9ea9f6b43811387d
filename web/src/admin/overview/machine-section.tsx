import type { ReactNode } from 'react';
import type { Overview } from '#contract/operations';
import { bytesInWords } from '../../design/amounts.ts';
import { Moment } from '../../design/moment.tsx';
import { Section } from '../../design/section.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { useOverviewWords } from '../../language/overview-words.ts';

const dayMs = 86_400_000;
/** Below these something should be done. */
const leastFreePart = 0.05;
const leastCertificateDays = 21;

/** What the service stands on. */
export function MachineSection({ overview }: { readonly overview: Overview }) {
  const words = useOverviewWords();
  const tag = useLanguageTag();
  const { disk, backup, certificate, version, startedAt, at } = overview;
  const bytes = (count: number) => bytesInWords(count, tag);
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' });
  return (
    <Section title={words.machine}>
      <dl className="grid gap-x-8 gap-y-3 text-[0.9375rem] sm:grid-cols-[9rem_1fr]">
        <Fact name={words.disk} isDoubtful={disk.freeBytes < leastFreePart * disk.totalBytes}>
          {words.diskWords(bytes(disk.freeBytes), bytes(disk.totalBytes), bytes(disk.usedByServiceBytes))}
        </Fact>
        <Fact name={words.backup} isDoubtful={backup === null || at - backup.madeAt > 7 * dayMs}>
          {backup === null ? (
            words.noBackup
          ) : (
            <>
              <Moment at={backup.madeAt} /> {words.backupWords(bytes(backup.bytes))}
            </>
          )}
        </Fact>
        <Fact
          name={words.certificate}
          isDoubtful={certificate !== null && certificate.validUntil - at < leastCertificateDays * dayMs}
        >
          {certificate === null
            ? words.noCertificate
            : words.certificateWords(certificate.names, dates.format(certificate.validUntil))}
        </Fact>
        <Fact name={words.version}>
          {words.versionWords(version)} <Moment at={startedAt} />
        </Fact>
      </dl>
    </Section>
  );
}

interface FactProps {
  readonly name: string;
  readonly isDoubtful?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, isDoubtful = false, children }: FactProps) {
  return (
    <div className="contents">
      <dt className="text-ink-soft max-sm:-mb-2">{name}</dt>
      <dd className={isDoubtful ? 'text-wait' : undefined}>{children}</dd>
    </div>
  );
}
