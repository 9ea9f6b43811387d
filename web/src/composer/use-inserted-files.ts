import { useEffect, useRef, useState, type ClipboardEvent } from 'react';
import { useNotices } from '../app/notices.tsx';
import { useWords } from '../language/language.tsx';
import { maxFileBytes, textOf } from './file-text.ts';

interface InsertedFiles {
  /** Files are being held over the page. */
  readonly isOver: boolean;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Files dropped anywhere on the page or pasted: text goes into the message, of everything else the page says why not. */
export function useInsertedFiles(insert: (text: string) => void): InsertedFiles {
  const words = useWords();
  const notices = useNotices();
  const [isOver, setIsOver] = useState(false);
  const take = async (files: readonly File[]) => {
    const texts: string[] = [];
    for (const file of files) {
      const text = await textOf(file);
      if (text !== undefined) texts.push(text);
      else
        notices.complain(
          (file.size > maxFileBytes ? words.composer.tooLong : words.composer.notText)(file.name),
        );
    }
    if (texts.length > 0) insert(texts.join('\n\n'));
  };
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setIsOver(event.type === 'dragover');
    };
    addEventListener('dragover', onDrag, { signal });
    addEventListener('dragleave', onDrag, { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event.dataTransfer)) return;
        // The browser would leave the page and open the file.
        event.preventDefault();
        setIsOver(false);
        void latest.current([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => listeners.abort();
  }, []);
  return {
    isOver,
    onPaste(event) {
      const files = [...event.clipboardData.files];
      if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      void take(files);
    },
  };
}

function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') ?? false;
}
