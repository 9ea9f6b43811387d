import { createContext, type RefObject, use, useEffect, useRef } from 'react';
import type { AnswerSettings, Conversation } from '../chat/conversation.ts';

/** The chat before one's eyes, for what is not part of it: the palette. */
export interface ChatAtHand {
  /** Undefined where no chat is shown. */
  conversation: Conversation | undefined;
  /** What the next new chat begins with. */
  wanted: Partial<AnswerSettings> | undefined;
}

const ChatAtHandContext = createContext<RefObject<ChatAtHand> | undefined>(undefined);

export const ChatAtHandProvider = ChatAtHandContext;

export function useNewChatAtHand(): RefObject<ChatAtHand> {
  return useRef<ChatAtHand>({ conversation: undefined, wanted: undefined });
}

export function useChatAtHand(): RefObject<ChatAtHand> {
  const hand = use(ChatAtHandContext);
  if (hand === undefined) throw new Error('The chat at hand is part of the signed-in app.');
  return hand;
}

/** Called by whoever shows a chat. */
export function useHandOver(conversation: Conversation): void {
  const hand = useChatAtHand();
  useEffect(() => {
    hand.current.conversation = conversation;
    const { wanted } = hand.current;
    if (wanted !== undefined && conversation.kind === 'new') {
      hand.current.wanted = undefined;
      conversation.changeSettings(wanted);
    }
  });
  useEffect(
    () => () => {
      hand.current.conversation = undefined;
    },
    [hand],
  );
}
