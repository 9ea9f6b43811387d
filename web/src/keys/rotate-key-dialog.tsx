import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#contract/keys';
import { failureSentence } from '../app/failure-sentence.ts';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { SelectField } from '../design/field.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import type { NewSecret } from './new-secret-dialog.tsx';

interface RotateKeyDialogProps {
  readonly isOpen: boolean;
  readonly apiKey: ApiKey;
  readonly close: () => void;
  readonly reveal: (secret: NewSecret) => void;
}

/** A new secret while the old one keeps working for a while, so that nothing stops. */
export function RotateKeyDialog({ isOpen, apiKey, close, reveal }: RotateKeyDialogProps) {
  const words = usePagesWords();
  const client = useClient();
  const [overlapHours, setOverlapHours] = useState(24);
  const rotate = useMutation({
    mutationFn: () =>
      client.call('POST /console/keys/:keyId/rotate', { keyId: apiKey.id, body: { overlapHours } }),
    onSuccess: ({ key, secret }) => {
      close();
      reveal({ key, secret });
    },
  });
  return (
    <Dialog
      isOpen={isOpen}
      close={close}
      title={words.keys.rotateTitle(apiKey.name)}
      description={words.keys.rotateLead}
    >
      <SelectField
        label={words.keys.overlap}
        value={overlapHours}
        onChange={(event) => setOverlapHours(Number(event.target.value))}
      >
        {overlapChoices.map((hours) => (
          <option key={hours} value={hours}>
            {words.keys.overlapHours(hours)}
          </option>
        ))}
      </SelectField>
      {rotate.error !== null && (
        <p role="alert" className="mt-3 text-danger">
          {failureSentence(rotate.error, words)}
        </p>
      )}
      <DialogActions>
        <Button onClick={close}>{words.general.cancel}</Button>
        <Button kind="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          {words.keys.rotate}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const overlapChoices = [0, 1, 24, 168];
