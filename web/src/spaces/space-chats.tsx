import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ChatInSpace, Space } from '#contract/spaces';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { useWords } from '../language/language.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { spaceAddress } from './space-line.tsx';
import { useChangePlace } from './use-spaces.ts';

export function SpaceChats({ space }: { readonly space: Space }) {
  const words = useSpacesWords();
  return (
    <Section title={words.chats} lead={words.chatsLead}>
      {space.chats.length === 0 && (
        <p className="rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">{words.noChats}</p>
      )}
      <ul>
        {space.chats.map((chat) => (
          <ChatRow key={chat.chatId} chat={chat} space={space} />
        ))}
      </ul>
    </Section>
  );
}

function ChatRow({ chat, space }: { readonly chat: ChatInSpace; readonly space: Space }) {
  const words = useSpacesWords();
  return (
    <li className="flex items-center justify-between gap-4 border-t border-hairline py-3 first:border-0">
      <div className="min-w-0">
        <Link
          href={`${spaceAddress(space.projectId)}/chats/${chat.chatId}`}
          dir="auto"
          className="block truncate font-[550] hover:underline"
        >
          {chat.title}
        </Link>
        <p className="text-[0.9375rem] text-ink-soft">
          {chat.isOwn ? words.byYou : words.by(chat.sharedBy)} · {words.lastWritten}{' '}
          <Moment at={chat.updatedAt} />
        </p>
      </div>
      {chat.isOwn ? (
        <OwnWithdrawal chat={chat} />
      ) : (
        space.isKeeper && <KeeperWithdrawal chat={chat} projectId={space.projectId} />
      )}
    </li>
  );
}

function OwnWithdrawal({ chat }: { readonly chat: ChatInSpace }) {
  const words = useSpacesWords();
  const { end } = useChangePlace(chat.chatId);
  return (
    <Button
      size="small"
      aria-label={words.withdrawOf(chat.title)}
      disabled={end.isPending}
      onClick={() => end.mutate('share')}
    >
      {words.withdraw}
    </Button>
  );
}

function KeeperWithdrawal({ chat, projectId }: { readonly chat: ChatInSpace; readonly projectId: string }) {
  const words = useSpacesWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [isAsked, setIsAsked] = useState(false);
  const withdraw = useMutation({
    mutationFn: () =>
      client.call('DELETE /console/spaces/:projectId/chats/:chatId', { projectId, chatId: chat.chatId }),
    onError: (failure) => notices.complain(failureSentence(failure, general)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.space(projectId) }),
  });
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        aria-label={words.withdrawOf(chat.title)}
        disabled={withdraw.isPending}
        onClick={() => setIsAsked(true)}
      >
        {words.withdraw}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        close={() => setIsAsked(false)}
        title={words.withdrawTitle}
        sentence={words.withdrawSentence}
        action={words.withdraw}
        confirm={() => withdraw.mutate()}
      />
    </>
  );
}
