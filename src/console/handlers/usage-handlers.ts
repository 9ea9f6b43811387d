import type { PersonUsageRow } from '#vocabulary/account-stores';
import { Refusal } from '#vocabulary/refusal';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { usageRoutes } from '#contract/usage';

const dayMs = 86_400_000;
const defaultDays = 30;
const maxDays = 800;

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
        content: `${[columns.map(([name]) => name), ...rows.map(writeRow)].map((cells) => cells.join(',')).join('\r\n')}\r\n`,
      };
    },
  };

  async function read(personId: string, period: { from?: string | undefined; to?: string | undefined }) {
    const to = period.to ?? dayOf(clock.wallMs());
    const from = period.from ?? dayOf(startOf(to, 'to') - (defaultDays - 1) * dayMs);
    const since = startOf(from, 'from');
    const until = startOf(to, 'to') + dayMs;
    if (until <= since || until - since > maxDays * dayMs) {
      throw new Refusal('invalid_parameter', `Choose a period of 1 to ${maxDays} days.`, { param: 'from' });
    }
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

function writeRow(row: PersonUsageRow): string[] {
  return columns.map(([, read]) => writeCell(read(row)));
}

/** Quoted where needed; a name that a spreadsheet would take for a formula is kept from being one. */
function writeCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function startOf(day: string, param: string): number {
  const moment = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(moment)) {
    throw new Refusal('invalid_parameter', 'There is no such day. Write it like 2026-01-31.', { param });
  }
  return moment;
}
