import { IconButton } from '../design/icon-button.tsx';
import { usePreviewsWords } from '../language/previews-words.ts';
import { previewKindOf } from './preview-kind.ts';
import { useOpenPreview } from './preview.ts';

/** For code that is a document of its own; nothing for other code, and where there is no room beside. */
export function PreviewButton({ code, language }: { readonly code: string; readonly language: string }) {
  const words = usePreviewsWords();
  const open = useOpenPreview();
  const kind = open === undefined ? undefined : previewKindOf(language, code);
  if (open === undefined || kind === undefined) return null;
  return (
    <IconButton icon="panel" size="small" label={words.open} onClick={() => open({ kind, source: code })} />
  );
}
