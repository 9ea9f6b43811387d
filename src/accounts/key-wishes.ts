import { canonicalNetwork } from '#vocabulary/address';
import { Refusal } from '#vocabulary/refusal';

const maxNameLength = 100;
const maxEntries = 100;
const maxModelLength = 200;

export function checkKeyName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > maxNameLength || hasControlCharacter(trimmed)) {
    throw new Refusal('invalid_parameter', `A key needs a name of 1 to ${maxNameLength} characters.`, {
      param: 'name',
    });
  }
  return trimmed;
}

export function checkModels(models: readonly string[]): readonly string[] {
  refuseTooMany(models, 'models');
  const distinct = [...new Set(models.map((model) => model.trim()))];
  if (distinct.some((model) => model === '' || model.length > maxModelLength || hasControlCharacter(model))) {
    throw new Refusal('invalid_parameter', 'Each entry of models must be the id of a model.', {
      param: 'models',
    });
  }
  return distinct;
}

/** Addresses become networks of one; networks lose their host bits. */
export function checkNetworks(networks: readonly string[]): readonly string[] {
  refuseTooMany(networks, 'networks');
  return [...new Set(networks.map((written) => canonicalNetwork(written.trim()) ?? refuseNetwork(written)))];
}

function refuseNetwork(written: string): never {
  throw new Refusal(
    'invalid_parameter',
    `${JSON.stringify(written.slice(0, 60))} is not a network. Write it like 192.0.2.0/24 or 2001:db8::/32.`,
    { param: 'networks' },
  );
}

function refuseTooMany(entries: readonly string[], param: string): void {
  if (entries.length <= maxEntries) return;
  throw new Refusal('invalid_parameter', `A key can be restricted to at most ${maxEntries} ${param}.`, {
    param,
  });
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
