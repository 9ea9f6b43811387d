import type { Model } from '#contract/models';
import type { AnswerSettings } from '../chat/conversation.ts';
import { createDraftList } from './draft-list.ts';

type Chosen = Partial<AnswerSettings> & { readonly id: 'chosen' };

/** What was chosen for a chat that has not begun waits with its words: one entry, or none. */
export const draftSettings = createDraftList<Chosen>({
  placeOf: (draft) => (draft === 'temporary' ? undefined : `${draft}.settings`),
});

export function chooseForDraft(
  draft: string,
  change: Partial<AnswerSettings>,
  preferred: Pick<AnswerSettings, 'systemPrompt'>,
): void {
  draftSettings.change(draft, ([now]) => {
    const { systemPrompt = preferred.systemPrompt, ...others } = { ...now, ...change };
    // Instructions that are the person's own go on following them.
    const own = systemPrompt === preferred.systemPrompt ? {} : { systemPrompt };
    return [{ ...others, ...own, id: 'chosen' }];
  });
}

export function settingsOfDraft(
  [chosen]: readonly Chosen[],
  defaults: AnswerSettings,
  models: readonly Model[],
): AnswerSettings {
  const { id: _, ...settings } = { ...defaults, ...chosen };
  // What was chosen days ago, or elsewhere, may not be there to be asked.
  const isThere = models.length === 0 || models.some(({ id }) => id === settings.model);
  return isThere ? settings : { ...settings, model: defaults.model };
}
