import type { BulletinDesk } from '#vocabulary/bulletin';
import { systemClock } from '#vocabulary/clock';
import type { Books } from './open-books.ts';

export async function openBulletin({ settings, storage, audit }: Books): Promise<BulletinDesk> {
  const { createBulletinDesk } = await import('#bulletin');
  return createBulletinDesk({
    store: storage.bulletin,
    audit,
    isKnownModel: (modelId) => settings.catalogue.models.some(({ id }) => id === modelId),
    clock: systemClock,
  });
}
