import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { useFoldersWords } from '../language/folders-words.ts';
import { useWords } from '../language/language.tsx';
import { useFolderActions } from './use-folder-actions.ts';

interface FolderDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** A name is all that a folder needs. */
export function FolderDialog({ isOpen, close }: FolderDialogProps) {
  const words = useFoldersWords();
  return (
    <Dialog isOpen={isOpen} close={close} title={words.createTitle}>
      <FolderForm close={close} />
    </Dialog>
  );
}

function FolderForm({ close }: { readonly close: () => void }) {
  const words = useFoldersWords();
  const general = useWords().general;
  const { create } = useFolderActions();
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void create(name.trim()).then((folder) => folder && close());
      }}
    >
      <TextField
        label={words.name}
        value={name}
        maxLength={80}
        dir="auto"
        onChange={(event) => setName(event.target.value)}
      />
      <DialogActions>
        <Button onClick={close}>{general.cancel}</Button>
        <Button kind="primary" type="submit" disabled={name.trim() === ''}>
          {words.createAction}
        </Button>
      </DialogActions>
    </form>
  );
}
