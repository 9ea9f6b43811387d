import { classes } from './classes.ts';
import { shareOf } from './share-of.ts';

interface MeterProps {
  /** What is measured, for screen readers; the figures stand beside it. */
  readonly label: string;
  readonly used: number;
  readonly amount: number;
}

/** How much of something is used: calm, then amber from 80 %, then brick when it is all gone. */
export function Meter({ label, used, amount }: MeterProps) {
  const share = shareOf(used, amount);
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-pressed"
    >
      <div
        className={classes(
          'h-full rounded-full',
          share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-wait' : 'bg-accent',
        )}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
