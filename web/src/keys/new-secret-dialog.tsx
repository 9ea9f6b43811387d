import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiKey } from '#contract/keys';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { asReached } from '../connect/as-reached.ts';
import { curlSnippet } from '../connect/snippets.ts';
import { SnippetPlate } from '../connect/snippet-plate.tsx';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { CopyField } from '../design/copy-field.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { usePagesWords } from '../language/pages-words.ts';

export interface NewSecret {
  readonly key: ApiKey;
  readonly secret: string;
}

interface NewSecretDialogProps {
  readonly secret: NewSecret | undefined;
  readonly close: () => void;
}

/** The one time a key is shown. Held in this component's memory only, gone with the dialog. */
export function NewSecretDialog({ secret, close }: NewSecretDialogProps) {
  return secret === undefined ? null : (
    <Secret key={secret.key.id} apiKey={secret.key} secret={secret.secret} close={close} />
  );
}

interface SecretProps {
  readonly apiKey: ApiKey;
  readonly secret: string;
  readonly close: () => void;
}

function Secret({ apiKey, secret, close }: SecretProps) {
  const words = usePagesWords();
  const client = useClient();
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const { data: facts } = useQuery({
    queryKey: queryKeys.connect,
    queryFn: () => client.call('GET /console/connect', {}),
    select: (answer) => asReached(answer, location.origin),
  });
  const model = facts?.models.find(({ id }) => apiKey.models.length === 0 || apiKey.models.includes(id))?.id;
  // Closing loses the only copy there is: whoever has not taken one is asked.
  const leave = () => (isCopied ? close() : setIsAsking(true));
  return (
    <>
      <Dialog
        isOpen
        close={leave}
        title={words.keys.newTitle(apiKey.name)}
        description={words.keys.newLead}
        isWide
        isDismissible={false}
      >
        <div onCopy={() => setIsCopied(true)}>
          <CopyField
            label={words.keys.secret}
            text={secret}
            copyLabel={words.keys.copy}
            onCopied={() => setIsCopied(true)}
          />
          {facts !== undefined && model !== undefined && (
            <div className="mt-5">
              <p className="mb-1.5 text-[0.9375rem] font-[550]">{words.keys.tryIt}</p>
              <SnippetPlate
                snippet={curlSnippet({
                  proxyBase: facts.proxyBase,
                  directBase: '',
                  model,
                  key: secret,
                  keyName: apiKey.name,
                })}
              />
            </div>
          )}
        </div>
        <DialogActions>
          <Link
            href="/connect"
            className="me-auto self-center text-[0.9375rem] text-accent underline underline-offset-3"
            onClick={(event) => {
              if (!isCopied) event.preventDefault();
              leave();
            }}
          >
            {words.keys.moreSnippets}
          </Link>
          <Button onClick={leave}>{words.keys.done}</Button>
        </DialogActions>
      </Dialog>
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={words.keys.notCopied}
        sentence={words.keys.notCopiedQuestion}
        action={words.keys.closeAnyway}
        confirm={close}
      />
    </>
  );
}
