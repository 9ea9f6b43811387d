import { createContext, use } from 'react';
import type { Client } from './client.ts';

export const ClientContext = createContext<Client | undefined>(undefined);

export function useClient(): Client {
  const client = use(ClientContext);
  if (client === undefined) throw new Error('A client is provided at the root of the page.');
  return client;
}
