import { readGgufHeader } from './read-gguf-header.ts';

/** The chat template as it stands in a model file; undefined when it has none. */
export async function readModelTemplate(path: string): Promise<string | undefined> {
  const { metadata } = await readGgufHeader(path);
  const template = metadata.get('tokenizer.chat_template');
  return typeof template === 'string' ? template : undefined;
}
