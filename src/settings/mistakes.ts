import { countedOrder } from '#contract/counted-order';

/** One thing that is wrong in the settings, and what would be right. */
export interface SettingsMistake {
  /** `limits.maxBody`, `models[1].path`. */
  readonly knob: string;
  /** `gatehouse.yaml:12:5` or `environment PORT`. */
  readonly place: string;
  readonly problem: string;
  readonly remedy: string;
}

/** All mistakes of one reading together, so that they can be mended in one go. */
export class SettingsMistakes extends Error {
  readonly mistakes: readonly SettingsMistake[];

  constructor(mistakes: readonly SettingsMistake[]) {
    const inOrder = mistakes.toSorted((one, other) => inFileOrder(one.place, other.place));
    super(describe(inOrder));
    this.name = 'SettingsMistakes';
    this.mistakes = inOrder;
  }
}

const inFileOrder = countedOrder();

function describe(mistakes: readonly SettingsMistake[]): string {
  const count = mistakes.length === 1 ? 'one mistake' : `${mistakes.length} mistakes`;
  const lines = mistakes.map(
    ({ knob, place, problem, remedy }) => `  ${place}  ${knob}\n      ${problem} ${remedy}`,
  );
  return `The settings have ${count}:\n${lines.join('\n')}`;
}
