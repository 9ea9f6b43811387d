import type { Route } from '#vocabulary/inference';

/** Where an engine's own bytes are not what OpenAI's clients expect, besides names and thinking. See docs/engines.md. */
export function strays({ engine, request }: Route): boolean {
  const { fields } = request.envelope;
  switch (engine.kind) {
    case 'vllm':
      // The first fragment of a call comes without arguments.
      return request.wantsStream && fields.has('tools');
    case 'sglang':
      // Nulls where fields should be absent; an id for each choice; offsets of minus one.
      return !request.wantsStream || fields.has('tools') || fields.has('n') || fields.has('logprobs');
    case 'llama-server':
      // Fields left out; usage once for each choice; text completions in the manner of chats.
      return (
        !request.wantsStream || fields.has('tools') || fields.has('n') || request.endpoint === 'completions'
      );
    case 'openai':
    case 'embedded':
      return false;
  }
}

/** On the chunk that ends a choice, where others send a frame of its own. */
export function tellsUsageWithTheEnd({ engine, request }: Route): boolean {
  return engine.kind === 'llama-server' && request.endpoint === 'completions';
}

/** With the time of the chunk, where others keep the time of the answer. */
export function stampsEveryChunk({ engine }: Route): boolean {
  return engine.kind === 'sglang' || engine.kind === 'llama-server';
}

/** Thoughts come between tags inside the text. */
export function thinksInline({ engine, replica, request }: Route): boolean {
  if (engine.kind === 'embedded') return request.reasoning === 'think-tags';
  return replica.upstreamReasoning === 'inline';
}

export function isGeneration(endpoint: Route['request']['endpoint']): boolean {
  return endpoint === 'chat/completions' || endpoint === 'completions';
}
