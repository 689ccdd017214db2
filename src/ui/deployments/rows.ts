import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { repositoryWebUrl } from '../../core/git/remote.ts';
import { applicationUrl, servicePage } from '../../core/resources/webPages.ts';
import { deploymentWords, revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import { shortened } from '../../core/text/text.ts';
import type { Connection } from '../../state/connections/connection.ts';
import type { Follower } from '../../state/following/follower.ts';
import type { Poller } from '../../state/following/poller.ts';
import type { Deployments } from '../../state/lists/deployments.ts';
import { plainView, type RowView } from '../window/rowLook.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';

/** A row of the deployments view. */
export type DeploymentsRow =
  | { readonly kind: 'deployment'; readonly id: string }
  | { readonly kind: 'revision'; readonly id: string; readonly deploymentId: string }
  /** No loaded revision matches the filter. */
  | { readonly kind: 'noneFits'; readonly deploymentId: string };

export function deploymentRowKey(row: DeploymentsRow): string {
  switch (row.kind) {
    case 'deployment':
      return `deployment/${row.id}`;
    case 'revision':
      return `deployment/${row.deploymentId}/revision/${row.id}`;
    case 'noneFits':
      return `deployment/${row.deploymentId}/noneFits`;
  }
}

export interface RowSources {
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly poller: Poller;
  readonly workspaceDrift: WorkspaceDrift;
  readonly connection: Connection;
  readonly now: number;
  /** Monotonic time, for durations. */
  readonly monotonic: number;
}

/** Looks up the content of a row. */
export function viewRow(row: DeploymentsRow, sources: RowSources): RowView {
  switch (row.kind) {
    case 'deployment':
      return viewDeployment(row, sources);
    case 'revision':
      return viewRevision(row, sources);
    case 'noneFits':
      return viewNoneFits(row, sources);
  }
}

function viewDeployment(
  row: DeploymentsRow & { kind: 'deployment' },
  { deployments, follower, poller, workspaceDrift, connection, now, monotonic }: RowSources,
): RowView {
  const deployment = deployments.find(row.id);
  if (deployment === undefined) return unknownView(row);
  const followed = follower.find(connection.name, row.id);
  const latestSince =
    followed?.revisionId === deployment.latest_revision_id
      ? followed?.phaseSince
      : poller.since({
          connection: connection.name,
          deploymentId: row.id,
          revisionId: deployment.latest_revision_id ?? '',
        });
  const drift = workspaceDrift.of(row.id);
  const words = deploymentWords(deployment, deployments.observe(row.id, deployment.latest_revision_id), {
    now,
    latestFor: latestSince === undefined ? undefined : monotonic - latestSince,
    drift: drift?.text,
  });
  const local = workspaceDrift.isOfWorkspace(row.id) ? [vscode.l10n.t('this workspace')] : [];
  const isFollowed = followed !== undefined && followed.outcome === undefined;
  return {
    key: deploymentRowKey(row),
    label: deployment.name,
    description: [...displayName(deployment), ...words.first, ...local, ...words.later].join(' · '),
    icon: words.icon,
    ...(words.color === undefined ? {} : { color: words.color }),
    isExpandable: true,
    context: [
      'deployment',
      isFollowed ? 'followed' : 'notFollowed',
      ...pagesOf(deployment, connection),
      drift?.differs === true ? 'drift' : 'noDrift',
      ...(workspaceDrift.hasAlternatives(row.id) ? ['alternative'] : []),
      '',
    ].join(';'),
  };
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
  row: DeploymentsRow & { kind: 'revision' },
  { deployments, connection, now }: RowSources,
): RowView {
  const revision = deployments.revision(row.id);
  if (revision === undefined) return unknownView(row);
  const words = revisionWords(deployments.observe(row.deploymentId, row.id), now);
  return {
    key: deploymentRowKey(row),
    label: revisionTitle(revision),
    description: [...words.first, ...words.later].join(' · '),
    icon: words.icon,
    ...(words.color === undefined ? {} : { color: words.color }),
    isExpandable: false,
    context: 'revision;',
    opens: {
      connection: connection.name,
      place: { kind: 'revision', ids: [row.deploymentId, row.id] },
    },
  };
}

function viewNoneFits(row: DeploymentsRow & { kind: 'noneFits' }, { deployments }: RowSources): RowView {
  const { hasMore } = deployments.revisionsOf(row.deploymentId);
  return plainView(deploymentRowKey(row), row.kind, {
    label: hasMore
      ? vscode.l10n.t('No loaded revision matches the filter')
      : vscode.l10n.t('No revision matches the filter'),
    description: vscode.l10n.t('click to change it'),
    icon: 'filter',
    command: 'deploymentManager.filterRevisions',
  });
}

/** A row whose deployment or revision is no longer known. */
function unknownView(row: DeploymentsRow & { kind: 'deployment' | 'revision' }): RowView {
  return plainView(deploymentRowKey(row), row.kind, { label: row.id, description: '', icon: 'question' });
}
