import type { Catalogue } from '#vocabulary/catalogue';
import type { EmbeddedEngineStatus } from '#vocabulary/embedded-engine';

/** What a person wants to know in the first second: where to click, where to call, what is loaded. */
export function welcome(parts: {
  readonly version: string;
  readonly url: string;
  /** It listens at every address, and nobody has said by which name people reach it. */
  readonly isUrlGuessed: boolean;
  readonly signInLink: string | undefined;
  readonly catalogue: Catalogue;
}): string {
  const { url, signInLink, catalogue } = parts;
  const width = Math.max(...catalogue.models.map(({ id }) => id.length));
  const models = catalogue.models.map(({ id, path }) => `${id.padEnd(width)}  ${url}/${path}/v1/`);
  return block([
    [`Gatehouse ${parts.version}`],
    [],
    signInLink === undefined ? ['Open', url] : ['Open', signInLink, 'signs you in once, as the operator'],
    ...(parts.isUrlGuessed
      ? [['', 'From elsewhere: the name of this machine in its place. Set publicUrl, and links have it.']]
      : []),
    ['API', `${url}/api/`, 'with an API key: user menu, Settings, Account, API keys'],
    ...models.map((line, index) => [index === 0 ? 'Direct' : '', line]),
  ]);
}

/** Told when the engines that start with the service have done so, or have not. */
export function enginesLoaded(engines: readonly EmbeddedEngineStatus[]): string {
  if (engines.length === 0) return '';
  return block([
    ...engines.map((engine, index) => [index === 0 ? 'Engine' : '', describeEngine(engine)]),
    ['', 'For a bigger model: npm run gatehouse -- models pull --help'],
  ]);
}

function describeEngine({ name, facts, state }: EmbeddedEngineStatus): string {
  if (facts === undefined || state.kind !== 'ready') {
    return `${name}: ${'reason' in state ? state.reason : state.kind}`;
  }
  const where = facts.gpu === 'off' ? processorThreads(facts.threads) : facts.gpu;
  const seconds = ((facts.loadMs + facts.warmUpMs) / 1000).toFixed(1);
  return `${name}: ${facts.architecture}, ${shortCount(facts.parameters)} parameters, ${facts.contextTokens} tokens of context, ${facts.slots} at a time, on ${where}; ready in ${seconds} s`;
}

function processorThreads(count: number): string {
  return count === 1 ? '1 processor thread' : `${count} processor threads`;
}

function shortCount(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} billion`;
  return `${(count / 1e6).toFixed(1)} million`;
}

function block(lines: readonly (readonly string[])[]): string {
  const text = lines.map(([label = '', value = '', note]) => {
    const start = value === '' ? label : `${label.padEnd(8)}${value}`;
    return `  ${start}${note === undefined ? '' : `  (${note})`}`.trimEnd();
  });
  return `\n${text.join('\n')}\n`;
}
