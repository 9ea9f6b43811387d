import { Button } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { useChangePlace, usePlaceOfChat, useSpaces } from './use-spaces.ts';

/** In the dialog that shares a chat: with the members of a project, live. */
export function ShareInSpace({ chatId }: { readonly chatId: string }) {
  const words = useSpacesWords();
  const { chat } = useWords();
  const spaces = useSpaces();
  const place = usePlaceOfChat(chatId);
  const { share, end } = useChangePlace(chatId);
  if (place === undefined) return null;
  // A chat that is asked in a project is shared there and nowhere else.
  const offered = spaces.filter(({ projectId }) => place?.isInside !== true || place.projectId === projectId);
  if (offered.length === 0) return null;
  const isBusy = share.isPending || end.isPending;
  return (
    <section className="mt-6 border-t border-hairline pt-5">
      <h3 className="font-[600]">{words.shareTitle}</h3>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{words.shareLead}</p>
      <ul className="mt-3 flex flex-col gap-2">
        {offered.map(({ projectId, name }) => {
          const isHere = place?.projectId === projectId;
          const isShared = isHere && place.isShared;
          const isInside = isHere && place.isInside;
          return (
            <li key={projectId} className="flex items-center justify-between gap-3">
              <span dir="auto" className="min-w-0 truncate">
                {isShared ? words.sharedIn(name) : isInside ? words.inside(name) : name}
              </span>
              <Button
                size="small"
                aria-label={
                  isShared ? words.withdrawOf(name) : isInside ? words.shareHere : words.shareIn(name)
                }
                disabled={isBusy}
                onClick={() => (isShared ? end.mutate('share') : share.mutate(projectId))}
              >
                {isShared ? words.withdraw : isInside ? words.shareHere : chat.share}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
