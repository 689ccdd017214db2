import * as l10n from '@vscode/l10n';
import type { GroupId, NumberRole, OtherKey, SpecKey } from './specFields.ts';
import { isNumberKey, isWhole, placeOf, unitOf } from './specFields.ts';

/** The name of a group as the form shows it. */
export function groupLabel(group: GroupId): string {
  switch (group) {
    case 'scale':
      return l10n.t('Scale');
    case 'main':
      return l10n.t('Main service');
    case 'queue':
      return l10n.t('Queue');
    case 'orchestrator':
      return l10n.t('Orchestrator');
    case 'executor':
      return l10n.t('Executor');
    case 'redis':
      return l10n.t('Redis');
    case 'database':
      return l10n.t('Database');
  }
}

/** The name of a number inside its group. */
export function roleLabel(role: NumberRole): string {
  switch (role) {
    case 'minScale':
      return l10n.t('Minimum scale');
    case 'maxScale':
      return l10n.t('Maximum scale');
    case 'cpu':
      return l10n.t('CPU request');
    case 'cpuLimit':
      return l10n.t('CPU limit');
    case 'memory':
      return l10n.t('Memory request');
    case 'memoryLimit':
      return l10n.t('Memory limit');
    case 'storage':
      return l10n.t('Storage');
    case 'connections':
      return l10n.t('Maximum connections');
  }
}

/** The name of a field of the spec, complete without its surroundings. */
export function fieldLabel(key: SpecKey): string {
  if (!isNumberKey(key)) return otherLabels()[key];
  const { group, role } = placeOf(key);
  return `${groupLabel(group)}: ${roleLabel(role)}`;
}

/** What a field means, in a sentence or two: hover, help line and screen readers use the same words. */
export function fieldHelp(key: SpecKey): string {
  if (!isNumberKey(key)) return otherHelp()[key];
  const { group, role } = placeOf(key);
  return `${roleHelp(group, role)} ${unitHelp(role)}`;
}

function unitHelp(role: NumberRole): string {
  return isWhole(role)
    ? l10n.t('A whole number of {0}; leave it empty for the service default.', unitOf(role))
    : l10n.t('A number of {0}, fractions allowed; leave it empty for the service default.', unitOf(role));
}

function roleHelp(group: GroupId, role: NumberRole): string {
  const part = groupLabel(group === 'scale' ? 'main' : group);
  switch (role) {
    case 'minScale':
      return l10n.t('{0}: replicas that always run.', part);
    case 'maxScale':
      return l10n.t('{0}: replicas under full load.', part);
    case 'cpu':
    case 'memory':
      return l10n.t('{0}: reserved for each replica.', part);
    case 'cpuLimit':
    case 'memoryLimit':
      return l10n.t('{0}: the most that each replica may use.', part);
    case 'storage':
      return l10n.t('{0}: disk space.', part);
    case 'connections':
      return l10n.t('{0}: connections at the same time.', part);
  }
}

function otherLabels(): Record<OtherKey, string> {
  return {
    labels: l10n.t('Labels'),
    annotations: l10n.t('Annotations'),
    service_account_name: l10n.t('Service account'),
    image_pull_secrets: l10n.t('Image pull secrets'),
    volumes: l10n.t('Volumes'),
    volume_mounts: l10n.t('Volume mounts'),
    init_containers: l10n.t('Init containers'),
    sidecars: l10n.t('Sidecars'),
  };
}

function otherHelp(): Record<OtherKey, string> {
  return {
    labels: l10n.t('Kubernetes labels, one key and one value each.'),
    annotations: l10n.t('Kubernetes annotations, one key and one value each.'),
    service_account_name: l10n.t('The Kubernetes service account under which the deployment runs.'),
    image_pull_secrets: l10n.t('Names of the Kubernetes secrets with which images are pulled.'),
    volumes: l10n.t('A list of Kubernetes volumes: each has a name and says what it is.'),
    volume_mounts: l10n.t('A list that says where the main service sees which volume.'),
    init_containers: l10n.t('A list of Kubernetes containers that run to their end before the service starts.'),
    sidecars: l10n.t('A list of Kubernetes containers that run beside the service.'),
  };
}
