import { leastCommonMultiple } from './decimal.ts';
import { choiceOf, type Expression } from './expression.ts';
import { floorOf, numberExpression, type NumberRange } from './number-automaton.ts';

/** With more digits than this, two texts may be the same number to whoever reads them. */
const tellingDigits = 15;
/** Behind the point; leaves nine before it. */
const maxDecimals = 6;

/**
 * Numbers with one spelling each: no zero at the end of a fraction, and fractions of no more digits than everybody
 * tells apart. For ranges that exclude no multiples.
 */
export function numberOnce({ decimals, minimum, maximum, step }: NumberRange): Expression {
  const counts = Array.from({ length: Math.min(decimals, maxDecimals) + 1 }, (_, count) => count);
  return choiceOf(
    counts.map((count) => {
      const unit = 10n ** BigInt(decimals - count);
      const range = {
        decimals: count,
        minimum: -floorOf(-minimum, unit),
        maximum: floorOf(maximum, unit),
        step: leastCommonMultiple(step, unit) / unit,
      };
      return numberExpression(count === 0 ? range : { ...clipped(range), except: 10n });
    }),
  );
}

function clipped(range: NumberRange): NumberRange {
  const limit = 10n ** BigInt(tellingDigits) - 1n;
  const minimum = range.minimum < -limit ? -limit : range.minimum;
  return { ...range, minimum, maximum: range.maximum > limit ? limit : range.maximum };
}
