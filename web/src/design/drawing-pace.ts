interface Rest {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/**
 * When to draw what comes in many pieces: sooner than one reads it, and so seldom that one can type and scroll
 * meanwhile. After each drawing there is a rest, the longer the longer it took.
 */
export function createDrawingPace(
  { shortestMs, longestMs }: Rest,
  draw: () => void,
): (isAtOnce: boolean) => void {
  let restsUntil = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFrameAsked = false;

  return (isAtOnce) => {
    if (isFrameAsked) return;
    if (isAtOnce) askForFrame();
    else if (timer === undefined) askAfterRest();
  };

  /** Asked again when the time has come: what the last drawing took is known a little after it. */
  function askAfterRest(): void {
    const restMs = restsUntil - performance.now();
    if (restMs > 0) timer = setTimeout(askAfterRest, Math.ceil(restMs));
    else askForFrame();
  }

  function askForFrame(): void {
    clearTimeout(timer);
    timer = undefined;
    isFrameAsked = true;
    nextFrame(() => {
      const begunMs = performance.now();
      isFrameAsked = false;
      restsUntil = begunMs + shortestMs;
      draw();
      // When this is due, the page has been drawn.
      setTimeout(() => {
        const tookMs = performance.now() - begunMs;
        restsUntil = begunMs + Math.min(longestMs, Math.max(shortestMs, restShare * tookMs));
      });
    });
  }
}

/** Drawing takes about a twentieth of the time, unless that would be too seldom. */
const restShare = 20;

/** A hidden window draws no frames, but its answers still end. */
function nextFrame(action: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(action, 100);
  else requestAnimationFrame(action);
}
