import { createContext, type RefObject, use, useEffect, useRef } from 'react';
import type { AnswerSettings, Conversation } from '../chat/conversation.ts';

/** What a new chat is to begin with. */
export interface WantedBeginning {
  readonly settings: Partial<AnswerSettings>;
  /** Goes into the composer. */
  readonly prompt?: string;
  /** In whose space; undefined for none. */
  readonly projectId?: string | undefined;
}

/** The chat before one's eyes, for what is not part of it: the palette. */
export interface ChatAtHand {
  /** Undefined where no chat is shown. */
  conversation: Conversation | undefined;
  /** For the next new chat. */
  wanted: WantedBeginning | undefined;
  /** A new chat before one's eyes takes what is wanted. */
  begin: (() => void) | undefined;
}

const ChatAtHandContext = createContext<RefObject<ChatAtHand> | undefined>(undefined);

export const ChatAtHandProvider = ChatAtHandContext;

export function useNewChatAtHand(): RefObject<ChatAtHand> {
  return useRef<ChatAtHand>({ conversation: undefined, wanted: undefined, begin: undefined });
}

export function useChatAtHand(): RefObject<ChatAtHand> {
  const hand = use(ChatAtHandContext);
  if (hand === undefined) throw new Error('The chat at hand is part of the signed-in app.');
  return hand;
}

/** Called by whoever shows a chat, with how words come into its composer. */
export function useHandOver(conversation: Conversation, write: (prompt: string) => void): void {
  const hand = useChatAtHand();
  useEffect(() => {
    const { current } = hand;
    current.conversation = conversation;
    current.begin = () => {
      const { wanted } = current;
      if (wanted === undefined || conversation.kind !== 'new') return;
      if (wanted.projectId !== conversation.projectId) return;
      current.wanted = undefined;
      conversation.changeSettings(wanted.settings);
      if (wanted.prompt !== undefined && wanted.prompt !== '') write(wanted.prompt);
    };
    current.begin();
  });
  useEffect(
    () => () => {
      hand.current.conversation = undefined;
      hand.current.begin = undefined;
    },
    [hand],
  );
}
