import { numberWithin, wholeNumber } from './checks.ts';
import { knob, section } from './knob.ts';
import { limitsFields } from './project-fields.ts';

export const sharingFields = {
  cost: section('What tokens cost against each other, times the `costWeight` of the model.', {
    input: knob(numberWithin(0, 1000), { fallback: 1, meaning: 'A token of the prompt.' }),
    cachedInput: knob(numberWithin(0, 1000), {
      fallback: 0.1,
      meaning: 'A token of the prompt that the engine still held.',
    }),
    output: knob(numberWithin(0, 1000), { fallback: 3, meaning: 'A token of the answer.' }),
  }),
  limits: section('Limits for everybody who has no exception of their own.', {
    key: section('Of each API key.', limitsFields),
    person: section('Of each person, or address without a key, in everything they do.', limitsFields),
    member: section('Of each member of a project in that project.', limitsFields),
    project: section('Of each project as a whole.', limitsFields),
  }),
  assumedOutputTokens: knob(wholeNumber(1, 100_000_000), {
    fallback: 2048,
    meaning:
      'Answer that is reserved of budgets and of tokens per minute for a request that names no `max_tokens`.',
  }),
  backgroundShare: knob(numberWithin(0.001, 0.5), {
    fallback: 0.05,
    meaning:
      'Part of the service that background work (`service_tier: "flex"`) gets while interactive work wants all of it. What interactive work leaves, it gets too.',
  }),
  localityQuantum: knob(wholeNumber(0, 1_000_000_000), {
    fallback: 16_384,
    meaning:
      'Between people whose use differs by less than this cost, whoever asks something that an engine still holds goes first.',
  }),
};
