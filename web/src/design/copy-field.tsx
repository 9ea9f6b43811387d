import { useEffect, useId, useState } from 'react';
import { useWords } from '../language/language.tsx';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  readonly copyLabel: string;
  readonly onCopied?: (() => void) | undefined;
}

/** Something to take along: read-only, selected by a click, with a button that copies it. */
export function CopyField({ label, text, copyLabel, onCopied }: CopyFieldProps) {
  const words = useWords();
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-[0.9375rem] font-[550]">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={text}
          className="field min-w-0 font-mono text-[0.84375rem]"
          onFocus={(event) => event.target.select()}
        />
        <Button
          kind="primary"
          className="min-w-28"
          onClick={() => {
            void copyText(text).then((isDone) => {
              setIsCopied(isDone);
              if (isDone) onCopied?.();
            });
          }}
        >
          <Icon name={isCopied ? 'check' : 'copy'} size={16} />
          {isCopied ? words.general.copied : copyLabel}
        </Button>
      </div>
    </div>
  );
}
