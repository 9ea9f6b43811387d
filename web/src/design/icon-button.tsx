import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'name'> {
  readonly icon: IconName;
  /** What happens; spoken by screen readers and shown as the tooltip. */
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly size?: 'small' | 'medium';
}

export function IconButton({ icon, label, shortcut, size = 'medium', className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      data-tooltip={shortcut ?? ''}
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
  );
}
