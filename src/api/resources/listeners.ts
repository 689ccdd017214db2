import * as z from 'zod';
import type { CallOptions, Http } from '../http/http.ts';
import { lenient } from '../schema/lenient.ts';
import { limit, offset, timestamp, uuid, writable } from '../schema/wire.ts';
import { checkBeforeSending } from './check.ts';
import { listenerOutcome, lookUp, recoverCreate } from './lookUp.ts';
import type { Page } from './page.ts';
import { followPages, readOne, readPage } from './rows.ts';

const createShape = {
  compute_type: z.string(),
  compute_id: z.string(),
  compute_config: z.object({ k8s_namespaces: z.array(z.string()).nullish() }).nullish(),
  version: z.string().nullish(),
};

/** The body of POST /v2/listeners ("Listener"). */
export const listenerCreateWire = writable(createShape, ['id', 'created_at', 'updated_at']);

/** "Listener" as the document writes it. */
export const listenerWire = z.object({ id: uuid, ...createShape, created_at: timestamp, updated_at: timestamp });

/** Reads a Listener of an answer. */
export const listenerReader = lenient(listenerWire);

/** Query of GET /v2/listeners. */
export const listenerListQueryWire = z.object({ limit: limit.nullish(), offset: offset.nullish() });

export type ListenerCreate = z.infer<z.ZodObject<typeof createShape>>;
export type ListenerWire = z.infer<typeof listenerWire>;
export type Listener = z.infer<typeof listenerReader>;
export type ListenerListQuery = z.infer<typeof listenerListQueryWire>;

export interface Listeners {
  /** GET /v2/listeners: one page. */
  list(query?: ListenerListQuery, options?: CallOptions): Promise<Page<Listener>>;
  /**
   * POST /v2/listeners. The compute_id is unique in a workspace. Never sent twice: when it cannot be known whether it
   * worked, the compute_id is looked up and the message says what was found.
   */
  create(body: ListenerCreate, options?: CallOptions): Promise<Listener>;
}

/** The functions of section "Listeners"; all fail with ApiError only. */
export function createListeners(http: Http): Listeners {
  const path = '/v2/listeners';

  async function list(query: ListenerListQuery = {}, options?: CallOptions) {
    checkBeforeSending(listenerListQueryWire, query);
    return readPage(http, { path, reader: listenerReader, query }, options);
  }

  async function create(body: ListenerCreate, options?: CallOptions) {
    checkBeforeSending(listenerCreateWire, body);
    try {
      return readOne(listenerReader, await http.send('POST', path, body, options), http.origin);
    } catch (error) {
      const { compute_id: id } = body;
      return recoverCreate(error, {
        lookUp: async () => lookUp(followPages(list, {}, options), ({ compute_id }) => compute_id === id),
        words: (found) => listenerOutcome(id, found),
      });
    }
  }

  return { list, create };
}
