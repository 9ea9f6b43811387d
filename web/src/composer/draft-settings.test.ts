import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Model } from '#contract/models';
import { chooseForDraft, draftSettings, settingsOfDraft } from './draft-settings.ts';
import { rememberInMemory } from './storage-in-memory.ts';

const kept = rememberInMemory();

const defaults = { model: 'small', effort: null, systemPrompt: 'Be short.', parameters: {} };
const served = ['small', 'large'].map((id) => ({ id }) as Model);
const choose = (change: Parameters<typeof chooseForDraft>[1]) => chooseForDraft('new', change, defaults);
/** As a page that comes anew finds it. */
const reopened = (preferred = defaults, models = served) => {
  draftSettings.forget('new');
  return settingsOfDraft(draftSettings.of('new'), preferred, models);
};

beforeEach(() => draftSettings.change('new', () => []));

test('what was chosen for a new chat is there after a reload, and gone once it has begun', () => {
  choose({ model: 'large' });
  choose({ systemPrompt: 'Be long.', parameters: { temperature: 0.2 } });
  const chosen = {
    model: 'large',
    effort: null,
    systemPrompt: 'Be long.',
    parameters: { temperature: 0.2 },
  };
  assert.deepEqual(reopened(), chosen);
  assert.deepEqual(reopened(defaults, []), chosen, 'before the models are known');
  draftSettings.change('new', () => []);
  assert.deepEqual(reopened(), defaults);
});

test('what is asked for later counts more, and a temporary chat leaves nothing', () => {
  choose({ model: 'large', parameters: { temperature: 0.2 } });
  choose({ model: 'small' });
  assert.deepEqual(reopened(), { ...defaults, parameters: { temperature: 0.2 } });
  const before = { ...kept };
  chooseForDraft('temporary', { model: 'large' }, defaults);
  assert.deepEqual({ ...kept }, before);
});

test('a model that is not served there is not asked, and instructions left alone follow the preferences', () => {
  choose({ model: 'large', systemPrompt: 'Be short.', parameters: { seed: 7 } });
  const later = { ...defaults, systemPrompt: 'Be kind.' };
  assert.deepEqual(reopened(later, served.slice(0, 1)), { ...later, parameters: { seed: 7 } });
});
