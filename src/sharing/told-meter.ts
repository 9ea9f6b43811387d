import { isObject } from '#dialects/json-object';
import { type AmountName, amountNames, type Amounts } from './meter-part.ts';

/** What a gateway tells the others of one meter. */
export interface ToldMeter {
  readonly name: string;
  readonly epoch: number;
  /** Since the beginning of the epoch. */
  readonly taken: { readonly requests: number; readonly tokens: number; readonly cost: number };
  readonly running: number;
  /** Of budgets, by what runs. */
  readonly reserved: number;
  /** What it may take without asking. */
  readonly held: Amounts;
  readonly waiting: {
    readonly [name in AmountName]?: { readonly wanted: number; readonly unit: number };
  };
  readonly hunger: number;
  /** How much a minute brings; null where it is not limited. */
  readonly perMinute: { readonly requests: number | null; readonly tokens: number | null };
  /** What was left, as far as that gateway knew, for one that has just started. */
  readonly left: { readonly requests: number; readonly tokens: number };
  readonly spent: { readonly day: number; readonly month: number; readonly total: number };
}

/** By name. What is no account of a meter is passed over: a gateway of another version may have told it. */
export function readToldMeters(value: unknown): ReadonlyMap<string, ToldMeter> {
  const meters = new Map<string, ToldMeter>();
  if (Array.isArray(value)) for (const each of value) if (isToldMeter(each)) meters.set(each.name, each);
  return meters;
}

function isToldMeter(value: unknown): value is ToldMeter {
  if (!isObject(value) || typeof value['name'] !== 'string' || !isObject(value['waiting'])) return false;
  const { waiting, perMinute } = value;
  return (
    hasNumbers(value, ['epoch', 'running', 'reserved', 'hunger']) &&
    hasNumbers(value['taken'], ['requests', 'tokens', 'cost']) &&
    hasNumbers(value['held'], amountNames) &&
    hasNumbers(value['left'], ['requests', 'tokens']) &&
    hasNumbers(value['spent'], ['day', 'month', 'total']) &&
    Object.values(waiting).every((demand) => hasNumbers(demand, ['wanted', 'unit'])) &&
    isObject(perMinute) &&
    ['requests', 'tokens'].every((name) => perMinute[name] === null || Number.isFinite(perMinute[name]))
  );
}

function hasNumbers(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => Number.isFinite(value[name]));
}
