import type { PersonUsageRow } from '#vocabulary/account-stores';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { usageRoutes } from '#contract/usage';
import { readPeriod } from '../usage-period.ts';
import { writeCsv } from '../write-csv.ts';

export function createUsageHandlers({ personUsage, clock }: ConsoleParts): HandlersOf<typeof usageRoutes> {
  return {
    'GET /console/usage': async ({ session, query }) => {
      const { from, to, rows } = await read(session.person.id, query);
      const keys = new Map(
        rows.flatMap((row) => (row.keyId === undefined ? [] : [[row.keyId, row.keyName ?? '']])),
      );
      return {
        from,
        to,
        rows: rows.map(({ keyName: _keyName, ...row }) => ({ ...row, keyId: row.keyId ?? null })),
        keys: [...keys].map(([id, name]) => ({ id, name })),
      };
    },

    'GET /console/usage.csv': async ({ session, query }) => {
      const { from, to, rows } = await read(session.person.id, query);
      return {
        fileName: `usage-${from}-${to}.csv`,
        contentType: 'text/csv; charset=utf-8',
        content: writeCsv([
          columns.map(([name]) => name),
          ...rows.map((row) => columns.map(([, value]) => value(row))),
        ]),
      };
    },
  };

  async function read(personId: string, wanted: { from?: string | undefined; to?: string | undefined }) {
    const { from, to, since, until } = readPeriod(wanted, clock.wallMs());
    return { from, to, rows: await personUsage.rowsOf(personId, since, until) };
  }
}

const columns: readonly (readonly [string, (row: PersonUsageRow) => string | number])[] = [
  ['day', (row) => row.day],
  ['model', (row) => row.model],
  ['door', (row) => row.door],
  ['key', (row) => row.keyName ?? row.keyId ?? ''],
  ['requests', (row) => row.requests],
  ['input_tokens', (row) => row.inputTokens],
  ['output_tokens', (row) => row.outputTokens],
  ['cached_tokens', (row) => row.cachedTokens],
  ['reasoning_tokens', (row) => row.reasoningTokens],
];
