import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { hasApplicationLog, hasBuildLog } from '../../core/logs/availableLogs.ts';
import { isDeletion } from '../../api/schema/enums.ts';
import { repositoryWebUrl } from '../../core/git/remote.ts';
import { applicationUrl, commitPage, revisionCommit, servicePage } from '../../core/resources/webPages.ts';
import { deploymentWords, revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import { revisionAction } from '../../core/status/revisionActions.ts';
import { shortened } from '../../core/text/text.ts';
import type { Connection } from '../../state/connections/connection.ts';
import { doubtOf } from '../../state/following/doubts.ts';
import type { Observed } from '../../state/answers/answers.ts';
import { uploadNoteOf } from '../../state/deploying/uploads.ts';
import type { Stores } from '../stores.ts';
import type { DocumentPlace } from '../window/documentPlace.ts';
import type { RowView } from '../window/rowLook.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';

/** How much of a long name leaves room for the state beside it in a sidebar 240 pixels wide, in characters. */
const mostOfName = 10;
/** Has room for a short commit. */
const mostOfTitle = 16;

/** A row of the deployments view. */
export type DeploymentsRow = Extract<DocumentPlace, { readonly kind: 'deployment' | 'revision' }> | WorkspaceRow;

/** The group of the workspace's own deployments. */
interface WorkspaceRow {
  readonly kind: 'workspace';
  readonly ids: readonly [];
}

export const workspaceRow: WorkspaceRow = { kind: 'workspace', ids: [] };

export interface RowSources extends Stores {
  readonly workspaceDrift: WorkspaceDrift;
  /** The one whose deployments are listed. */
  readonly connection: Connection;
}

/** The content of a row; undefined if its deployment or revision is no longer known. */
export function viewRow(row: DeploymentsRow, sources: RowSources): RowView | undefined {
  switch (row.kind) {
    case 'workspace':
      return {
        label: vscode.l10n.t('This Workspace'),
        description: '',
        icon: 'root-folder',
        isExpandable: true,
        isExpanded: true,
      };
    case 'deployment':
      return viewDeployment(row.ids[0], sources);
    case 'revision':
      return viewRevision(row.ids, sources);
  }
}

function viewDeployment(deploymentId: string, sources: RowSources): RowView | undefined {
  const { deployments, follower, workspaceDrift, connection, clock } = sources;
  const deployment = deployments.find(deploymentId);
  if (deployment === undefined) return undefined;
  const followed = follower.find(connection.name, deploymentId);
  const { latest_revision_id: revisionId = '' } = deployment;
  const drift = workspaceDrift.of(deploymentId);
  const observed = deployments.observe(deploymentId);
  const words = deploymentWords(deployment, observed, {
    now: clock.now(),
    latestFor: inStatusFor(observed, sources),
    drift,
    doubt: () => doubtOf({ connection: connection.name, deploymentId, revisionId }, sources),
  });
  const isFollowed = followed !== undefined && followed.outcome === undefined;
  const action = revisionAction(observed);
  return {
    label: deployment.name,
    mostOfName,
    description: [
      ...words.first,
      ...[...sources.fileMarks.values()].flatMap((marks) => marks.get(`${deploymentId} ${revisionId}`) ?? []),
      ...displayName(deployment),
      ...words.later,
    ].join(' · '),
    icon: words.icon,
    color: words.color,
    isExpandable: true,
    context: [
      'deployment',
      isFollowed ? 'followed' : 'notFollowed',
      ...pagesOf(deployment, connection),
      ...(hasBuildLog(deployment, observed.revision) ? ['buildLog'] : []),
      ...(deployment.active_revision_id === undefined ? [] : ['applicationLog']),
      drift === undefined ? 'noDrift' : 'drift',
      ...(sources.workspaceDeployments.hasAlternatives(deploymentId) ? ['alternative'] : []),
      ...(action === 'deployAgain' ? [action] : []),
      ...(isDeletion(deployment.status) ? [] : ['changeable']),
      '',
    ].join(';'),
  };
}

/** How long a revision has had its status, in milliseconds. Undefined if it isn't known. */
function inStatusFor({ since }: Observed, { clock }: RowSources): number | undefined {
  return since === undefined ? undefined : clock.monotonic() - since;
}

/** The service's display name, if it differs from the name. */
function displayName({ name, display_name: shown = '' }: Deployment): readonly string[] {
  return shown === '' || shown === name ? [] : [shortened(shown)];
}

/** Menu tags of the pages that can be opened. */
function pagesOf(deployment: Deployment, connection: Connection): readonly string[] {
  return [
    applicationUrl(deployment) === undefined ? '' : 'application',
    repositoryWebUrl(deployment.source_config?.repo_url ?? '') === undefined ? '' : 'repository',
    servicePage(connection, deployment) === undefined ? '' : 'page',
  ].filter((tag) => tag !== '');
}

function viewRevision(
  [deploymentId, revisionId]: readonly [deployment: string, revision: string],
  sources: RowSources,
): RowView | undefined {
  const { deployments, connection, clock } = sources;
  const revision = deployments.revision(revisionId);
  if (revision === undefined) return undefined;
  const observed = deployments.observe(deploymentId, revisionId);
  const words = revisionWords(observed, {
    now: clock.now(),
    latestFor: inStatusFor(observed, sources),
    doubt: () => doubtOf({ connection: connection.name, deploymentId, revisionId }, sources),
  });
  const action = revisionAction(observed);
  const upload = uploadNoteOf(sources.workspaceMemory, revisionId);
  return {
    label: revisionTitle(revision),
    mostOfName: mostOfTitle,
    description: [...words.first, ...(upload === undefined ? [] : [upload]), ...words.later].join(' · '),
    icon: words.icon,
    color: words.color,
    context: [
      'revision',
      ...(revisionCommit(revision) === undefined ? [] : ['commit']),
      ...(commitPage(deployments.find(deploymentId), revision) === undefined ? [] : ['commitPage']),
      ...(hasBuildLog(deployments.find(deploymentId), revision) ? ['buildLog'] : []),
      ...(hasApplicationLog(revision) ? ['applicationLog'] : []),
      ...(action === undefined ? [] : [action]),
      '',
    ].join(';'),
  };
}
