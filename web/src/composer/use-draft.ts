import { useState } from 'react';
import { useSession } from '../app/session.tsx';
import type { Conversation } from '../chat/conversation.ts';
import { draftName, readDraft, writeDraft } from './drafts.ts';

interface Draft {
  readonly text: string;
  readonly write: (text: string) => void;
  /** Words that could not be sent come back, unless others stand there by now. */
  readonly giveBack: (text: string) => void;
}

/** The words of an unsent message wait in this browser, one draft per chat; temporary chats leave none. */
export function useDraft({ kind, chatId }: Pick<Conversation, 'kind' | 'chatId'>): Draft {
  const { person } = useSession();
  const name = kind === 'temporary' ? undefined : draftName(person.id, chatId);
  const [draft, setDraft] = useState(() => readAs(name));
  // Another chat: its words are there in the very drawing that shows it.
  if (draft.name !== name) setDraft(readAs(name));
  const write = (text: string) => {
    setDraft({ name, text });
    if (name !== undefined) writeDraft(name, text);
  };
  return {
    text: draft.name === name ? draft.text : readAs(name).text,
    write,
    giveBack: (text) => {
      setDraft((now) => (now.text === '' ? { ...now, text } : now));
      if (name !== undefined && readDraft(name) === '') writeDraft(name, text);
    },
  };
}

function readAs(name: string | undefined): { readonly name: string | undefined; readonly text: string } {
  return { name, text: name === undefined ? '' : readDraft(name) };
}
