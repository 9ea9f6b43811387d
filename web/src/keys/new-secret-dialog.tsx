import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { curlSnippet } from '../connect/snippets.ts';
import { SnippetPlate } from '../connect/snippet-plate.tsx';
import { Button } from '../design/button.tsx';
import { CopyField } from '../design/copy-field.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { useWords } from '../language/language.tsx';

export interface NewSecret {
  readonly name: string;
  readonly secret: string;
}

interface NewSecretDialogProps {
  readonly secret: NewSecret | undefined;
  readonly close: () => void;
}

/** The one time a key is shown. Held in this component's memory only, gone with the dialog. */
export function NewSecretDialog({ secret, close }: NewSecretDialogProps) {
  const words = useWords();
  const client = useClient();
  const { data: facts } = useQuery({
    queryKey: queryKeys.connect,
    queryFn: () => client.call('GET /console/connect', {}),
    enabled: secret !== undefined,
  });
  if (secret === undefined) return null;
  const model = facts?.models[0]?.id;
  return (
    <Dialog
      isOpen
      close={close}
      title={words.keys.newTitle(secret.name)}
      description={words.keys.newLead}
      isWide
      isDismissible={false}
    >
      <CopyField label={words.keys.secret} text={secret.secret} copyLabel={words.keys.copy} />
      {facts !== undefined && model !== undefined && (
        <div className="mt-5">
          <p className="mb-1.5 text-[0.9375rem] font-[550]">{words.keys.tryIt}</p>
          <SnippetPlate
            snippet={curlSnippet({
              proxyBase: facts.proxyBase,
              directBase: '',
              model,
              key: secret.secret,
              keyName: secret.name,
            })}
          />
        </div>
      )}
      <DialogActions>
        <Link
          href="/connect"
          className="me-auto self-center text-[0.9375rem] text-accent underline underline-offset-3"
          onClick={close}
        >
          {words.keys.moreSnippets}
        </Link>
        <Button onClick={close}>{words.keys.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
