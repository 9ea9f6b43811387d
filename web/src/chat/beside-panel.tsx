import { DocumentPanel } from '../documents/document-panel.tsx';
import type { DocumentPlace } from '../documents/document-places.tsx';
import { PreviewPanel } from '../previews/preview-panel.tsx';
import type { Preview } from '../previews/preview.ts';

/** What is open beside the chat: one thing at a time. */
export type Beside = { readonly place: DocumentPlace } | { readonly preview: Preview };

interface BesidePanelProps {
  readonly beside: Beside;
  readonly close: () => void;
}

export function BesidePanel({ beside, close }: BesidePanelProps) {
  return 'place' in beside ? (
    <DocumentPanel place={beside.place} close={close} />
  ) : (
    <PreviewPanel preview={beside.preview} close={close} />
  );
}
