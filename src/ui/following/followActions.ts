import * as vscode from 'vscode';
import { isRecord } from '../../api/schema/json.ts';
import { hasApplicationLog, hasBuildLog } from '../../core/logs/availableLogs.ts';
import { applicationUrl } from '../../core/resources/webPages.ts';
import type { RevisionId } from '../../state/answers/answers.ts';
import type { ShownDeployment } from '../../state/following/shownDeployments.ts';
import type { Services } from '../services.ts';
import { execute } from '../window/commandIds.ts';
import { commandRemedy, type Remedy } from '../window/errors.ts';
import { showDeploymentDocument } from '../deployments/showDeployment.ts';

/** Something that a user can do about a followed deployment. */
export interface FollowAction {
  readonly id: 'details' | 'application' | 'changes' | 'stop';
  readonly title: string;
  readonly icon: string;
}

/** What a link or a notification wants to be done. */
export interface FollowLink {
  readonly connection: string;
  readonly deploymentId: string;
  readonly action: FollowAction['id'];
}

const actionIds = ['details', 'application', 'changes', 'stop'] as const satisfies readonly FollowAction['id'][];

/** Reads the argument of a link as untrusted input. Without a known action, it opens the details. */
export function parseFollowLink(argument: unknown): FollowLink | undefined {
  if (!isRecord(argument)) return undefined;
  const { connection, deploymentId, action } = argument;
  if (typeof connection !== 'string' || typeof deploymentId !== 'string') return undefined;
  return { connection, deploymentId, action: actionIds.find((id) => id === action) ?? 'details' };
}

/** What can be done about a followed deployment, the likeliest first. */
export function followActions(
  { connection, deploymentId, outcome }: ShownDeployment,
  { answers }: Pick<Services, 'answers'>,
): readonly FollowAction[] {
  const record = answers.record(connection, deploymentId);
  const hasApplication = record !== undefined && applicationUrl(record) !== undefined;
  // Git has something to compare only for a live revision that was built from a commit.
  const hasChanges = record?.active_revision_id !== undefined && record.source_config?.repo_url !== undefined;
  const isRunning = outcome === undefined;
  const application: FollowAction = {
    id: 'application',
    title: vscode.l10n.t('Open Application'),
    icon: 'link-external',
  };
  const changes: FollowAction = { id: 'changes', title: vscode.l10n.t('Changes Since Live'), icon: 'git-compare' };
  return [
    { id: 'details', title: vscode.l10n.t('Open Details'), icon: 'open-preview' },
    ...(hasApplication ? [application] : []),
    ...(hasChanges ? [changes] : []),
    isRunning
      ? { id: 'stop', title: vscode.l10n.t('Stop Following'), icon: 'eye-closed' }
      : { id: 'stop', title: vscode.l10n.t('Dismiss'), icon: 'close' },
  ];
}

/** Does what was chosen for a followed deployment, which counts as having seen how it ended. */
export async function runFollowAction(
  { answers, follower, shown }: Pick<Services, 'answers' | 'follower' | 'shown'>,
  followed: ShownDeployment,
  action: FollowAction['id'],
): Promise<void> {
  const { connection, deploymentId } = followed;
  follower.markSeen((each) => each.connection === connection && each.deploymentId === deploymentId);
  const record = answers.record(connection, deploymentId);
  switch (action) {
    case 'details':
      return showDeploymentDocument({ connection, deploymentId, name: record?.name ?? deploymentId });
    case 'application': {
      const url = record === undefined ? undefined : applicationUrl(record);
      if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
      return undefined;
    }
    case 'changes':
      await execute('showChangesSinceLive', { connection, deploymentId });
      return undefined;
    case 'stop':
      return shown.dismiss(followed);
  }
}

/** A button that shows why a revision failed, where its service has logs: what its build printed, or its start. */
export function logRemedies(
  { connection, deploymentId, revisionId }: RevisionId,
  { connections, capabilities, answers }: Services,
): readonly Remedy[] {
  const service = connections.find(connection);
  if (service === undefined || !capabilities.has(service, 'logs')) return [];
  const { deployment, revision } = answers.observe(connection, deploymentId, revisionId);
  const place = { connection, deploymentId, revisionId };
  if (hasApplicationLog(revision)) {
    return [commandRemedy(vscode.l10n.t('Show Application Log'), 'showApplicationLog', place)];
  }
  const isBuilt = hasBuildLog(deployment, revision);
  return isBuilt ? [commandRemedy(vscode.l10n.t('Show Build Log'), 'showBuildLog', place)] : [];
}
