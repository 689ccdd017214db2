import * as l10n from '@vscode/l10n';
import type { Client } from '../api/client.ts';
import type { CallOptions } from '../api/http.ts';
import type { Listener } from '../api/listeners.ts';
import { isUnreadable } from '../api/page.ts';
import { followPages } from '../api/paging.ts';

/** A service that answers every page with the same full one would otherwise be asked for ever. */
const mostListeners = 10_000;

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
    if (count === mostListeners) {
      throw new Error(l10n.t('It is not among the first {0} listeners of the service.', mostListeners));
    }
  }
  return undefined;
}
