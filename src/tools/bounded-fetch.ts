import { ToolProblem } from './tool-problem.ts';

/** Between the last byte of an answer and the moment at which it must have been understood. */
const digestMs = 250;

/**
 * How the MCP library reaches a server: no redirects, no stream that nobody asked for, so many bytes in all, and
 * nothing after `signal`. `onProblem` is told of what the library would wait out: an answer that is too large or
 * that ends before its end.
 */
export function createBoundedFetch(parts: {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onProblem: (problem: ToolProblem) => void;
}): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const { signal, onProblem } = parts;
  let bytesLeft = parts.maxBytes;
  let posts = 0;

  return async (url, init = {}) => {
    // The standing stream for what a server wants to say unasked: we want to hear nothing.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    const post = ++posts;
    const response = await reach(url, { ...init, redirect: 'error', signal });
    if (response.body === null) return response;
    const body = bounded(response.body, () => post === posts);
    return new Response(body, { status: response.status, headers: response.headers });
  };

  function bounded(source: ReadableStream<Uint8Array>, isNewest: () => boolean): ReadableStream<Uint8Array> {
    const reader = source.getReader();
    let isWanted = true;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!isWanted) return;
          bytesLeft -= value?.length ?? 0;
          if (bytesLeft < 0) throw new ToolProblem('too_large');
          if (value !== undefined) controller.enqueue(value);
          if (!done) return;
          controller.close();
          // Whoever has been answered goes on to the next request, or is done.
          setTimeout(() => isNewest() && onProblem(new ToolProblem('unreachable')), digestMs).unref();
        } catch (error) {
          if (!isWanted) return;
          const problem = error instanceof ToolProblem ? error : new ToolProblem('unreachable', error);
          onProblem(problem);
          controller.error(problem);
          await reader.cancel().catch(() => undefined);
        }
      },
      async cancel(reason) {
        isWanted = false;
        await reader.cancel(reason);
      },
    });
  }
}

async function reach(url: string | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new ToolProblem('unreachable', error);
  }
}
