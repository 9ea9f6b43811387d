import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind;
  readonly size?: 'small' | 'medium';
}

export function Button({ kind = 'plain', size = 'medium', className, type, ...rest }: ButtonProps) {
  return (
    <button type={type ?? 'button'} className={classes(buttonClasses(kind, size), className)} {...rest} />
  );
}

/** For links and menu triggers that look like buttons. */
export function buttonClasses(kind: ButtonKind, size: 'small' | 'medium' = 'medium'): string {
  return classes(
    'inline-flex items-center justify-center gap-1.5 rounded-lg font-[550] whitespace-nowrap transition-colors duration-150',
    'disabled:opacity-55 disabled:cursor-not-allowed',
    size === 'small' ? 'min-h-7 px-2.5 py-0.5 text-sm' : 'min-h-9.5 px-3.5 py-1 text-[0.9375rem]',
    kinds[kind],
  );
}

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-edge bg-raised text-ink hover:bg-sunken',
  quiet: 'text-ink-soft hover:bg-pressed hover:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
};
