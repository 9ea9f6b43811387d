import { Tooltip } from '@base-ui/react/tooltip';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import { Keys } from './keys.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'name'> {
  readonly icon: IconName;
  /** What happens; spoken by screen readers and shown as the tooltip. */
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly size?: 'small' | 'medium';
}

export function IconButton({ icon, label, shortcut, size = 'medium', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        render={
          <button
            {...rest}
            type="button"
            aria-label={label}
            className={classes(
              'inline-flex items-center justify-center rounded-lg text-ink-soft transition-colors duration-150',
              'hover:bg-pressed hover:text-ink aria-expanded:bg-pressed aria-pressed:bg-accent-wash aria-pressed:text-accent',
              'disabled:cursor-not-allowed disabled:opacity-45',
              size === 'small' ? 'size-7' : 'size-9',
              className,
            )}
          >
            <Icon name={icon} size={size === 'small' ? 16 : 18} />
          </button>
        }
      />
      <TooltipPlate label={label} shortcut={shortcut} />
    </Tooltip.Root>
  );
}

export function TooltipPlate({
  label,
  shortcut,
}: {
  readonly label: string;
  readonly shortcut?: string | undefined;
}) {
  return (
    <Tooltip.Portal>
      <Tooltip.Positioner sideOffset={6} className="z-50">
        <Tooltip.Popup className="floating flex items-center gap-2 px-2 py-1 text-[0.8125rem] text-ink">
          {label}
          {shortcut !== undefined && <Keys combination={shortcut} />}
        </Tooltip.Popup>
      </Tooltip.Positioner>
    </Tooltip.Portal>
  );
}
