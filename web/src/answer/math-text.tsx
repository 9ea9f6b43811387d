import { useEffect, useRef, useState } from 'react';
import type * as KatexRenderer from './katex-renderer.ts';
import type { MathToken } from './markdown-lexer.ts';
import { whenNearView } from './near-view.ts';

type Renderer = typeof KatexRenderer;

/**
 * A formula. Its source stands in until the renderer has been fetched, and stays when it cannot be read. One that
 * stands alone is drawn near the view only, and has its height before: nothing moves when it comes.
 */
export function MathText({ math }: { readonly math: MathToken }) {
  const place = useRef<HTMLSpanElement>(null);
  const [renderer, setRenderer] = useState<Renderer | undefined>(() => loadedRenderer);
  useEffect(() => {
    if (renderer !== undefined || !math.isClosed) return;
    let isCurrent = true;
    void loadRenderer().then((loaded) => {
      if (isCurrent && loaded !== undefined) setRenderer(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [renderer, math.isClosed]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => {
      const isDrawn = math.isClosed && renderer?.renderMath(math.source, element, math.isBlock) === true;
      if (!isDrawn) element.textContent = math.source;
      element.classList.toggle('math-source', !isDrawn);
    };
    if (!math.isBlock || !math.isClosed || renderer?.holdPlace(math.source, element) !== true) return draw();
    return whenNearView(element, draw);
  }, [renderer, math.source, math.isBlock, math.isClosed]);
  return <span ref={place} className={math.isBlock ? 'math-block block' : undefined} />;
}

let loadedRenderer: Renderer | undefined;

/** Undefined when the chunk cannot be fetched (offline): the source stays readable. */
async function loadRenderer(): Promise<Renderer | undefined> {
  try {
    loadedRenderer = await import('./katex-renderer.ts');
  } catch {
    loadedRenderer = undefined;
  }
  return loadedRenderer;
}
