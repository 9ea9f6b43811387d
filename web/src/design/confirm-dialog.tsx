import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useWords } from '../language/language.tsx';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly sentence: string;
  /** Says what happens, not "OK". */
  readonly action: string;
  readonly confirm: () => void;
}

/** For what cannot be taken back. */
export function ConfirmDialog({ isOpen, close, title, sentence, action, confirm }: ConfirmDialogProps) {
  const words = useWords();
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="veil z-40" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto p-4">
          <AlertDialog.Popup className="floating w-full max-w-md p-6">
            <AlertDialog.Title className="text-lg font-[650]">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-soft">{sentence}</AlertDialog.Description>
            <DialogActions>
              <Button onClick={close}>{words.general.cancel}</Button>
              <Button
                kind="danger"
                onClick={() => {
                  confirm();
                  close();
                }}
              >
                {action}
              </Button>
            </DialogActions>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
