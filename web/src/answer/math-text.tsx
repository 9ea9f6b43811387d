import { useEffect, useRef, useState } from 'react';
import type { renderMath as renderMathInto } from './katex-renderer.ts';
import type { MathToken } from './markdown-lexer.ts';

type RenderMath = typeof renderMathInto;

/** A formula. Its source stands in until the renderer has been fetched, and stays when it cannot be read. */
export function MathText({ math }: { readonly math: MathToken }) {
  const place = useRef<HTMLSpanElement>(null);
  const [renderMath, setRenderMath] = useState<RenderMath | undefined>(() => loadedRenderer);
  useEffect(() => {
    if (renderMath !== undefined || !math.isClosed) return;
    let isCurrent = true;
    void loadRenderer().then((loaded) => {
      if (isCurrent && loaded !== undefined) setRenderMath(() => loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [renderMath, math.isClosed]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    if (renderMath === undefined || !math.isClosed || !renderMath(math.source, element, math.isBlock)) {
      element.textContent = math.source;
      element.classList.add('math-source');
    } else {
      element.classList.remove('math-source');
    }
  }, [renderMath, math.source, math.isBlock, math.isClosed]);
  return <span ref={place} className={math.isBlock ? 'math-block block' : undefined} />;
}

let loadedRenderer: RenderMath | undefined;

/** Undefined when the chunk cannot be fetched (offline): the source stays readable. */
async function loadRenderer(): Promise<RenderMath | undefined> {
  try {
    loadedRenderer = (await import('./katex-renderer.ts')).renderMath;
  } catch {
    loadedRenderer = undefined;
  }
  return loadedRenderer;
}
