import * as l10n from '@vscode/l10n';
import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Listener } from '../../api/resources/listeners.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import { followPages } from '../../api/resources/rows.ts';

/** A service that answers every page with the same full one would otherwise be asked for ever. */
const mostSearched = 10_000;

/**
 * One listener by its id. The interface has no endpoint for it, so that the pages of the list are looked through, of
 * which one is kept at a time.
 */
export async function findListener(
  { listeners }: Pick<Client, 'listeners'>,
  id: string,
  options?: CallOptions,
): Promise<Listener | undefined> {
  let count = 0;
  for await (const listener of followPages((query, call) => listeners.list(query, call), {}, options)) {
    if (!isUnreadable(listener) && listener.id === id) return listener;
    count += 1;
    if (count === mostSearched) {
      throw new Error(l10n.t('It is not among the first {0} listeners of the service.', mostSearched));
    }
  }
  return undefined;
}

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
