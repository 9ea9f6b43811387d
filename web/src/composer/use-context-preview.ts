import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SentContext } from '#contract/context';
import type { Conversation } from '../chat/conversation.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import type { Attachments } from '../documents/use-attachments.ts';

/** A pause in typing after which it is worth asking. */
const pauseMs = 700;

/** What the model would be given if the question were sent now. The service decides it, so the service is asked. */
export function useContextPreview(
  conversation: Conversation,
  text: string,
  attachments: Attachments,
): SentContext | undefined {
  const client = useClient();
  const { chatId, kind, path, projectId, running, settings } = conversation;
  const content = usePaused(text);
  const documents = attachments.all.flatMap(({ document }) => document?.id ?? []);
  const parentId = path.at(-1)?.id ?? null;
  const { model, systemPrompt, parameters } = settings;
  const place = projectId === undefined ? {} : { projectId };
  const body = { chatId, parentId, content, documents, model, systemPrompt, parameters, ...place };
  const hasSomething = parentId !== null || content !== '' || documents.length > 0;
  const isAsked = kind !== 'temporary' && running === undefined && model !== '' && hasSomething;
  const { data } = useQuery({
    queryKey: queryKeys.context(body),
    queryFn: () => client.call('POST /console/context', { body }),
    enabled: isAsked && parentId?.startsWith('pending-') !== true,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return isAsked ? data : undefined;
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  // What was sent is gone at once.
  return text === '' ? '' : paused;
}
