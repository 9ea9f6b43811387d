import { Refusal } from '#vocabulary/refusal';

/** How much of the database one person's chats and documents may take. */
export interface StorageQuota {
  readonly limitBytes: number;
  /** Refuses what does not fit any more. */
  require(personId: string, bytes: number): Promise<void>;
}

export function createStorageQuota(
  storedBytesOf: (personId: string) => Promise<number>,
  limitBytes: number,
): StorageQuota {
  return {
    limitBytes,
    async require(personId, bytes) {
      if ((await storedBytesOf(personId)) + bytes <= limitBytes) return;
      throw new Refusal(
        'storage_full',
        `Your chats and documents take all of the ${Math.floor(limitBytes / 1024 ** 2)} MiB that you have. Delete some; what is deleted counts until it is gone for good, after a day.`,
      );
    },
  };
}
