import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { Button } from '../../design/button.tsx';
import { TextArea, TextField } from '../../design/field.tsx';
import { Section } from '../../design/section.tsx';
import { useAppearanceWords } from '../../language/appearance-words.ts';
import { useWords } from '../../language/language.tsx';
import { ColourSection } from './colour-section.tsx';
import { LogoSection } from './logo-section.tsx';
import { useNoteLook } from './use-note-look.ts';

/** What makes the service look like one's own. */
export function LookSection() {
  return (
    <>
      <WordsSection />
      <ColourSection />
      <LogoSection />
    </>
  );
}

function WordsSection() {
  const words = useAppearanceWords();
  const general = useWords();
  const { service } = useSession();
  const [name, setName] = useState(service.name);
  const [signInLead, setSignInLead] = useState(service.signInLead);
  const [signInHelp, setSignInHelp] = useState(service.signInHelp);
  const client = useClient();
  const noteLook = useNoteLook();
  const notices = useNotices();
  const save = useMutation({
    mutationFn: () =>
      client.call('PATCH /console/administration/appearance', { body: { name, signInLead, signInHelp } }),
    onSuccess: (look) => {
      notices.tell(words.saved);
      noteLook(look);
    },
  });
  return (
    <Section title={words.words}>
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={60}
          value={name}
          problem={save.error === null ? undefined : failureSentence(save.error, general)}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={words.lead}
          hint={words.usual}
          maxLength={200}
          value={signInLead}
          onChange={(event) => setSignInLead(event.target.value)}
        />
        <TextArea
          label={words.help}
          hint={words.usual}
          rows={2}
          maxLength={500}
          value={signInHelp}
          onChange={(event) => setSignInHelp(event.target.value)}
        />
        <Button type="submit" kind="primary" className="self-start" disabled={save.isPending}>
          {words.save}
        </Button>
      </form>
    </Section>
  );
}
