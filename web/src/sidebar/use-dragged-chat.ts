import { useState, type DragEvent } from 'react';
import { useChatActions } from '../chat/use-chat-actions.ts';

/** What a chat is called while it is being dragged; browsers write it in lower case. */
export const draggedChat = 'application/x-gatehouse-chat';

/** A chat that is dropped on a folder goes into it; elsewhere in the list, out of the one it is in. */
export function useDraggedChat(areThereFolders: boolean): {
  readonly target: string | undefined;
  readonly handlers: object;
} {
  const actions = useChatActions();
  const [target, setTarget] = useState<string>();
  if (!areThereFolders) return { target: undefined, handlers: {} };
  const isChat = (event: DragEvent) => event.dataTransfer.types.includes(draggedChat);
  return {
    target,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!isChat(event)) return;
        event.preventDefault();
        setTarget(folderAt(event));
      },
      onDragLeave: () => setTarget(undefined),
      onDrop(event: DragEvent) {
        if (!isChat(event)) return;
        event.preventDefault();
        setTarget(undefined);
        void actions.move(event.dataTransfer.getData(draggedChat), folderAt(event) ?? null);
      },
    },
  };
}

function folderAt({ target }: DragEvent): string | undefined {
  return target instanceof Element
    ? target.closest<HTMLElement>('[data-folder]')?.dataset['folder']
    : undefined;
}
