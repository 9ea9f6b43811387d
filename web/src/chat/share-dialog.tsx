import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureSentence } from '../app/failure-sentence.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { CopyField } from '../design/copy-field.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { useWords } from '../language/language.tsx';
import { ShareInSpace } from '../spaces/share-in-space.tsx';
import { useShareId } from './use-share-id.ts';

interface ShareDialogProps {
  readonly chatId: string;
  readonly leafId: string | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** A read-only link for people of this service, to the branch being looked at, as it is now. */
export function ShareDialog({ chatId, leafId, isOpen, close }: ShareDialogProps) {
  const words = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const shareId = useShareId(chatId);
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: queryKeys.chat(chatId) });
    await queries.invalidateQueries({ queryKey: queryKeys.chats });
  };
  const open = useMutation({
    mutationFn: () =>
      client.call('PUT /console/chats/:chatId/share', { chatId, body: { leafId: leafId ?? '' } }),
    onSuccess,
  });
  const withdraw = useMutation({
    mutationFn: () => client.call('DELETE /console/chats/:chatId/share', { chatId }),
    onSuccess,
  });
  const failure = open.error ?? withdraw.error;
  return (
    <Dialog isOpen={isOpen} close={close} title={words.share.title} description={words.share.explained}>
      {shareId !== null && (
        <CopyField
          label={words.share.link}
          text={`${location.origin}/shared/${shareId}`}
          copyLabel={words.share.copyLink}
        />
      )}
      {failure !== null && <p className="mt-3 text-danger">{failureSentence(failure, words)}</p>}
      <DialogActions>
        {shareId === null ? (
          <Button
            kind="primary"
            disabled={open.isPending || leafId === undefined}
            onClick={() => open.mutate()}
          >
            {words.share.open}
          </Button>
        ) : (
          <>
            <Button disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
              {words.share.withdraw}
            </Button>
            <Button disabled={open.isPending || leafId === undefined} onClick={() => open.mutate()}>
              {words.share.update}
            </Button>
          </>
        )}
      </DialogActions>
      <ShareInSpace chatId={chatId} />
    </Dialog>
  );
}
