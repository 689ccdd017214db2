import * as l10n from '@vscode/l10n';
import type { Listener } from '../../api/resources/listeners.ts';
import { ageOf } from '../status/duration.ts';
import { firstNames } from '../text/text.ts';

/** Describes a listener: compute type, namespaces, version and age. Takes the current time in milliseconds. */
export function summarizeListener(
  listener: Listener,
  now: number,
): { readonly label: string; readonly description: string } {
  const namespaces = namespacesOf(listener);
  const parts = [
    listener.compute_type,
    namespaces.length === 0 ? undefined : namespaceWords(namespaces),
    listener.version === undefined ? undefined : l10n.t('version {0}', listener.version),
    ageOf(listener.created_at, now),
  ].filter((part) => part !== undefined && part !== '');
  return { label: nameOfListener(listener), description: parts.join(' · ') };
}

/** The cluster's own ID, by which users know it, or the listener's ID if the cluster has none. */
export function nameOfListener({ compute_id: computeId, id }: Listener): string {
  return computeId === undefined || computeId === '' ? id : computeId;
}

/** The namespaces that a listener may deploy to. Empty if the service names none. */
export function namespacesOf({ compute_config: config }: Listener): readonly string[] {
  return config?.k8s_namespaces ?? [];
}

function namespaceWords(namespaces: readonly string[]): string {
  const names = firstNames(namespaces);
  return namespaces.length === 1 ? l10n.t('namespace {0}', names) : l10n.t('namespaces {0}', names);
}
