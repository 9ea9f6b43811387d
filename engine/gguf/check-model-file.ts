import { UnsoundGguf } from './unsound-gguf.ts';
import { readGgufHeader } from './read-gguf-header.ts';

export type ModelFileCheck =
  | { readonly isSound: true; readonly fileBytes: number }
  /** A whole sentence for the operator. */
  | { readonly isSound: false; readonly problem: string };

/** Whether a file can be served, as far as its header and its length tell. Never throws. */
export async function checkModelFile(path: string): Promise<ModelFileCheck> {
  try {
    return { isSound: true, fileBytes: (await readGgufHeader(path)).fileBytes };
  } catch (error) {
    const problem =
      error instanceof UnsoundGguf
        ? `The model file ${path} is broken: ${error.message}. Fetch it again with "gatehouse models pull".`
        : describeSystemError(path, (error as NodeJS.ErrnoException).code);
    return { isSound: false, problem };
  }
}

function describeSystemError(path: string, code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no model file at ${path}. Correct modelFile in the settings, or fetch one with "gatehouse models pull"; "gatehouse models list" shows what is here.`;
    case 'EACCES':
    case 'EPERM':
      return `The model file ${path} may not be read by this user. Change its permissions.`;
    default:
      return `The model file ${path} could not be read (${code ?? 'unknown error'}). Check the disk it is on.`;
  }
}
