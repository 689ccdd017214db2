import type { Event } from '../emitter.ts';
import type { ServiceConnection } from './connection.ts';

/** Encrypted storage on this machine; `vscode.SecretStorage` satisfies it. */
export interface SecretStore {
  keys(): PromiseLike<readonly string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  onDidChange: Event<{ readonly key: string }>;
}

/**
 * The slot of a connection's API key.
 * It contains the base URL, so a changed address can never send the old service's key to the new one.
 */
export function apiKeySlot({ name, baseUrl }: Pick<ServiceConnection, 'name' | 'baseUrl'>): string {
  return `apiKey:${encodeName(name)}:${baseUrl}`;
}

/** The slot of a connection's proxy password, bound to the proxy's address for the same reason. */
export function proxyPasswordSlot({ name, proxy = '' }: Pick<ServiceConnection, 'name' | 'proxy'>): string {
  return `proxyPassword:${encodeName(name)}:${proxy}`;
}

export function secretSlots(connection: ServiceConnection): {
  readonly apiKey: string;
  readonly proxyPassword: string;
} {
  return { apiKey: apiKeySlot(connection), proxyPassword: proxyPasswordSlot(connection) };
}

/** Escapes colons, so a connection named "a:https://good/x" never shares a slot with one named "a". */
function encodeName(name: string): string {
  return name.replaceAll('%', '%25').replaceAll(':', '%3A');
}

/** Stores secrets and runs a task; if either fails, restores the previous secrets. */
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
    // A failed restore has the same cause, which is reported once.
    await Promise.allSettled(
      before.map(async ([slot, value]) => (value === undefined ? secrets.delete(slot) : secrets.store(slot, value))),
    );
    throw error;
  }
}
