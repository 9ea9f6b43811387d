import type { Message } from '#contract/messages';

/** A table for a spreadsheet: one line for each answer. */
export function comparisonAsCsv(question: Message, answers: readonly Message[]): string {
  const lines = answers.map(({ model, content, state, usage, timings, feedback, requestIds }) => [
    question.content,
    model ?? '',
    content,
    state,
    String(usage?.inputTokens ?? ''),
    String(usage?.outputTokens ?? ''),
    timings === null ? '' : (timings.totalMs / 1000).toFixed(2),
    feedback?.verdict === 'good' ? 'yes' : '',
    requestIds.join(' '),
  ]);
  return [header, ...lines].map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

const header = [
  'question',
  'model',
  'answer',
  'state',
  'input_tokens',
  'output_tokens',
  'seconds',
  'chosen',
  'request_id',
];

/** RFC 4180; what a spreadsheet would take for a formula is kept from being one. */
function writeCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
