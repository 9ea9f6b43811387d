import { useState } from 'react';
import { useNotices } from '../../app/notices.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useEnginesWords } from '../../language/engines-words.ts';
import { EngineForm } from './engine-form.tsx';
import { ModelForm } from './model-form.tsx';
import { type EntryList, useCatalogue, useRemoveEntry } from './use-catalogue.ts';

const forms = { engines: EngineForm, models: ModelForm } as const;

export function AddEntry({ list }: { readonly list: EntryList }) {
  const words = useEnginesWords();
  const [isOpen, setIsOpen] = useState(false);
  const Form = forms[list];
  const close = () => setIsOpen(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{words.addOne[list]}</Button>
      <Dialog isOpen={isOpen} close={close} title={words.addOne[list]} isWide isDismissible={false}>
        <Form entry={undefined} done={close} />
      </Dialog>
    </>
  );
}

interface EntryActionsProps {
  readonly list: EntryList;
  readonly name: string;
}

/** Change and remove what was made here. */
export function EntryActions({ list, name }: EntryActionsProps) {
  const words = useEnginesWords();
  const notices = useNotices();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const remove = useRemoveEntry(list, name, notices.complain);
  const found = useCatalogue()[list].find((entry) => entry.name === name);
  const Form = forms[list];
  const close = () => setOpen(undefined);
  if (found?.origin !== 'here') return null;
  return (
    <>
      <Button size="small" aria-label={words.changeOf(name)} onClick={() => setOpen('change')}>
        {words.change}
      </Button>
      <Button
        size="small"
        kind="quiet"
        aria-label={words.removeOf(name)}
        disabled={remove.isPending}
        onClick={() => setOpen('remove')}
      >
        {words.remove}
      </Button>
      <Dialog
        isOpen={open === 'change'}
        close={close}
        title={words.changeOf(name)}
        isWide
        isDismissible={false}
      >
        <Form entry={found.entry} done={close} />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'remove'}
        close={close}
        title={words.removeOf(name)}
        sentence={words.removeSentence}
        action={words.remove}
        confirm={() => remove.mutate()}
      />
    </>
  );
}
