/** Begins the path of a schema that nobody wrote, below the one it was made from. No JSON pointer holds it. */
export const madeUp = '/~!';

/** A schema that cannot be honoured exactly. The message is a sentence for the caller of the API. */
export class UnsupportedSchema extends Error {
  /** The keyword that is to blame; '' when the schema as a whole is. */
  readonly keyword: string;
  /** JSON pointer to the schema object that holds the keyword. */
  readonly path: string;

  constructor(keyword: string, at: string, reason: string) {
    const [path = ''] = at.split(madeUp);
    const where = path === '' ? 'at the top of the schema' : `at ${path}`;
    super(keyword === '' ? `The schema ${where} ${reason}.` : `The keyword "${keyword}" ${where} ${reason}.`);
    this.name = 'UnsupportedSchema';
    this.keyword = keyword;
    this.path = path;
  }
}
