import type { Health } from '#contract/models';
import { useWords } from '../language/language.tsx';

/** Colour alone says nothing to some people: the shape differs too, and the word is there for screen readers. */
export function HealthDot({ health }: { readonly health: Health }) {
  const words = useWords();
  return (
    <span
      className={`inline-block size-2 shrink-0 ${looks[health]}`}
      role="img"
      aria-label={words.models.health[health]}
      title={words.models.health[health]}
    />
  );
}

const looks: Record<Health, string> = {
  healthy: 'rounded-full bg-good',
  degraded: 'rounded-full border-2 border-wait',
  starting: 'breathing rounded-full bg-wait',
  down: 'rotate-45 scale-80 bg-danger',
  unknown: 'rounded-full border border-edge',
};
