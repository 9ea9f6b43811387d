import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheFolder } from '#harness/python-environment';
import { pocketModel } from '../real-engine.ts';
import { convertModel } from './convert-model.ts';

/** The pocket model as a folder, converted once. Told relative to the folder in which engines run. */
export function convertedModel(): string {
  const name = `${basename(pocketModel, '.gguf')}-converted`;
  const folder = join(cacheFolder, name);
  // Written last by the converter.
  if (!existsSync(join(folder, 'model.safetensors'))) convertModel(pocketModel, folder);
  return name;
}
