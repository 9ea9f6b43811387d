import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';
import { useWords } from '../language/language.tsx';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly description?: string | undefined;
  readonly isWide?: boolean;
  /** False while something must not be lost by a click beside it, such as a secret shown once. */
  readonly isDismissible?: boolean;
  readonly children: ReactNode;
}

export function Dialog({
  isOpen,
  close,
  title,
  description,
  isWide = false,
  isDismissible = true,
  children,
}: DialogProps) {
  const words = useWords();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root
      open={isOpen}
      onOpenChange={(open) => !open && close()}
      disablePointerDismissal={!isDismissible}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="veil z-40" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto p-4">
          <BaseDialog.Popup
            ref={popup}
            initialFocus={() => popup.current?.querySelector<HTMLElement>(firstField) ?? popup.current}
            className={classes('floating w-full p-6 outline-none', isWide ? 'max-w-2xl' : 'max-w-lg')}
          >
            <div className="mb-4 flex items-start justify-between gap-4">
              <div>
                <BaseDialog.Title className="text-lg font-[650]">{title}</BaseDialog.Title>
                {description !== undefined && (
                  <BaseDialog.Description className="mt-1 text-[0.9375rem] text-ink-soft">
                    {description}
                  </BaseDialog.Description>
                )}
              </div>
              <button
                type="button"
                aria-label={words.general.close}
                className="-me-2 -mt-1 inline-flex size-7 shrink-0 items-center justify-center rounded-lg text-ink-soft transition-colors duration-150 hover:bg-pressed hover:text-ink"
                onClick={close}
              >
                <Icon name="close" size={16} />
              </button>
            </div>
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** Whoever opens a form wants to write into it; whoever opens a page of facts wants to read it. */
const firstField = 'input:not([hidden]), textarea, select';

/** The row of buttons at the end of a dialog; the one that acts comes last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>;
}
