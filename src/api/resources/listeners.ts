import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { unexpected } from '../errors.ts';
import type { CallOptions, Http } from '../http/http.ts';
import { lenient } from '../schema/lenient.ts';
import { limit, offset, timestamp, uuid, writable } from '../schema/wire.ts';
import { checkBeforeSending, pathStep } from './check.ts';
import { isWorthLookingUp, listenerOutcome, lookUp, recoverCreate } from './lookUp.ts';
import { isUnreadable } from './page.ts';
import { followPages, readOne, readPage } from './reading.ts';

const createShape = {
  compute_type: z.string(),
  compute_id: z.string(),
  compute_config: z.object({ k8s_namespaces: z.array(z.string()).nullish() }).nullish(),
  version: z.string().nullish(),
};

/** The body of POST /v2/listeners ("Listener"). */
export const listenerCreateWire = writable(createShape, ['id', 'created_at', 'updated_at']);

/** "Listener" from the document. */
export const listenerWire = z.object({ id: uuid, ...createShape, created_at: timestamp, updated_at: timestamp });

export const listenerReader = lenient(listenerWire);

/** The body of PATCH /v2/listeners/{listener_id}, which the document doesn't have. Both fields are optional. */
export const listenerPatchWire = z.strictObject({
  version: createShape.version,
  compute_config: createShape.compute_config,
});

/** Query of GET /v2/listeners. */
export const listenerListQueryWire = z.object({ limit: limit.nullish(), offset: offset.nullish() });

export type ListenerCreate = z.infer<z.ZodObject<typeof createShape>>;
export type ListenerPatch = z.infer<typeof listenerPatchWire>;
export type ListenerWire = z.infer<typeof listenerWire>;
export type Listener = z.infer<typeof listenerReader>;

/** The listeners to choose from, and whether the list is cut off. */
export interface ListedListeners {
  readonly listeners: readonly Listener[];
  readonly isCut: boolean;
}

/** Stops the search when a service repeats the same full page forever. */
const mostSearched = 10_000;

/** More rows than a user reads. Also stops when a service never ends its list. */
const mostListeners = 1000;

/** The endpoints of section "Listeners". They fail only with ApiError. */
export function createListeners(http: Http) {
  const path = '/v2/listeners';
  const pathOf = (id: string): string => `${path}/${pathStep('listener_id', id)}`;

  async function list(query: z.infer<typeof listenerListQueryWire> = {}, options?: CallOptions) {
    checkBeforeSending(listenerListQueryWire, query);
    return readPage(http, { path, reader: listenerReader, query }, options);
  }

  /**
   * Finds a listener by ID by paging through the list, because there is no endpoint for it.
   * @throws ApiError `unexpectedResponse` when it isn't among the first 10,000 listeners
   */
  async function find(id: string, options?: CallOptions): Promise<Listener | undefined> {
    let count = 0;
    for await (const listener of followPages(list, {}, options)) {
      if (!isUnreadable(listener) && listener.id === id) return listener;
      count += 1;
      if (count === mostSearched) {
        throw unexpected(
          l10n.t(
            "The listener isn't among the first {0} listeners of {1}. Open it from the Listeners view.",
            mostSearched,
            http.origin,
          ),
        );
      }
    }
    return undefined;
  }

  return {
    /** GET /v2/listeners: one page. */
    list,

    find,

    /** The listeners of all pages, up to the first 1000. */
    async listToChoose(options?: CallOptions): Promise<ListedListeners> {
      const listeners: Listener[] = [];
      for await (const row of followPages(list, {}, options)) {
        if (listeners.length === mostListeners) return { listeners, isCut: true };
        if (!isUnreadable(row)) listeners.push(row);
      }
      return { listeners, isCut: false };
    },

    /**
     * POST /v2/listeners. The compute_id is unique in a workspace.
     * Never sent twice. If the outcome is unknown, it looks up the compute_id and reports the result in the message.
     */
    async create(body: ListenerCreate, options?: CallOptions) {
      checkBeforeSending(listenerCreateWire, body);
      try {
        return readOne(http, listenerReader, await http.send({ method: 'POST', path, body }, options));
      } catch (error) {
        const { compute_id: id } = body;
        return recoverCreate(error, {
          lookUp: async () => lookUp(followPages(list, {}, options), ({ compute_id }) => compute_id === id),
          words: (found) => listenerOutcome(id, found),
        });
      }
    },

    /**
     * PATCH /v2/listeners/{listener_id}, beyond the document. Never sent twice.
     * If the outcome is unknown, it looks whether the listener is as wanted.
     */
    async update(id: string, patch: ListenerPatch, options?: CallOptions): Promise<Listener> {
      checkBeforeSending(listenerPatchWire, patch);
      try {
        const answer = await http.send({ method: 'PATCH', path: pathOf(id), body: patch }, options);
        return readOne(http, listenerReader, answer);
      } catch (error) {
        if (!isWorthLookingUp(error)) throw error;
        const found = await find(id, options).catch(() => undefined);
        if (found !== undefined && isAsWanted(found, patch)) return found;
        error.message += ` ${l10n.t("It isn't known whether the listener was changed. Refresh to see it.")}`;
        throw error;
      }
    },

    /**
     * DELETE /v2/listeners/{listener_id}, beyond the document. Never sent twice.
     * If the outcome is unknown, its absence tells whether it worked.
     */
    async remove(id: string, options?: CallOptions): Promise<void> {
      try {
        await http.perform({ method: 'DELETE', path: pathOf(id) }, options);
      } catch (error) {
        if (!isWorthLookingUp(error)) throw error;
        const isGone = await find(id, options).then(
          (found) => found === undefined,
          () => false,
        );
        if (isGone) return;
        error.message += ` ${l10n.t("It isn't known whether the listener was deleted. Refresh to see it.")}`;
        throw error;
      }
    },
  };
}

/** Whether a listener has what a patch sets. */
function isAsWanted({ version, compute_config: config }: Listener, patch: ListenerPatch): boolean {
  const namespaces = patch.compute_config?.k8s_namespaces ?? undefined;
  const has = config?.k8s_namespaces ?? [];
  return (
    (patch.version ?? version) === version &&
    (namespaces === undefined ||
      (namespaces.length === has.length && namespaces.every((namespace) => has.includes(namespace))))
  );
}
