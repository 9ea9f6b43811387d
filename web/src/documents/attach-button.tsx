import { useRef } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';

export function AttachButton({ attach }: { readonly attach: (files: readonly File[]) => void }) {
  const words = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="clip" label={words.documents.attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="attach"
        aria-label={words.documents.attach}
        onChange={({ target }) => {
          attach([...(target.files ?? [])]);
          // The same file may be chosen again after it was removed.
          target.value = '';
        }}
      />
    </>
  );
}
