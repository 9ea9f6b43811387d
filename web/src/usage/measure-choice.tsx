import { ChoiceCards } from '../design/choice-cards.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import type { Measure } from './usage-totals.ts';

interface MeasureChoiceProps {
  readonly chosen: Measure;
  readonly choose: (measure: Measure) => void;
}

export function MeasureChoice({ chosen, choose }: MeasureChoiceProps) {
  const { usage } = usePagesWords();
  const choices = (['tokens', 'requests'] as const).map((value) => ({ value, label: usage[value] }));
  return <ChoiceCards name={usage.measure} chosen={chosen} choices={choices} choose={choose} />;
}
