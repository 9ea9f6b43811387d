/** What no schema of one chunk can say: how the chunks of a stream belong together. */
export interface StreamedChunk {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly text?: string;
    readonly delta?: {
      readonly role?: string;
      readonly tool_calls?: readonly {
        index: number;
        id?: string;
        type?: string;
        function: { name?: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: object | null;
}

export interface StreamExpectation {
  readonly model: string;
  readonly hasUsage: boolean;
  /** False when the caller left or the engine failed: then an end is not expected. */
  readonly isWhole: boolean;
}

export function faultsOfStream(chunks: readonly StreamedChunk[], expected: StreamExpectation): string[] {
  return [
    ...faultsOfSameness(chunks, expected.model),
    ...faultsOfEnd(chunks, expected),
    ...faultsOfRoles(chunks),
    ...faultsOfToolCalls(chunks),
  ];
}

/** Answers carry the id as it is listed, also when the caller wrote it in another case or with a maker's prefix. */
export function isSameModel(asked: string | undefined, answered: string): boolean {
  return asked?.replace(/^openai\//, '').toLowerCase() === answered.toLowerCase();
}

function faultsOfSameness(chunks: readonly StreamedChunk[], model: string): string[] {
  const faults: string[] = [];
  if (new Set(chunks.map(({ id }) => id)).size > 1) faults.push('the id changes within a stream');
  if (new Set(chunks.map(({ created }) => created)).size > 1) faults.push('created changes within a stream');
  for (const chunk of chunks)
    if (!isSameModel(model, chunk.model)) faults.push(`asked ${model}, answered as ${chunk.model}`);
  return faults;
}

function faultsOfEnd(chunks: readonly StreamedChunk[], { hasUsage, isWhole }: StreamExpectation): string[] {
  const faults: string[] = [];
  const finished = new Set<number>();
  const seen = new Set<number>();
  for (const { index, finish_reason: finish } of chunks.flatMap(({ choices }) => choices)) {
    if (finished.has(index)) faults.push(`choice ${index} goes on after its finish_reason`);
    seen.add(index);
    if (finish !== null) finished.add(index);
  }
  if (isWhole && (seen.size === 0 || finished.size < seen.size)) faults.push('a choice has no finish_reason');
  const withoutChoices = chunks.filter(({ choices }) => choices.length === 0);
  const usages = chunks.filter(({ usage }) => usage !== undefined && usage !== null);
  if (!hasUsage && (withoutChoices.length > 0 || usages.length > 0))
    faults.push('usage that was not asked for');
  if (hasUsage && isWhole && (usages.length !== 1 || usages[0] !== chunks.at(-1)))
    faults.push('usage comes once, in the last chunk');
  return faults;
}

function faultsOfRoles(chunks: readonly StreamedChunk[]): string[] {
  const firsts = new Map<number, string | undefined>();
  for (const { index, delta } of chunks.flatMap(({ choices }) => choices))
    if (delta !== undefined && !firsts.has(index)) firsts.set(index, delta.role);
  return [...firsts]
    .filter(([, role]) => role !== 'assistant')
    .map(([index]) => `choice ${index} has no role`);
}

/** Identity comes with the first fragment of a call and never again. */
function faultsOfToolCalls(chunks: readonly StreamedChunk[]): string[] {
  const faults: string[] = [];
  const known = new Set<string>();
  for (const { index, delta } of chunks.flatMap(({ choices }) => choices)) {
    for (const call of delta?.tool_calls ?? []) {
      const name = `${index}/${call.index}`;
      const marks = [call.id, call.type, call.function.name];
      const isRight = known.has(name)
        ? marks.every((mark) => mark === undefined)
        : marks.every((mark) => mark !== undefined);
      if (!isRight) faults.push(`tool call ${name}: id, type and name belong to its first fragment only`);
      known.add(name);
    }
  }
  return faults;
}
