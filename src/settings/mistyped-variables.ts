import { nearestWord } from '#vocabulary/nearest-word';
import { everyKnob } from './every-knob.ts';
import type { SettingsMistake } from './mistakes.ts';

/**
 * Only what is nearly one of ours is a mistake: people keep their own `GATEHOUSE_…` variables for clients, and
 * clusters add some for every service.
 */
export function mistypedVariables(variables: NodeJS.ProcessEnv): SettingsMistake[] {
  const known = new Set(['GATEHOUSE_SETTINGS', ...everyKnob().flatMap(({ environment }) => environment)]);
  return Object.entries(variables).flatMap(([name, text = '']) => {
    if (!name.startsWith(prefix) || known.has(name) || known.has(name.replace(/_FILE$/, ''))) return [];
    const remedy = remedyFor(name, text, known);
    if (remedy === undefined) return [];
    const place = `environment ${name}`;
    return [{ knob: name, place, problem: 'There is no variable of this name.', remedy }];
  });
}

const prefix = 'GATEHOUSE_';

function remedyFor(name: string, text: string, known: ReadonlySet<string>): string | undefined {
  if (name === 'GATEHOUSE_PORT' && /^\d+$/.test(text))
    return 'Write PORT, or GATEHOUSE_LISTEN with host and port.';
  if (text === '' || addedByClusters.test(name)) return undefined;
  const ends = [...known].filter((it) => it.startsWith(prefix)).map((it) => it.slice(prefix.length));
  const meant = nearestWord(name.slice(prefix.length), ends);
  return meant === undefined ? undefined : `Did you mean ${prefix}${meant}?`;
}

const addedByClusters = /_PORT(_\d+_.*)?$|_SERVICE_(HOST|PORT.*)$/;
