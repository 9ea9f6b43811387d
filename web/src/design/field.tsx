import { useId, type ComponentProps, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

/** A labelled line of text. The hint and the problem belong to the field for screen readers too. */
export function TextField({
  label,
  hint,
  problem,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <input
        id={id}
        dir="auto"
        className={classes('field', className)}
        aria-invalid={problem !== undefined}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-note`}
        {...input}
      />
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hint,
  problem,
  className,
  ...input
}: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <textarea
        id={id}
        dir="auto"
        className={classes('field', className)}
        aria-invalid={problem !== undefined}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-note`}
        {...input}
      />
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  problem,
  className,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <span className="relative">
        <select
          id={id}
          className={classes('field appearance-none pe-9 text-ellipsis', className)}
          aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-note`}
          {...select}
        />
        <span className="pointer-events-none absolute inset-y-0 end-2.5 grid place-items-center text-ink-faint">
          <Icon name="chevronDown" size={15} />
        </span>
      </span>
    </FieldFrame>
  );
}

interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: string;
  readonly hint?: string | undefined;
}

export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 accent-(--accent)"
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        {...input}
      />
      <div>
        <label htmlFor={id} className="text-[0.9375rem]">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-note`} className="text-sm text-ink-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

function FieldFrame({
  id,
  label,
  hint,
  problem,
  children,
}: FieldProps & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-[0.9375rem] font-[550]">
        {label}
      </label>
      {children}
      {(hint !== undefined || problem !== undefined) && (
        <p
          id={`${id}-note`}
          className={problem === undefined ? 'text-sm text-ink-soft' : 'text-sm text-danger'}
        >
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}
