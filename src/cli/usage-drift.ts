import type { EngineDefinition } from '#vocabulary/catalogue';
import type { Books } from './open-books.ts';
import { formatTable, type Column } from './table.ts';

interface DriftRow {
  readonly engine: string;
  readonly kind: string;
  readonly ours: number | undefined;
  readonly theirs: number | undefined;
  readonly drift: number | undefined;
}

/** Our sums of the last day beside the engines' own counters, as the running service knows them. */
export async function printDrift({ settings }: Pick<Books, 'settings'>, isJson: boolean): Promise<number> {
  const { findService } = await import('./doctor/find-service.ts');
  const metrics = (await findService(settings))?.metrics;
  if (metrics === undefined) {
    process.stderr.write('Nothing answers where the settings say, or it does not show its metrics to us.\n');
    return 1;
  }
  const rows = settings.catalogue.engines.flatMap(({ name }: EngineDefinition): DriftRow[] => {
    const read = (kind: string): DriftRow => {
      const told = (by: string) =>
        metrics.withLabels('gatehouse_engine_tokens_last_day', { engine: name, kind, by });
      return {
        engine: name,
        kind,
        ours: told('gateway'),
        theirs: told('engine'),
        drift: metrics.withLabels('gatehouse_engine_token_drift_ratio', { engine: name, kind }),
      };
    };
    const [input, output] = [read('input'), read('output')];
    return input.theirs === undefined ? [{ ...input, kind: '-' }] : [input, output];
  });
  process.stdout.write(
    isJson ? `${JSON.stringify(rows, null, 2)}\n` : formatTable(columns, rows) + explained,
  );
  return 0;
}

const explained = `
Tokens of the last 24 hours, since the service started: counted by Gatehouse and by the engine itself.
Above 0 the engine also worked for others; below 0 it does not know of work that Gatehouse counted.
A line without figures: the engine has no counters, or could not be asked yet.
`;

const columns: readonly Column<DriftRow>[] = [
  { title: 'ENGINE', cell: ({ engine }) => engine },
  { title: 'TOKENS', cell: ({ kind }) => kind },
  { title: 'OURS', align: 'right', cell: ({ ours }) => amount(ours) },
  { title: 'THEIRS', align: 'right', cell: ({ theirs }) => amount(theirs) },
  { title: 'DIFFERENCE', align: 'right', cell: ({ drift }) => percent(drift) },
];

function amount(tokens: number | undefined): string {
  return tokens === undefined ? '-' : tokens.toLocaleString('en');
}

function percent(part: number | undefined): string {
  if (part === undefined) return '-';
  return `${part > 0 ? '+' : ''}${(100 * part).toFixed(1)} %`;
}
