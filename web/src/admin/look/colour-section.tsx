import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { useClient } from '../../client/client-context.tsx';
import { type Papers, shadesOf } from '../../design/accent.ts';
import { Button } from '../../design/button.tsx';
import { darkPapers, lightPapers } from '../../design/papers.ts';
import { Section } from '../../design/section.tsx';
import { useAppearanceWords } from '../../language/appearance-words.ts';
import { useWords } from '../../language/language.tsx';
import { useNoteLook } from './use-note-look.ts';

const colourOfTheHouse = '#27695d';

export function ColourSection() {
  const words = useAppearanceWords();
  const general = useWords();
  const { service } = useSession();
  const client = useClient();
  const noteLook = useNoteLook();
  const notices = useNotices();
  const [colour, setColour] = useState(service.accent ?? colourOfTheHouse);
  const save = useMutation({
    mutationFn: (accent: string | null) =>
      client.call('PATCH /console/administration/appearance', { body: { accent } }),
    onSuccess: (look) => {
      notices.tell(words.saved);
      noteLook(look);
    },
    onError: (failure) => notices.complain(failureSentence(failure, general)),
  });
  return (
    <Section title={words.colour} lead={words.colourLead}>
      <div className="flex flex-wrap items-center gap-3">
        <label className="flex items-center gap-2.5 text-[0.9375rem] font-[550]">
          <input
            type="color"
            className="size-10 cursor-pointer rounded-lg border border-edge bg-raised p-1"
            value={colour}
            onChange={(event) => setColour(event.target.value)}
          />
          {words.chosen} <code className="font-mono text-sm font-normal text-ink-soft">{colour}</code>
        </label>
        <Button kind="primary" disabled={save.isPending} onClick={() => save.mutate(colour)}>
          {words.save}
        </Button>
        {service.accent !== null && (
          <Button
            disabled={save.isPending}
            onClick={() => {
              setColour(colourOfTheHouse);
              save.mutate(null);
            }}
          >
            {words.own}
          </Button>
        )}
      </div>
      <div className="mt-5 grid max-w-2xl gap-4 sm:grid-cols-2">
        <Sample title={words.light} colour={colour} papers={lightPapers} ink="#211f1b" />
        <Sample title={words.dark} colour={colour} papers={darkPapers} ink="#e8e5dd" />
      </div>
    </Section>
  );
}

interface SampleProps {
  readonly title: string;
  readonly colour: string;
  readonly papers: Papers;
  readonly ink: string;
}

/** How a button, a link and a wash look in one theme, whichever is on. Set through the DOM: the policy allows no style text. */
function Sample({ title, colour, papers, ink }: SampleProps) {
  const words = useAppearanceWords();
  const { accent, strong, wash, onAccent } = shadesOf(colour, papers);
  return (
    <figure
      className="rounded-xl border border-hairline p-4"
      style={{ background: papers.paper, color: ink }}
    >
      <figcaption className="mb-3 text-[0.9375rem] font-[550]">{title}</figcaption>
      <p className="flex flex-wrap items-center gap-3">
        <span className="rounded-lg px-3 py-1.5 font-[550]" style={{ background: accent, color: onAccent }}>
          {words.sample}
        </span>
        <span className="underline" style={{ color: accent }}>
          {words.sampleLink}
        </span>
        <span className="rounded-full px-2.5 py-0.5 text-sm" style={{ background: wash, color: strong }}>
          {words.sample}
        </span>
      </p>
      <p className="mt-3 text-sm">
        {accent === colour ? words.asChosen : words.adapted} <code className="font-mono">{accent}</code>
      </p>
    </figure>
  );
}
