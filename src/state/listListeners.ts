import type { Client } from '../api/client.ts';
import type { CallOptions } from '../api/http.ts';
import type { Listener } from '../api/listeners.ts';
import { isUnreadable } from '../api/page.ts';
import { followPages } from '../api/paging.ts';

/** More rows than anybody reads; a service that never ends its list would otherwise be asked for ever. */
const mostListeners = 1000;

/** The listeners to choose from, and whether the service may have more than these. */
export interface ListedListeners {
  readonly listeners: readonly Listener[];
  readonly isCut: boolean;
}

/** Reads the listeners of a service over all pages, as far as a person can choose among them. */
export async function listListeners(
  client: Pick<Client, 'listeners'>,
  options?: CallOptions,
): Promise<ListedListeners> {
  const listeners: Listener[] = [];
  for await (const row of followPages((query, call) => client.listeners.list(query, call), {}, options)) {
    if (listeners.length === mostListeners) return { listeners, isCut: true };
    if (!isUnreadable(row)) listeners.push(row);
  }
  return { listeners, isCut: false };
}
