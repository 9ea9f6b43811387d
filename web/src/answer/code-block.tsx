import { Fragment, memo, Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { PreviewButton } from '../previews/preview-button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { useWords } from '../language/language.tsx';
import { cutIntoPlates, keepPlates, lineCount } from './code-plates.ts';
import type { highlight as highlightCode, HighlightNode } from './highlighter.ts';
import { useNearView } from './near-view.ts';

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  readonly isGrowing: boolean;
}

/** Its colours and buttons come near the view only: an answer may have hundreds of them. */
export const CodeBlock = memo(function CodeBlock({ code, language, isGrowing }: CodeBlockProps) {
  const words = useWords();
  const place = useRef<HTMLElement>(null);
  const isNear = useNearView(place);
  const name = /^[\w+#.-]*/.exec(language)?.[0] ?? '';
  return (
    <figure
      ref={place}
      className="overflow-hidden rounded-lg border border-hairline bg-sunken"
      data-code={name}
    >
      <figcaption className="flex h-9 items-center justify-between border-b border-hairline ps-3.5 pe-1 text-[0.8125rem] text-ink-soft">
        <span>{name === '' ? words.answer.code : name}</span>
        {isNear && !isGrowing && (
          <span className="flex">
            <Suspense>
              <PreviewButton code={code} language={name} />
            </Suspense>
            <CopyButton text={code} label={words.answer.copyCode} />
          </span>
        )}
      </figcaption>
      <pre
        className="overflow-x-auto rounded-b-lg px-3.5 py-3 font-mono text-[0.84375rem] leading-[1.55] -outline-offset-2"
        tabIndex={0}
      >
        <Highlighted code={code} language={name.toLowerCase()} isGrowing={isGrowing} isNear={isNear} />
      </pre>
    </figure>
  );
});

type Highlight = typeof highlightCode;

interface HighlightedProps extends CodeBlockProps {
  readonly isNear: boolean;
}

/**
 * While code grows, its last lines wait for their colours: each time all of it is read anew. It stands on plates of a
 * few lines, each laid out by itself, so that only the last of them is laid out again.
 */
function Highlighted({ code, language, isGrowing, isNear }: HighlightedProps): ReactNode {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loadedHighlighter);
  useEffect(() => {
    if (highlight !== undefined || language === '') return;
    let isCurrent = true;
    import('./highlighter.ts')
      .then((loaded) => {
        loadedHighlighter = loaded.highlight;
        if (isCurrent) setHighlight(() => loaded.highlight);
      })
      // Offline or replaced by an upgrade: plain code is still code.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [highlight, language]);
  const beginning = useRef('');
  beginning.current = isGrowing ? colouredBeginning(code, beginning.current) : code;
  const coloured = beginning.current;
  const drawn = useRef<HighlightNode[][]>([]);
  const plates = useMemo(() => {
    const isColoured = isNear && highlight !== undefined && coloured.length <= maxHighlightedCharacters;
    const nodes = (isColoured ? highlight(coloured, language) : undefined) ?? [coloured];
    drawn.current = keepPlates(drawn.current, cutIntoPlates(nodes));
    return drawn.current;
  }, [isNear, highlight, coloured, language]);
  const filled = plates.length - 1;
  const rests = cutIntoPlates([code.slice(coloured.length)], lineCount(plates[filled] ?? []));
  return (
    <code>
      {Array.from({ length: filled + rests.length }, (_, index) => (
        <Plate
          key={index}
          nodes={plates[index] ?? nothing}
          rest={(rests[index - filled]?.[0] ?? '') as string}
        />
      ))}
    </code>
  );
}

/** The first lines of a short piece at once; of a long one, whose end is far from what has its colours, by halves. */
function colouredBeginning(code: string, known: string): string {
  const lines = code.slice(0, code.lastIndexOf('\n') + 1);
  const growth = known.length < longCharacters ? 1.125 : 1.5;
  return code.startsWith(known) && lines.length <= known.length * growth ? known : lines;
}

const longCharacters = 12_000;

let loadedHighlighter: Highlight | undefined;
const maxHighlightedCharacters = 40_000;
const nothing: readonly HighlightNode[] = [];

interface PlateProps {
  readonly nodes: readonly HighlightNode[];
  readonly rest: string;
}

const Plate = memo(function Plate({ nodes, rest }: PlateProps) {
  return (
    <span className="block">
      {nodes.map(highlightedNode)}
      {rest}
    </span>
  );
});

function highlightedNode(node: HighlightNode, index: number): ReactNode {
  if (typeof node === 'string') return <Fragment key={index}>{node}</Fragment>;
  return (
    <span key={index} className={node.className}>
      {node.children.map(highlightedNode)}
    </span>
  );
}
