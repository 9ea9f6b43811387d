import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useSession } from '../../app/session.tsx';
import { CallFailed } from '../../client/call-failed.ts';
import { useClient } from '../../client/client-context.tsx';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Mark } from '../../design/mark.tsx';
import { Section } from '../../design/section.tsx';
import { useAppearanceWords } from '../../language/appearance-words.ts';
import { useWords } from '../../language/language.tsx';
import { useNoteLook } from './use-note-look.ts';

const maxBytes = 128 * 1024;
const types = ['image/png', 'image/svg+xml'] as const;

export function LogoSection() {
  const words = useAppearanceWords();
  const general = useWords();
  const { service } = useSession();
  const client = useClient();
  const noteLook = useNoteLook();
  const field = useRef<HTMLInputElement>(null);
  const [isNoPicture, setIsNoPicture] = useState(false);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const type = types.find((known) => known === file.type);
      setIsNoPicture(type === undefined || file.size > maxBytes);
      if (type === undefined || file.size > maxBytes) return;
      const base64 = await readBase64(file);
      noteLook(await client.call('PUT /console/administration/appearance/logo', { body: { type, base64 } }));
    },
  });
  const remove = useMutation({
    mutationFn: () => client.call('DELETE /console/administration/appearance/logo', {}),
    onSuccess: noteLook,
  });
  const failure = upload.error ?? remove.error;
  const problem = isNoPicture
    ? words.notAPicture
    : failure === null
      ? undefined
      : failure instanceof CallFailed && failure.param === 'logo'
        ? words.refused
        : failureSentence(failure, general);
  return (
    <Section title={words.logo} lead={words.logoLead}>
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid size-20 place-items-center rounded-xl border border-hairline bg-raised">
          <Mark size={52} />
        </span>
        <input
          ref={field}
          type="file"
          accept={types.join(',')}
          className="sr-only"
          aria-label={words.choose}
          tabIndex={-1}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) upload.mutate(file);
            event.target.value = '';
          }}
        />
        <Button disabled={upload.isPending} onClick={() => field.current?.click()}>
          <Icon name="upload" size={16} />
          {words.choose}
        </Button>
        {service.logoUrl !== null && (
          <Button disabled={remove.isPending} onClick={() => remove.mutate()}>
            {words.remove}
          </Button>
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="mt-3 max-w-prose text-danger">
          {problem}
        </p>
      )}
    </Section>
  );
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''),
    );
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });
}
