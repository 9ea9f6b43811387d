import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';
import type { Attachment } from './attachment.ts';
import { useFileSize } from './file-size.ts';
import type { Attachments } from './use-attachments.ts';

/** The files of the next question: how far each is, and what is wrong with it. */
export function AttachmentChips({ attachments }: { readonly attachments: Attachments }) {
  const words = useWords();
  if (attachments.all.length === 0) return null;
  return (
    <ul
      aria-label={words.documents.attached}
      className="flex max-h-[40vh] flex-wrap items-start gap-2 overflow-y-auto px-3 pt-3"
    >
      {attachments.all.map((attachment) => (
        <Chip key={attachment.id} attachment={attachment} remove={() => attachments.remove(attachment.id)} />
      ))}
    </ul>
  );
}

function Chip({ attachment, remove }: { readonly attachment: Attachment; readonly remove: () => void }) {
  const words = useWords();
  const { name, state, problem, progress, emptyPages, pageCount } = attachment;
  const isFailed = state === 'failed';
  const isBusy = state === 'reading' || state === 'sending';
  return (
    <li
      data-state={state}
      className={classes(
        'relative flex max-w-full items-start gap-2 overflow-hidden rounded-lg border py-1.5 ps-2.5 pe-1 text-sm',
        isFailed ? 'border-danger/40 bg-danger-wash text-danger' : 'border-hairline bg-sunken',
      )}
    >
      <span className={classes('mt-0.5', isFailed ? '' : 'text-ink-soft')}>
        <Icon name={isFailed ? 'warning' : attachment.kind === 'picture' ? 'picture' : 'file'} size={16} />
      </span>
      <span className="min-w-0">
        <span dir="auto" className="block max-w-64 truncate font-[550]">
          {name}
        </span>
        <span role="status" className={classes('block max-w-72', isFailed ? '' : 'text-ink-soft')}>
          {isFailed && problem !== undefined ? words.documents.problems[problem] : <Facts {...attachment} />}
        </span>
        {state === 'ready' && emptyPages > 0 && (
          <span className="block max-w-72 text-wait">
            {words.documents.emptyPages(emptyPages, pageCount)}
          </span>
        )}
      </span>
      <IconButton icon="close" size="small" label={words.documents.remove(name)} onClick={remove} />
      {isBusy && (
        <span
          aria-hidden="true"
          className="absolute start-0 bottom-0 h-0.5 w-full origin-left bg-accent transition-transform duration-150 rtl:origin-right"
          style={{ transform: `scaleX(${Math.max(0.03, progress)})` }}
        />
      )}
    </li>
  );
}

function Facts({ state, kind, pageCount, bytes }: Attachment) {
  const words = useWords();
  const size = useFileSize(bytes);
  if (state === 'reading') return words.documents.reading;
  if (state === 'sending') return words.documents.sending;
  const count = kind === 'notebook' ? words.documents.cells(pageCount) : words.documents.pages(pageCount);
  return kind === 'picture' ? size : `${count} · ${size}`;
}
