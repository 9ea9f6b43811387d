import type { PersonRecord } from '#contract/administration';
import { Dialog } from '../design/dialog.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { PersonKeys } from './person-keys.tsx';

interface PersonKeysDialogProps {
  readonly person: PersonRecord;
  readonly isOpen: boolean;
  readonly close: () => void;
}

export function PersonKeysDialog({ person, isOpen, close }: PersonKeysDialogProps) {
  const words = usePagesWords();
  return (
    <Dialog isOpen={isOpen} close={close} title={words.administration.keysOf(person.name)} isWide>
      <PersonKeys personId={person.id} />
    </Dialog>
  );
}
