import { useEffect, useRef, useState, type ClipboardEvent } from 'react';
import { useWords } from '../language/language.tsx';

interface DroppedFiles {
  /** Files are being held over the page. */
  readonly isOver: boolean;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Files dropped anywhere on the page or pasted; a text of more than a screen that is pasted becomes one too. */
export function useDroppedFiles(take: (files: readonly File[]) => void): DroppedFiles {
  const words = useWords();
  const [isOver, setIsOver] = useState(false);
  const fileOf = (text: string) => new File([text], `${words.documents.pasted}.txt`, { type: 'text/plain' });
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
        latest.current([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => listeners.abort();
  }, []);
  return {
    isOver,
    onPaste(event) {
      const text = event.clipboardData.getData('text/plain');
      const files = text === '' ? [...event.clipboardData.files] : isLong(text) ? [fileOf(text)] : [];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    },
  };
}

/** More than a screen: it would bury the question. */
function isLong(text: string): boolean {
  return text.length > 3000 || text.split('\n', 41).length > 40;
}

function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') ?? false;
}
