import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Preset, PresetWishes } from '#contract/presets';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';
import { usePresetsWords } from '../language/presets-words.ts';

/** Whose presets they are. */
export type PresetOwner =
  | { readonly scope: 'person' }
  | { readonly scope: 'project'; readonly projectId: string }
  | { readonly scope: 'service' };

/** A new one, or with an id in place of that. */
export function useSavePreset(owner: PresetOwner, presetId: string | undefined) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PresetWishes) => (presetId === undefined ? create(body) : change(presetId, body)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.presets }),
  });

  function create(body: PresetWishes) {
    switch (owner.scope) {
      case 'person':
        return client.call('POST /console/presets', { body });
      case 'project':
        return client.call('POST /console/spaces/:projectId/presets', { projectId: owner.projectId, body });
      case 'service':
        return client.call('POST /console/administration/presets', { body });
    }
  }

  function change(id: string, body: PresetWishes) {
    switch (owner.scope) {
      case 'person':
        return client.call('PUT /console/presets/:presetId', { presetId: id, body });
      case 'project':
        return client.call('PUT /console/spaces/:projectId/presets/:presetId', {
          projectId: owner.projectId,
          presetId: id,
          body,
        });
      case 'service':
        return client.call('PUT /console/administration/presets/:presetId', { presetId: id, body });
    }
  }
}

export function useRemovePreset({ id: presetId, scope, projectId }: Preset) {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const everywhere = useWords();
  const words = usePresetsWords();
  return useMutation({
    mutationFn: () => {
      if (projectId !== null)
        return client.call('DELETE /console/spaces/:projectId/presets/:presetId', { projectId, presetId });
      return scope === 'person'
        ? client.call('DELETE /console/presets/:presetId', { presetId })
        : client.call('DELETE /console/administration/presets/:presetId', { presetId });
    },
    onSuccess: () => notices.tell(words.deleted),
    onError: (failure) => notices.complain(failureSentence(failure, everywhere)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.presets }),
  });
}
