import * as l10n from '@vscode/l10n';
import { isNumberKey, isWhole, placeOf, unitOf } from './fields.ts';
import type { GroupId, NumberRole, OtherKey, SpecKey } from './fields.ts';

export function groupLabel(group: GroupId): string {
  const labels: Record<GroupId, string> = {
    scale: l10n.t('Scale'),
    main: l10n.t('Main service'),
    queue: l10n.t('Queue'),
    orchestrator: l10n.t('Orchestrator'),
    executor: l10n.t('Executor'),
    redis: l10n.t('Redis'),
    database: l10n.t('Database'),
  };
  return labels[group];
}

export function roleLabel(role: NumberRole): string {
  const labels: Record<NumberRole, string> = {
    minScale: l10n.t('Minimum scale'),
    maxScale: l10n.t('Maximum scale'),
    cpu: l10n.t('CPU request'),
    cpuLimit: l10n.t('CPU limit'),
    memory: l10n.t('Memory request'),
    memoryLimit: l10n.t('Memory limit'),
    storage: l10n.t('Storage'),
    connections: l10n.t('Maximum connections'),
  };
  return labels[role];
}

/** The full display name of a field, including its group. */
export function fieldLabel(key: SpecKey): string {
  if (!isNumberKey(key)) return otherWords(key).label;
  const { group, role } = placeOf(key);
  return `${groupLabel(group)}: ${roleLabel(role)}`;
}

/** Explains a field in one or two sentences, for hovers, help lines and screen readers. */
export function fieldHelp(key: SpecKey): string {
  if (!isNumberKey(key)) return otherWords(key).help;
  const { group, role } = placeOf(key);
  return `${roleHelp(group, role)} ${unitHelp(role)}`;
}

function unitHelp(role: NumberRole): string {
  return isWhole(role)
    ? l10n.t('A whole number of {0}. Leave empty for the service default.', unitOf(role))
    : l10n.t('A number of {0}, fractions allowed. Leave empty for the service default.', unitOf(role));
}

function roleHelp(group: GroupId, role: NumberRole): string {
  const part = groupLabel(group === 'scale' ? 'main' : group);
  const reserved = l10n.t('{0}: reserved for each replica.', part);
  const most = l10n.t('{0}: maximum for each replica.', part);
  const help: Record<NumberRole, string> = {
    minScale: l10n.t('{0}: replicas that always run.', part),
    maxScale: l10n.t('{0}: replicas under full load.', part),
    cpu: reserved,
    cpuLimit: most,
    memory: reserved,
    memoryLimit: most,
    storage: l10n.t('{0}: disk space.', part),
    connections: l10n.t('{0}: maximum number of simultaneous connections.', part),
  };
  return help[role];
}

function otherWords(key: OtherKey): { readonly label: string; readonly help: string } {
  const words: Record<OtherKey, ReturnType<typeof otherWords>> = {
    labels: { label: l10n.t('Labels'), help: l10n.t('Kubernetes labels, one key and one value each.') },
    annotations: { label: l10n.t('Annotations'), help: l10n.t('Kubernetes annotations, one key and one value each.') },
    service_account_name: {
      label: l10n.t('Service account'),
      help: l10n.t('The Kubernetes service account that the deployment runs as.'),
    },
    image_pull_secrets: {
      label: l10n.t('Image pull secrets'),
      help: l10n.t('Names of the Kubernetes secrets used to pull images.'),
    },
    volumes: { label: l10n.t('Volumes'), help: l10n.t('Kubernetes volumes, each with a name and a type.') },
    volume_mounts: { label: l10n.t('Volume mounts'), help: l10n.t('Paths where the main service mounts volumes.') },
    init_containers: {
      label: l10n.t('Init containers'),
      help: l10n.t('Kubernetes containers that finish before the service starts.'),
    },
    sidecars: { label: l10n.t('Sidecars'), help: l10n.t('Kubernetes containers that run alongside the service.') },
  };
  return words[key];
}
