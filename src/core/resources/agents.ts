import * as l10n from '@vscode/l10n';
import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import { formatAge } from '../status/duration.ts';
import { firstNames } from '../text/text.ts';

/** Describes an agent's connection: account, provider, scopes, expiry and author. Takes the time in milliseconds. */
export function summarizeAgentConnection(
  connection: AgentConnection,
  now: number,
): { readonly label: string; readonly description: string; readonly isExpired: boolean } {
  const { provider_id: provider, provider_account_label: account, scopes, created_by: author } = connection;
  const label = account ?? provider ?? connection.id;
  const expiry = describeExpiry(connection.expires_at, now);
  const parts = [
    expiry?.text,
    provider === label ? undefined : provider,
    scopes === undefined || scopes.length === 0 ? undefined : firstNames(scopes),
    author === undefined ? undefined : l10n.t('by {0}', author),
  ].filter((part) => part !== undefined && part !== '');
  return { label, description: parts.join(' · '), isExpired: expiry?.isExpired ?? false };
}

/**
 * Describes an expiry, such as "expired 3 days ago". Undefined if the service gives none.
 * An unreadable timestamp is shown as is and counts as not expired.
 */
export function describeExpiry(
  expiresAt: string | undefined,
  now: number,
): { readonly text: string; readonly isExpired: boolean } | undefined {
  if (expiresAt === undefined || expiresAt === '') return undefined;
  const time = Date.parse(expiresAt);
  if (Number.isNaN(time)) return { text: l10n.t('expires: {0}', expiresAt), isExpired: false };
  const isExpired = time <= now;
  const age = formatAge(time, now);
  return { text: isExpired ? l10n.t('expired {0}', age) : l10n.t('expires {0}', age), isExpired };
}

/** Describes how many connections an agent has and how many have expired. */
export function summarizeAgent(
  connections: readonly AgentConnection[],
  now: number,
): { readonly description: string; readonly isExpired: boolean } {
  const { length } = connections;
  const expired = connections.filter(({ expires_at: at }) => describeExpiry(at, now)?.isExpired === true).length;
  if (length === 0) return { description: l10n.t('no connections'), isExpired: false };
  const count = length === 1 ? l10n.t('1 connection') : l10n.t('{0} connections', length);
  const description = expired === 0 ? count : l10n.t('{0}, {1} expired', count, expired);
  return { description, isExpired: expired > 0 };
}

/** The next time after `now` that a connection expires, in milliseconds. Undefined if none will. */
export function nextExpiry(connections: readonly AgentConnection[], now: number): number | undefined {
  const times = connections
    .map(({ expires_at: expiresAt }) => Date.parse(expiresAt ?? ''))
    .filter((time) => time > now);
  return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, time));
}
