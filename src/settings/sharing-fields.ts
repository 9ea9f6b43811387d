import { numberWithin, wholeNumber } from './checks.ts';
import { knob, section } from './knob.ts';

export const sharingFields = {
  cost: section('What tokens cost against each other, times the `costWeight` of the model.', {
    input: knob(numberWithin(0, 1000), { fallback: 1, meaning: 'A token of the prompt.' }),
    cachedInput: knob(numberWithin(0, 1000), {
      fallback: 0.1,
      meaning: 'A token of the prompt that the engine still held.',
    }),
    output: knob(numberWithin(0, 1000), { fallback: 3, meaning: 'A token of the answer.' }),
  }),
  backgroundShare: knob(numberWithin(0.001, 0.5), {
    fallback: 0.05,
    meaning:
      'Part of the service that background work (`service_tier: "flex"`) gets while interactive work wants all of it. What interactive work leaves, it gets too.',
  }),
  localityQuantum: knob(wholeNumber(0, 1_000_000_000), {
    fallback: 4096,
    meaning:
      'Between people whose use differs by less than this cost, whoever asks something that an engine still holds goes first.',
  }),
};
