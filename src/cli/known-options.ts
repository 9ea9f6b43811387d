import { nearestWord } from '#vocabulary/nearest-word';
import { type Command, WrongUse } from './command.ts';

/**
 * Refuses an option that the command knows and this action does not take: it would be left unheeded, and whoever wrote
 * it would not hear of it.
 */
export function refuseForeignOptions({ name, usage }: Command, args: readonly string[]): void {
  const options = readSynopsis(name, usage);
  const action = options.has(args[0] ?? '') ? (args[0] ?? '') : '';
  const own = options.get(action);
  if (own === undefined) return;
  const known = new Set([...options.values()].flatMap((each) => [...each]));
  for (const option of writtenOptions(args))
    if (known.has(option) && !own.has(option) && !everywhere.has(option))
      throw new WrongUse(`gatehouse ${`${name} ${action}`.trim()} does not take ${option}. ${takes(own)}`);
}

/** What `node:util` says about arguments, in a sentence of ours. */
export function argumentMistake({ name, usage }: Command, args: readonly string[], message: string): string {
  const [, option] = /^(?:Unknown option|Option) '(-{1,2}[^' ]*)/.exec(message) ?? [];
  if (option === undefined) {
    const [, word] = /^Unexpected argument '(.*?)'/.exec(message) ?? [];
    return word === undefined ? message : `"${word}" is too much.`;
  }
  if (message.includes('does not take an argument')) return `${option} takes no value.`;
  if (!message.startsWith('Unknown'))
    return `${option} needs a value. One that begins with a dash is written like ${option}=-1.`;
  const options = readSynopsis(name, usage);
  const own = options.get(args[0] ?? '') ?? options.get('');
  const meant = nearestWord(
    option,
    [...options.values()].flatMap((each) => [...each]),
  );
  if (meant !== undefined) return `There is no option ${option}. Did you mean ${meant}?`;
  return `There is no option ${option}.${own === undefined ? '' : ` ${takes(own)}`}`;
}

/** Said in the list of options rather than with each action. */
const everywhere: ReadonlySet<string> = new Set(['--settings']);

function takes(own: ReadonlySet<string>): string {
  return own.size === 0 ? 'It takes none.' : `It takes: ${[...own].join(', ')}.`;
}

function writtenOptions(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*$/s, ''));
}

/** The options of each action, as the first lines of the help tell them; under the empty name those without an action. */
function readSynopsis(name: string, usage: string): ReadonlyMap<string, ReadonlySet<string>> {
  const [head = ''] = usage.split('\n\n', 1);
  const options = new Map<string, ReadonlySet<string>>();
  let before: ReadonlySet<string> = new Set();
  for (const entry of head.split(`gatehouse ${name} `).slice(1)) {
    // What is named elsewhere in the help is not told here.
    if (/LIMIT…|\[options\]/.test(entry)) continue;
    const [action = ''] = /^[a-z][a-z-]*(?=\s|$)/.exec(entry) ?? [];
    const named = entry.match(/--[a-z][a-z0-9-]*/g) ?? [];
    const own = new Set([...(entry.includes('the same') ? before : []), ...named]);
    options.set(action, own);
    before = own;
  }
  return options;
}
