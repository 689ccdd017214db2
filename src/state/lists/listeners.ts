import type { Listener } from '../../api/resources/listeners.ts';
import { ListStore, type ListStoreOptions } from './listStore.ts';

/** The listeners of the current connection. */
export type ListenerStore = ListStore<Listener>;

export function createListenerStore(dependencies: Omit<ListStoreOptions<Listener>, 'fetchPage'>): ListenerStore {
  return new ListStore<Listener>({
    ...dependencies,
    fetchPage: (client, query, signal) => client.listeners.list(query, { signal }),
  });
}
