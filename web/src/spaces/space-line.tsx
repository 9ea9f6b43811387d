import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { useBeginning, useChangePlace, usePlaceOfChat, useSpaces } from './use-spaces.ts';

interface SpaceLineProps {
  readonly chatId: string | null;
  /** For a new chat: where it begins. */
  readonly projectId: string | undefined;
}

/** Above the composer of a chat that belongs to a project. */
export function SpaceLine({ chatId, projectId }: SpaceLineProps) {
  if (chatId !== null) return <StoredLine chatId={chatId} />;
  return projectId === undefined ? <StrangerLine /> : <NewLine projectId={projectId} />;
}

function StrangerLine() {
  const words = useSpacesWords();
  return useBeginning().isStranger && <Line>{words.stranger}</Line>;
}

function NewLine({ projectId }: { readonly projectId: string }) {
  const words = useSpacesWords();
  const space = useSpaces().find((each) => each.projectId === projectId);
  if (space === undefined) return null;
  if (!space.hasEnded) return <Line>{words.begins(space.name)}</Line>;
  return (
    <Line>
      {words.ended(space.name)}
      <Link href="/" className="text-accent underline underline-offset-3">
        {words.takeOut}
      </Link>
    </Line>
  );
}

function StoredLine({ chatId }: { readonly chatId: string }) {
  const words = useSpacesWords();
  const place = usePlaceOfChat(chatId);
  const { end } = useChangePlace(chatId);
  const space = useSpaces().find((each) => each.projectId === place?.projectId);
  if (place === undefined || place === null) return null;
  const hasEnded = place.isInside && space?.hasEnded === true;
  if (!place.isMember || hasEnded)
    return (
      <Line>
        {place.isMember ? words.ended(place.name) : words.left(place.name)}
        <Button
          kind="quiet"
          size="small"
          className="text-accent"
          disabled={end.isPending}
          onClick={() => end.mutate('place')}
        >
          {words.takeOut}
        </Button>
      </Line>
    );
  return (
    <Line>
      <Link href={spaceAddress(place.projectId)} className="underline underline-offset-3 hover:text-ink">
        {place.isInside ? words.inside(place.name) : words.sharedIn(place.name)}
      </Link>
      {place.isInside && place.isShared && <span>· {words.sharedHere}</span>}
    </Line>
  );
}

function Line({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mx-auto mb-2 flex w-full max-w-[48rem] items-center gap-2 px-5 text-[0.9375rem] text-ink-soft sm:px-6">
      <span className="shrink-0">
        <Icon name="people" size={16} />
      </span>
      <p className="flex min-w-0 flex-wrap items-center gap-x-2">{children}</p>
    </div>
  );
}

export function spaceAddress(projectId: string): string {
  return `/spaces/${encodeURIComponent(projectId)}`;
}
