import { useChatActions } from '../chat/use-chat-actions.ts';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useFoldersWords } from '../language/folders-words.ts';
import { useWords } from '../language/language.tsx';

/** Above the composer of a chat that is put away. */
export function ArchivedLine({ chatId }: { readonly chatId: string }) {
  const words = useWords();
  const { archivedHere } = useFoldersWords();
  const { bringBack } = useChatActions();
  return (
    <p className="mx-auto mb-2 flex w-full max-w-[48rem] items-center gap-2 px-5 text-[0.9375rem] text-ink-soft sm:px-6">
      <Icon name="archive" size={16} />
      {archivedHere}
      <Button kind="quiet" size="small" className="text-accent" onClick={() => void bringBack(chatId)}>
        {words.keeping.bringBack}
      </Button>
    </p>
  );
}
