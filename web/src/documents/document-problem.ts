/** Why a file cannot be brought; each has its sentence. */
export type DocumentProblemCode =
  | 'unsupported'
  | 'unreadable'
  | 'password'
  | 'noText'
  | 'empty'
  | 'tooLarge'
  | 'tooLong'
  | 'storageFull'
  | 'noPicturesHere'
  | 'notSent';

export class DocumentProblem extends Error {
  readonly code: DocumentProblemCode;

  constructor(code: DocumentProblemCode, cause?: unknown) {
    super(code, { cause });
    this.name = 'DocumentProblem';
    this.code = code;
  }
}
