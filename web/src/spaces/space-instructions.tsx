import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Space } from '#contract/spaces';
import { failureSentence } from '../app/failure-sentence.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { TextArea } from '../design/field.tsx';
import { Section } from '../design/section.tsx';
import { useWords } from '../language/language.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';

export function SpaceInstructions({ space }: { readonly space: Space }) {
  const words = useSpacesWords();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <Section
      title={words.instructions}
      lead={words.instructionsLead}
      actions={
        space.isKeeper &&
        !isEditing && (
          <Button size="small" onClick={() => setIsEditing(true)}>
            {words.edit}
          </Button>
        )
      }
    >
      {isEditing ? (
        <InstructionsForm space={space} done={() => setIsEditing(false)} />
      ) : (
        <p
          dir="auto"
          className={`max-w-prose break-words whitespace-pre-line ${space.instructions === '' ? 'text-ink-soft' : ''}`}
        >
          {space.instructions === '' ? words.noInstructions : space.instructions}
        </p>
      )}
    </Section>
  );
}

function InstructionsForm({ space, done }: { readonly space: Space; readonly done: () => void }) {
  const words = useSpacesWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const [instructions, setInstructions] = useState(space.instructions);
  const { projectId } = space;
  const save = useMutation({
    mutationFn: () =>
      client.call('PUT /console/spaces/:projectId/instructions', { projectId, body: { instructions } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.space(projectId) });
      done();
    },
  });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextArea
        label={words.instructions}
        rows={6}
        maxLength={100_000}
        dir="auto"
        value={instructions}
        problem={save.error === null ? undefined : failureSentence(save.error, general)}
        onChange={(event) => setInstructions(event.target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={save.isPending}>
          {words.save}
        </Button>
        <Button onClick={done}>{words.cancel}</Button>
      </div>
    </form>
  );
}
