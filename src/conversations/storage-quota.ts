import type { ConversationStore } from '#vocabulary/conversation-store';
import { Refusal } from '#vocabulary/refusal';

/** How much of the database one person's chats may take. */
export interface StorageQuota {
  readonly limitBytes: number;
  /** Refuses what does not fit any more. */
  require(personId: string, bytes: number): Promise<void>;
}

export function createStorageQuota(store: ConversationStore, limitBytes: number): StorageQuota {
  return {
    limitBytes,
    async require(personId, bytes) {
      if ((await store.countStoredBytes(personId)) + bytes <= limitBytes) return;
      throw new Refusal(
        'storage_full',
        `Your chats take all of the ${Math.floor(limitBytes / 1024 ** 2)} MiB that you have. Delete some; what is deleted counts until it is gone for good, after a day.`,
      );
    },
  };
}
