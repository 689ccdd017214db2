import type { ServiceConnection } from './connection.ts';
import type { Event } from './emitter.ts';

/** Encrypted storage of this machine; `vscode.SecretStorage` satisfies it. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  onDidChange: Event<{ readonly key: string }>;
}

/**
 * The place of a connection's API key. The base URL is part of it, so that editing the
 * address of a connection can never send the key of the old service to the new one.
 */
export function apiKeySlot(connection: Pick<ServiceConnection, 'name' | 'baseUrl'>): string {
  return `apiKey:${connection.name}:${connection.baseUrl}`;
}

/** The place of a connection's proxy password, bound to the proxy's address for the same reason. */
export function proxyPasswordSlot(connection: Pick<ServiceConnection, 'name' | 'proxy'>): string {
  return `proxyPassword:${connection.name}:${connection.proxy ?? ''}`;
}
