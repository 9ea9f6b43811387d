import { Client } from 'pg';
import { connectionOf, endClient } from './postgres-pool.ts';

/** Tells at once that keys, people, projects or limits have changed, whichever gateway changed them. */
export interface ChangeFeed {
  listen(listener: () => void): void;
  close(): Promise<void>;
}

const connectAgainMs = 1_000;
/** Many changes in one moment are one piece of news. */
const gatherMs = 20;
const statementMs = 10_000;

/**
 * A notification is a courtesy: whoever listens also looks by itself. So nothing here fails; a connection that is lost
 * is made again, and then something may have been missed, which is news too.
 */
export function openChangeFeed(address: string): ChangeFeed {
  const listeners = new Set<() => void>();
  let client: Client | undefined;
  let isClosed = false;
  let gathering: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;

  function tell(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      for (const listener of listeners) listener();
    }, gatherMs).unref();
  }

  async function connect(): Promise<void> {
    const fresh = new Client(connectionOf(address, statementMs));
    client = fresh;
    fresh.on('error', () => {});
    fresh.on('notification', tell);
    fresh.on('end', () => {
      if (client !== fresh || isClosed) return;
      again = setTimeout(() => void connect(), connectAgainMs).unref();
    });
    try {
      await fresh.connect();
      await fresh.query('LISTEN gatehouse_changes');
      tell();
    } catch {
      await endClient(fresh);
    }
  }

  return {
    listen(listener) {
      listeners.add(listener);
      if (client === undefined && !isClosed) void connect();
    },
    async close() {
      isClosed = true;
      clearTimeout(gathering);
      clearTimeout(again);
      if (client !== undefined) await endClient(client);
    },
  };
}
