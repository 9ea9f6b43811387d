import type { SignedReceipt } from '#contract/receipts';
import { Refusal } from '#vocabulary/refusal';
import type { UsageStore } from '#vocabulary/stores';
import type { UsageJournal, UsageRecord } from '#vocabulary/usage';
import { issueReceipt } from './issue-receipt.ts';
import type { SigningKey } from './signing-key.ts';

/** The receipt of an answer of this person, signed. Refuses what there is none of, or what is somebody else's. */
export type ReadReceipt = (personId: string, requestId: string) => Promise<SignedReceipt>;

export function createReceiptReader(parts: {
  readonly usage: Pick<UsageStore, 'find'>;
  readonly journal: Pick<UsageJournal, 'flush'>;
  readonly key: SigningKey;
  readonly publicUrl: () => string;
}): ReadReceipt {
  const { usage, journal, key, publicUrl } = parts;

  return async (personId, requestId) => {
    const record = (await findOwn(personId, requestId)) ?? (await afterFlush(personId, requestId));
    const receipt = record === undefined ? undefined : issueReceipt(record, publicUrl(), key);
    if (receipt !== undefined) return receipt;
    throw new Refusal('not_found', 'There is no receipt of this request, or it is not yours.');
  };

  async function findOwn(personId: string, requestId: string): Promise<UsageRecord | undefined> {
    if (!/^[\w-]{1,64}$/.test(requestId)) return undefined;
    const record = await usage.find(requestId);
    if (record === undefined || record.caller.kind === 'network') return undefined;
    return record.caller.personId === personId ? record : undefined;
  }

  /** Whoever asks right after their answer is faster than the books. */
  async function afterFlush(personId: string, requestId: string): Promise<UsageRecord | undefined> {
    await journal.flush();
    return findOwn(personId, requestId);
  }
}
