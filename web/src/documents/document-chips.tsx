import type { AttachedDocument } from '#contract/documents';
import { Icon } from '../design/icon.tsx';
import { useClient } from '../client/client-context.tsx';
import { useWords } from '../language/language.tsx';
import { useOpenDocument } from './document-places.tsx';
import { useFileSize } from './file-size.ts';

/** What came along with a question that was sent. */
export function DocumentChips({ documents }: { readonly documents: readonly AttachedDocument[] }) {
  const words = useWords();
  if (documents.length === 0) return null;
  return (
    <ul aria-label={words.documents.attached} className="mb-2 flex max-w-[85%] flex-wrap justify-end gap-2">
      {documents.map((document) => (
        <li key={document.id} className="max-w-full">
          {document.kind === 'picture' ? <Picture document={document} /> : <File document={document} />}
        </li>
      ))}
    </ul>
  );
}

function File({ document }: { readonly document: AttachedDocument }) {
  const words = useWords();
  const open = useOpenDocument();
  const size = useFileSize(document.bytes);
  const count =
    document.kind === 'notebook'
      ? words.documents.cells(document.pageCount)
      : words.documents.pages(document.pageCount);
  return (
    <button
      type="button"
      disabled={open === undefined}
      className="flex max-w-full items-start gap-2 rounded-lg border border-hairline bg-raised px-2.5 py-1.5 text-start text-sm transition-colors duration-150 enabled:hover:border-edge enabled:hover:bg-sunken"
      onClick={() => open?.({ document, page: 1, passage: null })}
    >
      <span className="mt-0.5 text-ink-soft">
        <Icon name="file" size={16} />
      </span>
      <span className="min-w-0">
        <span dir="auto" className="block max-w-64 truncate font-[550]">
          {document.name}
        </span>
        <span className="block text-ink-soft">
          {count} · {size}
        </span>
      </span>
    </button>
  );
}

function Picture({ document }: { readonly document: AttachedDocument }) {
  const client = useClient();
  const open = useOpenDocument();
  if (open === undefined) return <File document={document} />;
  const address = client.address('GET /console/documents/:documentId/original', { documentId: document.id });
  return (
    <img
      src={address}
      alt={document.name}
      loading="lazy"
      className="max-h-56 max-w-full rounded-lg border border-hairline object-contain"
    />
  );
}
