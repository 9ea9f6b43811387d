/** Administration, Usage: our sums beside the engines' own counters. */
export const enDrift = {
  title: 'Beside the engines’ own counters',
  lead: 'Tokens as this service and each engine counted them. A plus: the engine did more than came through here, because others use it too. A minus: the engine does not know of work that was counted here. While answers are being written, the engine may be a little ahead.',
  show: 'Show',
  everyEngine: 'Every engine, last 24 hours',
  hoursOf: (engine: string) => `${engine}, hour by hour`,
  engine: 'Engine',
  hour: 'Hour',
  input: 'Input',
  output: 'Output',
  ours: 'here',
  theirs: 'engine',
  difference: 'difference',
  notWhole: 'not whole',
  notWholeNote:
    'Not whole: this service or the engine started in that hour, and what lay in between is on neither side. Counting begins with the start of this service and reaches back 48 hours.',
  none: 'has no counters',
  unread: 'could not be asked yet',
  noHours: 'Nothing was compared yet.',
};

export type DriftWords = typeof enDrift;
