import * as l10n from '@vscode/l10n';
import { isDeletion, type DeploymentStatus, type RevisionStatus } from '../../api/schema/enums.ts';
import { shortened } from '../text/text.ts';

/** The meaning of a status for the user, independent of the service's name for it. */
export type Phase = 'working' | 'success' | 'failed' | 'superseded' | 'stopped' | 'unknown';

/** The name of a product icon and, for some, a theme color's ID. */
export interface StatusLook {
  readonly icon: string;
  readonly color?: string;
}

export interface StatusView extends StatusLook {
  readonly label: string;
}

export interface RevisionStatusView extends StatusView {
  readonly phase: Phase;
}

/**
 * The meaning and look of a revision's status (interface: Revision, `status`).
 * A status that the interface doesn't name is shown as is, with the phase `unknown`.
 */
export function revisionStatusView(status: string): RevisionStatusView {
  const entry = revisionStatuses.get(status);
  if (entry === undefined) return { phase: 'unknown', label: shortened(status), ...iconOfPhase.unknown };
  return { phase: entry.phase, label: entry.label(), ...iconOfPhase[entry.phase] };
}

/**
 * The look of a deployment's status (interface: Deployment, `status`).
 * `READY` means that the deployment can serve, not that its latest revision is live.
 */
export function deploymentStatusView(status: string): StatusView {
  // A deletion has stages, which say nothing more.
  const entry = deploymentStatuses.get(isDeletion(status) ? 'AWAITING_DELETE' : status);
  if (entry === undefined) return { label: shortened(status), icon: 'question' };
  const { label, ...look } = entry;
  return { label: label(), ...look };
}

/** The status of a revision or deployment; a service may omit it. */
export function statusOf({ status }: { readonly status?: string | undefined }): string {
  return status ?? 'UNKNOWN';
}

/** Whether the service never moves a revision out of this phase. */
export function isFinal(phase: Phase): boolean {
  return phase === 'success' || phase === 'failed' || phase === 'superseded';
}

const iconOfPhase = {
  working: { icon: 'loading~spin' },
  success: { icon: 'pass-filled', color: 'charts.green' },
  // Unlike the color of errors in lists, this color also exists in high-contrast themes.
  failed: { icon: 'error', color: 'errorForeground' },
  // Without a color, this icon would stand out in the blue of the debugger's buttons.
  superseded: { icon: 'debug-step-over', color: 'icon.foreground' },
  stopped: { icon: 'circle-slash' },
  unknown: { icon: 'question' },
} satisfies Record<Phase, StatusLook>;

// The labels are functions because these tables are created on load, before the translations are. Maps, because in an
// object a status named "constructor" would find an inherited property.
const revisionStatuses = tableOf<RevisionStatus, { phase: Phase; label: () => string }>({
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
});

const deploymentStatuses = tableOf<DeploymentStatus, StatusLook & { label: () => string }>({
  AWAITING_DATABASE: { label: () => l10n.t('Waiting for database'), icon: 'loading~spin' },
  READY: { label: () => l10n.t('Ready'), icon: 'pass-filled', color: 'charts.green' },
  UNUSED: { label: () => l10n.t('Unused'), icon: 'circle-outline' },
  AWAITING_DELETE: { label: () => l10n.t('Being deleted'), icon: 'trash' },
  UNKNOWN: { label: () => l10n.t('Unknown'), icon: 'question' },
});

function tableOf<Status extends string, Entry>(entries: Record<Status, Entry>): ReadonlyMap<string, Entry> {
  return new Map(Object.entries<Entry>(entries));
}
