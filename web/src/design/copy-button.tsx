import { useEffect, useState } from 'react';
import { useWords } from '../language/language.tsx';
import { IconButton } from './icon-button.tsx';
import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label: string;
  readonly shortcut?: string;
}

/** Says that it worked by becoming a check for a moment. */
export function CopyButton({ text, label, shortcut }: CopyButtonProps) {
  const words = useWords();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      size="small"
      label={isCopied ? words.general.copied : label}
      shortcut={shortcut}
      onClick={() => {
        void copyText(typeof text === 'string' ? text : text()).then(setIsCopied);
      }}
    />
  );
}
