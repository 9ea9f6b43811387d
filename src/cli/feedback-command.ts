import { parseArgs } from 'node:util';
import type { FeedbackCount } from '#contract/feedback';
import { WrongUse, type Command } from './command.ts';
import { withBooks } from './open-books.ts';
import { type Column, formatCsv, formatTable } from './table.ts';

const usage = `Usage: gatehouse feedback [--csv | --json]

Says how often people called answers of each model good or bad in the chat, and why, where they
chose a word. Who said it of which answer is not shown.

  --csv, --json    print it for a spreadsheet or a program
  --settings FILE  read this file instead of gatehouse.yaml`;

export const feedbackCommand: Command = {
  name: 'feedback',
  summary: 'Count what people say of the answers',
  usage,
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        csv: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        settings: { type: 'string' },
      },
    });
    if (values.csv && values.json) throw new WrongUse('Choose one of --csv and --json.');
    return withBooks(values.settings, async ({ storage }) => {
      const counts = await storage.conversations.countFeedback();
      process.stdout.write(
        values.json
          ? `${JSON.stringify(counts, null, 2)}\n`
          : values.csv
            ? toCsv(counts)
            : formatTable(columns, counts),
      );
      return 0;
    });
  },
};

const columns: readonly Column<FeedbackCount>[] = [
  { title: 'MODEL', cell: ({ model }) => model },
  { title: 'ANSWERS WERE', cell: ({ verdict }) => verdict },
  { title: 'BECAUSE', cell: ({ word }) => word ?? '-' },
  { title: 'TIMES', align: 'right', cell: ({ count }) => String(count) },
];

function toCsv(counts: readonly FeedbackCount[]): string {
  return formatCsv([
    ['model', 'verdict', 'word', 'answers'],
    ...counts.map(({ model, verdict, word, count }) => [model, verdict, word ?? '', count]),
  ]);
}
