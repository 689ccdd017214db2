import * as l10n from '@vscode/l10n';
import type { DeploymentStatus, RevisionStatus } from '../../api/schema/enums.ts';
import { shortened } from '../text/text.ts';

/** What a status means for a person, whatever the service calls it. */
export type Phase = 'working' | 'success' | 'failed' | 'superseded' | 'stopped' | 'unknown';

/** How a status is shown: words, the name of a product icon, and the id of a theme color where one helps. */
export interface StatusView {
  label: string;
  icon: string;
  color?: string;
}

export interface RevisionStatusView extends StatusView {
  phase: Phase;
}

/**
 * Tells what a revision's status means and how it is shown (interface: Revision, `status`).
 * A status that the interface does not name is shown as it is, with the phase `unknown`.
 */
export function revisionStatusView(status: string): RevisionStatusView {
  const entry = revisionStatuses.get(status);
  if (entry === undefined) {
    return { phase: 'unknown', label: shortened(status), ...iconOfPhase.unknown };
  }
  return { phase: entry.phase, label: entry.label(), ...iconOfPhase[entry.phase] };
}

/**
 * Tells how a deployment's status is shown (interface: Deployment, `status`).
 * `READY` means that the deployment can serve, not that its latest revision is live.
 */
export function deploymentStatusView(status: string): StatusView {
  const entry = deploymentStatuses.get(status);
  if (entry === undefined) {
    return { label: shortened(status), icon: 'question' };
  }
  const { label, ...look } = entry;
  return { label: label(), ...look };
}

/** True when the service will not move a revision out of this phase any more. */
export function isFinal(phase: Phase): boolean {
  return phase === 'success' || phase === 'failed' || phase === 'superseded';
}

const iconOfPhase = {
  working: { icon: 'loading~spin' },
  success: { icon: 'pass-filled', color: 'charts.green' },
  // Unlike that of errors in lists, this color is there in the high-contrast themes too.
  failed: { icon: 'error', color: 'errorForeground' },
  // The icon has the blue of the debugger's buttons unless told otherwise, which would stand out among the others.
  superseded: { icon: 'debug-step-over', color: 'icon.foreground' },
  stopped: { icon: 'circle-slash' },
  unknown: { icon: 'question' },
} satisfies Record<Phase, { icon: string; color?: string }>;

// The labels are functions because these tables are made when the file is loaded, before the translations are.
const revisionStatusTable = {
  CREATING: { phase: 'working', label: () => l10n.t('Creating') },
  QUEUED: { phase: 'working', label: () => l10n.t('Queued') },
  AWAITING_BUILD: { phase: 'working', label: () => l10n.t('Waiting for build') },
  BUILDING: { phase: 'working', label: () => l10n.t('Building') },
  AWAITING_DEPLOY: { phase: 'working', label: () => l10n.t('Waiting for deploy') },
  DEPLOYING: { phase: 'working', label: () => l10n.t('Deploying') },
  CREATE_FAILED: { phase: 'failed', label: () => l10n.t('Creation failed') },
  BUILD_FAILED: { phase: 'failed', label: () => l10n.t('Build failed') },
  DEPLOY_FAILED: { phase: 'failed', label: () => l10n.t('Deploy failed') },
  DEPLOYED: { phase: 'success', label: () => l10n.t('Deployed') },
  SKIPPED: { phase: 'superseded', label: () => l10n.t('Skipped') },
  INTERRUPTED: { phase: 'stopped', label: () => l10n.t('Interrupted') },
  UNKNOWN: { phase: 'unknown', label: () => l10n.t('Unknown') },
} satisfies Record<RevisionStatus, { phase: Phase; label: () => string }>;

const deploymentStatusTable = {
  AWAITING_DATABASE: { label: () => l10n.t('Waiting for database'), icon: 'loading~spin' },
  READY: { label: () => l10n.t('Ready'), icon: 'pass-filled', color: 'charts.green' },
  UNUSED: { label: () => l10n.t('Unused'), icon: 'circle-outline' },
  AWAITING_DELETE: { label: () => l10n.t('Waiting for deletion'), icon: 'trash' },
  UNKNOWN: { label: () => l10n.t('Unknown'), icon: 'question' },
} satisfies Record<DeploymentStatus, { label: () => string; icon: string; color?: string }>;

// Looked up as maps, so that a status called "constructor" finds nothing.
const revisionStatuses = new Map<string, { phase: Phase; label: () => string }>(Object.entries(revisionStatusTable));
const deploymentStatuses = new Map<string, { label: () => string; icon: string; color?: string }>(
  Object.entries(deploymentStatusTable),
);
