import { Menu } from '@base-ui/react/menu';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Model } from '#contract/models';
import { shortcuts, useShortcut } from '../app/shortcuts.ts';
import { Icon } from '../design/icon.tsx';
import { MenuPlate } from '../design/menu.tsx';
import { useWords } from '../language/language.tsx';
import { HealthDot } from './health-dot.tsx';

const FindInMenu = lazy(async () => ({ default: (await import('../design/find-in-menu.tsx')).FindInMenu }));

/** More than these are looked for rather than looked through. */
const many = 8;

interface ModelPickerProps {
  readonly models: readonly Model[];
  readonly chosen: Model | undefined;
  readonly chosenId: string;
  readonly choose: (id: string) => void;
}

/** Which model answers next: what it is good at in a few words, and whether it is well right now. */
export function ModelPicker({ models, chosen, chosenId, choose }: ModelPickerProps) {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  useShortcut(shortcuts.switchModel, () => setIsOpen(true));
  const menu = (find?: ReactNode) => (
    <Menu.Root open={isOpen} onOpenChange={setIsOpen}>
      <Menu.Trigger
        className="flex min-w-0 items-center gap-2 rounded-lg px-2.5 py-1.5 text-[1.0625rem] font-[600] transition-colors duration-150 hover:bg-sunken data-popup-open:bg-sunken"
        aria-label={words.models.pick(chosenId)}
      >
        {chosen !== undefined && <HealthDot health={chosen.health} />}
        <span className="truncate">{chosenId === '' ? words.models.loading : chosenId}</span>
        <span className="text-ink-faint">
          <Icon name="chevronDown" size={15} />
        </span>
      </Menu.Trigger>
      <MenuPlate className="flex max-h-(--available-height) w-[min(26rem,calc(100vw-2rem))] flex-col">
        {find}
        <Menu.List className="min-h-0 overflow-y-auto overscroll-contain outline-none">
          <Menu.RadioGroup value={chosenId} onValueChange={(id: string) => choose(id)}>
            {models.map((model) => (
              <Menu.RadioItem
                key={model.id}
                value={model.id}
                label={`${model.id} ${model.description}`}
                closeOnClick
                className="flex cursor-pointer gap-3 rounded-md px-3 py-2.5 outline-none select-none data-highlighted:bg-sunken"
              >
                <span className="w-4 pt-0.5 text-accent">
                  <Menu.RadioItemIndicator>
                    <Icon name="check" size={16} />
                  </Menu.RadioItemIndicator>
                </span>
                <ModelCard model={model} />
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.List>
      </MenuPlate>
    </Menu.Root>
  );
  if (models.length <= many) return menu();
  return (
    <Suspense fallback={menu()}>
      <FindInMenu>{menu}</FindInMenu>
    </Suspense>
  );
}

function ModelCard({ model }: { readonly model: Model }) {
  const words = useWords();
  const strengths = [
    model.showsThinking && words.models.thinks,
    model.supportsTools && words.models.tools,
    model.effortLevels.length > 0 && words.models.effort,
    model.contextTokens !== null && words.models.context(model.contextTokens),
  ].filter((strength) => strength !== false);
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate font-[600]">{model.id}</span>
        <span className="flex items-center gap-1.5 text-[0.8125rem] text-ink-soft">
          <HealthDot health={model.health} />
          {words.models.health[model.health]}
        </span>
      </span>
      <span dir="auto" className="text-match block text-[0.9375rem] text-ink-soft">
        {model.description}
      </span>
      <span className="block text-[0.8125rem] text-ink-faint">{strengths.join(' · ')}</span>
    </span>
  );
}
