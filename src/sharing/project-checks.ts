import type { Catalogue } from '#vocabulary/catalogue';
import { type LimitName, type Limits, limitNames } from '#vocabulary/limits';
import {
  type ProjectChange,
  projectIdPattern,
  projectNamePattern,
  projectWeights,
} from '#vocabulary/project';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';

const maxEntries = 100;
const maxGroupLength = 200;
const maxDescriptionLength = 500;
/** The last day that everybody can write. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export function checkProjectId(id: string): string {
  if (!projectIdPattern.test(id))
    throw wrong(
      'id',
      'A project needs an id of lower-case letters, digits and dashes, such as `genomics`, of at most 64 characters.',
    );
  if (id === everyone)
    throw new Refusal(
      'conflict',
      '`everyone` is always there. Its weight and models can be written in the settings file, under `projects`.',
    );
  return id;
}

/** What is given is checked; lists come back without repetitions. */
export function checkChange(change: ProjectChange, catalogue: Catalogue): ProjectChange {
  const { name, description, weight, models, endsAt, groups } = change;
  if (name !== undefined && !projectNamePattern.test(name))
    throw wrong('name', 'The name of a project has 1 to 100 characters on one line.');
  if (description !== undefined && (description.length > maxDescriptionLength || /\p{Cc}/u.test(description)))
    throw wrong('description', `The description is one line of at most ${maxDescriptionLength} characters.`);
  const { least, most } = projectWeights;
  if (weight !== undefined && !(weight >= least && weight <= most))
    throw wrong('weight', `The weight of a project is a number from ${least} to ${most}.`);
  if (typeof endsAt === 'number' && !(Number.isSafeInteger(endsAt) && endsAt > 0 && endsAt <= latestMs))
    throw wrong('endsAt', 'The end of a project is a day such as 2027-02-28.');
  return {
    ...change,
    ...(models && { models: checkModels(models, catalogue) }),
    ...(groups && { groups: checkGroups(groups) }),
  };
}

export function checkModel(modelId: string, catalogue: Catalogue): void {
  const ids = catalogue.models.map(({ id }) => id);
  if (ids.includes(modelId)) return;
  throw wrong('models', `There is no model \`${modelId.slice(0, 100)}\`. Offered are: ${ids.join(', ')}.`);
}

/** Only what is known and given; whole numbers where parts make no sense. */
export function checkLimits(limits: Limits): Limits {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const amount = limits[name];
      if (amount === undefined) return [];
      if (!isAmount(name, amount))
        throw wrong(
          `limits.${name}`,
          `\`${name}\` is ${isCost(name) ? 'a number' : 'a whole number'} from 0 upwards.`,
        );
      return [[name, amount]];
    }),
  );
}

function isAmount(name: LimitName, amount: number): boolean {
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER)) return false;
  return isCost(name) || Number.isInteger(amount);
}

function isCost(name: LimitName): boolean {
  return name.startsWith('cost');
}

function checkModels(models: readonly string[], catalogue: Catalogue): readonly string[] {
  refuseTooMany('models', models);
  for (const id of models) checkModel(id, catalogue);
  return [...new Set(models)];
}

function checkGroups(groups: readonly string[]): readonly string[] {
  refuseTooMany('groups', groups);
  const trimmed = groups.map((group) => group.trim());
  if (trimmed.some((group) => group === '' || group.length > maxGroupLength || /\p{Cc}/u.test(group)))
    throw wrong('groups', `The name of a group has 1 to ${maxGroupLength} characters.`);
  return [...new Set(trimmed)];
}

function refuseTooMany(param: string, entries: readonly string[]): void {
  if (entries.length > maxEntries) throw wrong(param, `A project takes at most ${maxEntries} ${param}.`);
}

function wrong(param: string, message: string): Refusal {
  return new Refusal('invalid_parameter', message, { param });
}
