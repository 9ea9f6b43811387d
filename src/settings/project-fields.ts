import { projectIdPattern, projectNamePattern, projectWeights } from '#vocabulary/project';
import { date, flag, freeText, listOf, numberWithin, text, wholeNumber } from './checks.ts';
import { knob, optionalKnob, requiredKnob, section } from './knob.ts';

const most = Number.MAX_SAFE_INTEGER;

export const limitsFields = {
  requestsPerMinute: optionalKnob(wholeNumber(0, most), { meaning: 'Requests in a minute.', change: 'live' }),
  tokensPerMinute: optionalKnob(wholeNumber(0, most), {
    meaning: 'Tokens of prompts and answers in a minute.',
    change: 'live',
  }),
  requestsAtOnce: optionalKnob(wholeNumber(0, most), {
    meaning: 'Requests that wait or are answered at the same time.',
    change: 'live',
  }),
  costPerDay: optionalKnob(numberWithin(0, most), { meaning: 'Cost in a day (UTC).', change: 'live' }),
  costPerMonth: optionalKnob(numberWithin(0, most), { meaning: 'Cost in a month (UTC).', change: 'live' }),
  costInTotal: optionalKnob(numberWithin(0, most), {
    meaning: 'Cost altogether, until the project ends.',
    change: 'live',
  }),
};

export const projectFields = {
  id: requiredKnob(
    text('a short name of lower-case letters, digits and dashes, such as `genomics`', projectIdPattern),
    { meaning: 'How keys, networks and reports call the project. `everyone` holds everybody.' },
  ),
  name: optionalKnob(text('a name of at most 100 characters', projectNamePattern), {
    meaning: 'How people call it. Without it the id.',
  }),
  description: knob(freeText, { fallback: '', meaning: 'One sentence for its members.' }),
  weight: knob(numberWithin(projectWeights.least, projectWeights.most), {
    fallback: 1,
    meaning:
      'Its part of the service when everybody wants it: weight 3 gets three times as much as weight 1.',
  }),
  models: knob(listOf(text('a model id')), {
    fallback: [],
    meaning: 'Models that its members may use through it. Empty: all.',
  }),
  groups: knob(listOf(text('a group name')), {
    fallback: [],
    meaning: 'Groups at the sign-in providers whose people are members.',
  }),
  ends: optionalKnob(date, {
    meaning: 'Day on which it ends (a course, a workshop). After it its keys are refused.',
  }),
  sharesPrompts: knob(flag, {
    fallback: false,
    meaning:
      'Whether its members may profit from prompts that an engine still holds of each other. Then the number of cached tokens can tell one what another asked.',
  }),
  limits: section('Limits of the project as a whole.', limitsFields),
  memberLimits: section('Limits of each of its members in it.', limitsFields),
};
