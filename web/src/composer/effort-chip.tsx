import { Menu } from '@base-ui/react/menu';
import type { Effort } from '#contract/fields';
import { Icon } from '../design/icon.tsx';
import { MenuPlate } from '../design/menu.tsx';
import { useWords } from '../language/language.tsx';

interface EffortChipProps {
  readonly levels: readonly Effort[];
  readonly chosen: Effort;
  readonly choose: (effort: Effort) => void;
}

export function EffortChip({ levels, chosen, choose }: EffortChipProps) {
  const words = useWords();
  return (
    <Menu.Root>
      <Menu.Trigger
        className="flex h-8 items-center gap-1.5 rounded-full px-3 text-[0.9375rem] text-ink-soft transition-colors duration-150 hover:bg-pressed hover:text-ink data-popup-open:bg-pressed"
        aria-label={words.effort.label(words.effort.levels[chosen].name)}
      >
        <EffortBars level={chosen} />
        {words.effort.levels[chosen].name}
      </Menu.Trigger>
      <MenuPlate side="top">
        <Menu.RadioGroup value={chosen} onValueChange={(effort: Effort) => choose(effort)}>
          {levels.map((level) => (
            <Menu.RadioItem
              key={level}
              value={level}
              closeOnClick
              className="flex cursor-pointer items-center gap-3 rounded-md px-2.5 py-2 outline-none select-none data-highlighted:bg-sunken"
            >
              <EffortBars level={level} />
              <span className="flex-1">
                <span className="block text-[0.9375rem] font-[550]">{words.effort.levels[level].name}</span>
                <span className="block text-sm text-ink-soft">{words.effort.levels[level].explained}</span>
              </span>
              <span className="w-4 text-accent">
                <Menu.RadioItemIndicator>
                  <Icon name="check" size={16} />
                </Menu.RadioItemIndicator>
              </span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuPlate>
    </Menu.Root>
  );
}

const barCount: Record<Effort, number> = { low: 1, medium: 2, high: 3 };

function EffortBars({ level }: { readonly level: Effort }) {
  return (
    <svg width="16" height="14" viewBox="0 0 16 14" aria-hidden="true">
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={bar * 5 + 1}
          y={9 - bar * 4}
          width="3.4"
          height={4 + bar * 4}
          rx="1"
          className={bar < barCount[level] ? 'fill-accent' : 'fill-hairline'}
        />
      ))}
    </svg>
  );
}
