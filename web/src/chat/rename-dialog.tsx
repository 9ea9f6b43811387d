import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { useWords } from '../language/language.tsx';

interface RenameDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly close: () => void;
  readonly rename: (title: string) => void;
}

export function RenameDialog({ isOpen, title, close, rename }: RenameDialogProps) {
  const words = useWords();
  return (
    <Dialog isOpen={isOpen} close={close} title={words.chat.renameTitle}>
      <RenameForm
        title={title}
        close={close}
        rename={(next) => {
          rename(next);
          close();
        }}
      />
    </Dialog>
  );
}

function RenameForm({ title, close, rename }: Omit<RenameDialogProps, 'isOpen'>) {
  const words = useWords();
  const [text, setText] = useState(title);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') rename(text.trim());
      }}
    >
      <TextField
        label={words.chat.titleLabel}
        value={text}
        maxLength={200}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
      />
      <DialogActions>
        <Button onClick={close}>{words.general.cancel}</Button>
        <Button kind="primary" type="submit" disabled={text.trim() === ''}>
          {words.chat.rename}
        </Button>
      </DialogActions>
    </form>
  );
}
