import type { Kysely, Selectable } from 'kysely';
import type { KeyDescription } from '#vocabulary/stores';
import type { ApiKeysTable, Tables } from './tables.ts';

export function selectKeys(database: Kysely<Tables>) {
  return database
    .selectFrom('api_keys')
    .leftJoin('api_key_uses', 'api_key_uses.key_id', 'api_keys.id')
    .select([
      'id',
      'person_id',
      'name',
      'prefix',
      'created_at',
      'expires_at',
      'revoked_at',
      'successor_id',
      'models',
      'networks',
      'project_id',
      'lane',
      'used_at',
      'api_key_uses.address as used_address',
    ]);
}

type KeyRow = Omit<Selectable<ApiKeysTable>, 'digest'> & {
  readonly used_at: number | null;
  readonly used_address: string | null;
};

export function toDescription(row: KeyRow): KeyDescription {
  return {
    id: row.id,
    personId: row.person_id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    successorId: row.successor_id ?? undefined,
    models: readList(row.models),
    networks: readList(row.networks),
    projectId: row.project_id,
    lane: row.lane,
    lastUsedAt: row.used_at ?? undefined,
    lastUsedAddress: row.used_address ?? undefined,
  };
}

export function readList(json: string): readonly string[] {
  return JSON.parse(json) as readonly string[];
}
