import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { usePreviewsWords } from '../language/previews-words.ts';
import { frameContent, type FrameContent } from './frame-content.ts';
import type { Preview, PreviewKind } from './preview.ts';

interface PreviewPanelProps {
  readonly preview: Preview;
  readonly close: () => void;
}

/**
 * A document of a model beside the chat, in a frame of an origin of its own, without a network: what the frame may do
 * is decided by the header that comes with `/preview`, and once more by the attribute here.
 */
export function PreviewPanel({ preview, close }: PreviewPanelProps) {
  const words = usePreviewsWords();
  const panel = useRef<HTMLElement>(null);
  const [content, setContent] = useState<FrameContent | 'failed'>();
  useEffect(() => panel.current?.focus(), [preview]);
  useEffect(() => {
    let isCurrent = true;
    setContent(undefined);
    frameContent(preview)
      .then((made) => isCurrent && setContent(made))
      .catch(() => isCurrent && setContent('failed'));
    return () => {
      isCurrent = false;
    };
  }, [preview]);
  const title = words.titles[preview.kind];
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      className="fixed inset-0 z-30 flex flex-col border-hairline bg-paper outline-none lg:static lg:z-auto lg:w-[26rem] lg:shrink-0 lg:border-s xl:w-[36rem]"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-hairline ps-5 pe-2">
        <h2 className="min-w-0 flex-1 truncate font-[600]">{title}</h2>
        <IconButton icon="download" label={words.save} onClick={() => save(preview)} />
        <IconButton icon="close" label={words.close} onClick={close} />
      </header>
      {content === 'failed' && <p className="px-5 py-4 text-danger">{words.failed}</p>}
      {content === undefined && <p className="sr-only">{words.loading}</p>}
      {content !== undefined && content !== 'failed' && (
        <SealedFrame key={serial(content)} content={content} title={title} />
      )}
      <p className="shrink-0 border-t border-hairline px-5 py-2 text-sm text-ink-faint">{words.sealed}</p>
    </aside>
  );
}

function SealedFrame({ content, title }: { readonly content: FrameContent; readonly title: string }) {
  const isGiven = useRef(false);
  return (
    <iframe
      src="/preview"
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      className="min-h-0 w-full flex-1 bg-white"
      onLoad={({ currentTarget }) => {
        // Writing the document ends in another `load`; what is there then is not our listener any more.
        if (isGiven.current) return;
        isGiven.current = true;
        // The frame has no origin that could be named.
        currentTarget.contentWindow?.postMessage(content, '*');
      }}
    />
  );
}

const serials = new WeakMap<FrameContent, number>();
let lastSerial = 0;

/** Another content is another frame. */
function serial(content: FrameContent): number {
  const known = serials.get(content) ?? ++lastSerial;
  serials.set(content, known);
  return known;
}

const fileNames: Readonly<Record<PreviewKind, string>> = {
  html: 'page.html',
  svg: 'drawing.svg',
  csv: 'table.csv',
  mermaid: 'diagram.mmd',
  vega: 'plot.vl.json',
};

/** As plain data: a browser that opens it again asks first. */
function save({ kind, source }: Preview): void {
  const address = URL.createObjectURL(new Blob([source], { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: fileNames[kind] });
  link.click();
  URL.revokeObjectURL(address);
}
