import { OperatorProblem } from '#vocabulary/operator-problem';
import type { ModelReference } from './model-reference.ts';

/** The name under which a pulled file is kept: one plain file name, never a path. */
export function chooseFileName(reference: ModelReference, wanted: string | undefined): string {
  const name = wanted ?? suggestedName(reference);
  if (isModelFileName(name)) return name;
  throw new OperatorProblem(
    wanted === undefined
      ? 'The reference does not end in a plain file name such as model.gguf. Give one with --name.'
      : 'A model file is named with letters, digits, dots and dashes, and ends in .gguf.',
  );
}

export function isModelFileName(name: string): boolean {
  return name.length <= 150 && /^[A-Za-z0-9][A-Za-z0-9._+-]*\.gguf$/.test(name);
}

function suggestedName(reference: ModelReference): string {
  switch (reference.kind) {
    case 'hub':
      return lastSegment(reference.file);
    case 'web':
      return lastSegment(reference.url.pathname);
    case 'file':
      return lastSegment(reference.path.replaceAll('\\', '/'));
    default: {
      const [first = ''] = reference.packages;
      return `${first.replace(/^@/, '').replace(/@.*$/, '').replaceAll('/', '-')}.gguf`;
    }
  }
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
