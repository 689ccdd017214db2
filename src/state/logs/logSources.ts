import * as l10n from '@vscode/l10n';
import type { LogPage, LogQuery } from '../../api/resources/logs.ts';
import type { LogSubject } from '../../core/logs/logSubject.ts';
import { hasEnded } from '../../core/status/pollDelay.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import type { Answers } from '../answers/answers.ts';
import type { Clock } from '../clock.ts';
import type { Capabilities } from '../connections/capabilities.ts';
import { RemovedConnectionError } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import type { SecretStore } from '../connections/storedKeys.ts';
import { useCapability } from '../connections/useCapability.ts';

interface AskedOf {
  readonly connections: Pick<Connections, 'clientNamed' | 'find'>;
  readonly capabilities: Pick<Capabilities, 'has' | 'turnOff'>;
  readonly answers: Pick<Answers, 'record'>;
}

/** Requests a page of a log from the service of its connection. */
export async function askForLog(
  { connection: name, type, deploymentId, revisionId: shownId }: LogSubject,
  query: LogQuery,
  { connections, capabilities, answers }: AskedOf,
  signal: AbortSignal,
): Promise<LogPage> {
  const client = await connections.clientNamed(name);
  const connection = connections.find(name);
  if (connection === undefined) throw new RemovedConnectionError(name);
  // The live revision may be another one by now.
  const active = type === 'application' ? answers.record(name, deploymentId)?.active_revision_id : undefined;
  const revisionId = active ?? shownId;
  const session = { kind: 'ready' as const, connection, client: () => Promise.resolve(client) };
  return useCapability(capabilities, session, 'logs', { deploymentId, revisionId }, ({ logs }) =>
    logs.read({ type, deploymentId, revisionId }, query, { signal }),
  );
}

/**
 * When what writes a log came to its end, in monotonic time; undefined while it may write.
 * A build writes while its revision moves, a revision while it is live, and an application always.
 */
export function logEndedAt(
  { connection, type, deploymentId, revisionId }: LogSubject,
  answers: Pick<Answers, 'observe'>,
  clock: Pick<Clock, 'monotonic'>,
): number | undefined {
  if (type === 'application') return undefined;
  const { revision, since, deployment, deploymentAt } = answers.observe(connection, deploymentId, revisionId);
  if (type === 'deploy') {
    const active = deployment?.active_revision_id;
    return active === undefined || active === revisionId ? undefined : deploymentAt;
  }
  if (revision === undefined || since === undefined) return undefined;
  const { phase } = revisionStatusView(statusOf(revision));
  return hasEnded(phase, clock.monotonic() - since) ? since : undefined;
}

/** The label of the status of a log's revision; undefined until it is known. */
export function logStatus(
  { connection, deploymentId, revisionId }: LogSubject,
  answers: Pick<Answers, 'observe'>,
): string | undefined {
  const { revision } = answers.observe(connection, deploymentId, revisionId);
  return revision && revisionStatusView(statusOf(revision)).label;
}

/**
 * The secrets of this machine: keys, passwords, and the values of deployments.
 * @throws Error if the keyring isn't responding, because a log may hold what can't be hidden then
 */
export async function knownSecrets(secrets: Pick<SecretStore, 'keys' | 'get'>): Promise<readonly string[]> {
  try {
    const slots = await secrets.keys();
    const values = await Promise.all(slots.map(async (slot) => (await secrets.get(slot)) ?? ''));
    // A proxy's is stored as `user:password`.
    const parts = values
      .filter((_, place) => slots[place]?.startsWith(proxySlots))
      .flatMap((value) => value.split(':').slice(1));
    return [...values, ...parts].filter((value) => !plainValue.test(value));
  } catch (cause) {
    const message = l10n.t(
      "The secrets to hide in it can't be read: the keyring of this machine isn't responding. Unlock it and try again.",
    );
    throw new Error(message, { cause });
  }
}

const proxySlots = 'proxyPassword:';

/** Settings that are sent with the secrets. Masked, they would make a log unreadable. */
const plainValue = /^(?:true|false|yes|no|on|off|none|null|debug|info|warning|error|\d{0,3})$/i;
