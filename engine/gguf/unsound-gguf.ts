/** A file is not the GGUF file it should be. The message is the second half of a sentence: "it is …". */
export class UnsoundGguf extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UnsoundGguf';
  }
}
