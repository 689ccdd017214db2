import type { Event } from '../emitter.ts';
import type { ServiceConnection } from './connection.ts';

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
export function apiKeySlot({ name, baseUrl }: Pick<ServiceConnection, 'name' | 'baseUrl'>): string {
  return `apiKey:${encodeName(name)}:${baseUrl}`;
}

/** The place of a connection's proxy password, bound to the proxy's address for the same reason. */
export function proxyPasswordSlot({ name, proxy = '' }: Pick<ServiceConnection, 'name' | 'proxy'>): string {
  return `proxyPassword:${encodeName(name)}:${proxy}`;
}

export function secretSlots(connection: ServiceConnection): {
  readonly apiKey: string;
  readonly proxyPassword: string;
} {
  return { apiKey: apiKeySlot(connection), proxyPassword: proxyPasswordSlot(connection) };
}

/** The name ends at the next colon, so that a connection called "a:https://good/x" has no place of one called "a". */
function encodeName(name: string): string {
  return name.replaceAll('%', '%25').replaceAll(':', '%3A');
}

/** Stores secrets and does what belongs to them; where one of both fails, the secrets are what they were before. */
export async function storeWith(
  secrets: SecretStore,
  values: Readonly<Record<string, string>>,
  task: () => PromiseLike<void>,
): Promise<void> {
  const before: [slot: string, value: string | undefined][] = [];
  for (const slot of Object.keys(values)) before.push([slot, await secrets.get(slot)]);
  try {
    for (const [slot, value] of Object.entries(values)) await secrets.store(slot, value);
    await task();
  } catch (error) {
    // What cannot be put back either has the same cause, which is told once.
    await Promise.allSettled(
      before.map(async ([slot, value]) => (value === undefined ? secrets.delete(slot) : secrets.store(slot, value))),
    );
    throw error;
  }
}
