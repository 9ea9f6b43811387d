import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './snippet-bench.ts';

/** What the README asks its reader to paste: fenced blocks, and commands within a sentence. */
export interface Readme {
  readonly blocks: readonly Block[];
  readonly commands: readonly string[];
}

export interface Block {
  readonly language: string;
  readonly text: string;
}

export function readReadme(): Readme {
  const source = readFileSync(join(repository, 'README.md'), 'utf8');
  const fenced = /^```(\w*)\n([^]*?)^```$/gm;
  const blocks = [...source.matchAll(fenced)].map(([, language = '', text = '']) => ({ language, text }));
  const prose = source.replaceAll(fenced, '');
  const commands = [...prose.matchAll(/`(npm run gatehouse -- [^`]+|(?:keys|usage|models) [^`]+)`/g)].map(
    ([, command = '']) => command.replace(/^npm run gatehouse -- /, ''),
  );
  return { blocks, commands };
}
