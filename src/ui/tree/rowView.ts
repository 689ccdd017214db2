import * as vscode from 'vscode';
import type { Deployment } from '../../api/deployments.ts';
import { revisionTitle, summarizeDeployment, summarizeRevision } from '../../core/deploymentSummary.ts';
import { formatClock } from '../../core/duration.ts';
import { repositoryWebUrl } from '../../core/gitRemote.ts';
import type { Connection } from '../../state/connection.ts';
import type { Deployments } from '../../state/deployments.ts';
import type { Follower } from '../../state/follower.ts';
import type { PagedListState } from '../../state/pagedList.ts';
import type { RevisionWatch } from '../../state/revisionWatch.ts';
import { messageOf } from '../errors.ts';
import { applicationUrl, servicePage } from '../pages.ts';
import type { WorkspaceDrift } from '../workspaceDrift.ts';
import { rowKey, type Row } from './rows.ts';

/** Everything a row shows, as plain data: equal data means that nothing has to be redrawn. */
export interface RowView {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color?: string;
  readonly isExpandable: boolean;
  /** Tags of the form `deployment;followed;`, which the menus match. */
  readonly context: string;
  readonly spoken: string;
  /** The command that a click runs; without one a click only selects. */
  readonly command?: string;
}

export interface RowSources {
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly revisionWatch: RevisionWatch;
  readonly workspaceDrift: WorkspaceDrift;
  readonly connection: Connection;
  readonly now: number;
}

/** Looks up what a row shows. */
export function viewRow(row: Row, sources: RowSources): RowView {
  switch (row.kind) {
    case 'deployment':
      return viewDeployment(row, sources);
    case 'revision':
      return viewRevision(row, sources);
    case 'unreadable': {
      const label = vscode.l10n.t('Unreadable entry');
      return plainView(row, { label, description: row.reason, icon: 'warning', color: 'list.warningForeground' });
    }
    case 'loadMore':
      return plainView(row, {
        label: vscode.l10n.t('Load more…'),
        description: '',
        icon: 'ellipsis',
        command: 'deploymentManager.loadMore',
      });
    case 'failure':
      return viewFailure(row, sources);
  }
}

/** Makes the tree item of a view. Its tooltip is added when it is asked for. */
export function toTreeItem(view: RowView, row: Row): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(view.label, view.isExpandable ? Collapsed : None);
  item.id = view.key;
  item.description = view.description;
  item.contextValue = view.context;
  item.accessibilityInformation = { label: view.spoken };
  item.iconPath = new vscode.ThemeIcon(
    view.icon,
    view.color === undefined ? undefined : new vscode.ThemeColor(view.color),
  );
  if (view.command !== undefined) item.command = { command: view.command, title: view.label, arguments: [row] };
  return item;
}

function viewDeployment(
  row: Row & { kind: 'deployment' },
  { deployments, follower, revisionWatch, workspaceDrift, connection, now }: RowSources,
): RowView {
  const deployment = deployments.find(row.id);
  if (deployment === undefined) return plainView(row, { label: row.id, description: '', icon: 'question' });
  const followed = follower.find(connection.name, row.id);
  const summary = summarizeDeployment(
    deployment,
    {
      active: deployments.revision(deployment.active_revision_id ?? ''),
      latest: deployments.revision(deployment.latest_revision_id ?? ''),
      latestSince:
        followed?.revisionId === deployment.latest_revision_id
          ? followed?.phaseSince
          : revisionWatch.since(deployment.latest_revision_id ?? ''),
    },
    now,
  );
  const drift = workspaceDrift.of(row.id);
  const isFollowed = followed !== undefined && followed.outcome === undefined;
  return {
    key: rowKey(row),
    label: deployment.name,
    description: drift === undefined ? summary.description : `${summary.description} · ${drift.text}`,
    icon: summary.icon,
    ...(summary.color === undefined ? {} : { color: summary.color }),
    isExpandable: true,
    context: [
      'deployment',
      summary.phase,
      isFollowed ? 'followed' : 'notFollowed',
      ...pagesOf(deployment, connection),
      drift?.differs === true ? 'drift' : 'noDrift',
      '',
    ].join(';'),
    spoken: drift === undefined ? summary.spoken : `${summary.spoken}, ${drift.text}`,
  };
}

/** Tags of the pages that can be opened, for the menus. */
function pagesOf(deployment: Deployment, connection: Connection): readonly string[] {
  return [
    applicationUrl(deployment) === undefined ? '' : 'application',
    repositoryWebUrl(deployment.source_config?.repo_url ?? '') === undefined ? '' : 'repository',
    servicePage(connection, deployment) === undefined ? '' : 'page',
  ].filter((tag) => tag !== '');
}

function viewRevision(row: Row & { kind: 'revision' }, { deployments, now }: RowSources): RowView {
  const revision = deployments.revision(row.id);
  if (revision === undefined) return plainView(row, { label: row.id, description: '', icon: 'question' });
  const summary = summarizeRevision(deployments.find(row.deploymentId), revision, now);
  return {
    key: rowKey(row),
    label: revisionTitle(revision),
    description: summary.description,
    icon: summary.icon,
    ...(summary.color === undefined ? {} : { color: summary.color }),
    isExpandable: false,
    context: ['revision', summary.phase, ''].join(';'),
    spoken: summary.spoken,
  };
}

function viewFailure(row: Row & { kind: 'failure' }, { deployments }: RowSources): RowView {
  const { deploymentId } = row;
  const state: PagedListState<unknown> =
    deploymentId === undefined ? deployments.state : deployments.revisionsOf(deploymentId);
  const age = state.loadedAt === undefined ? [] : [vscode.l10n.t('as of {0}', formatClock(state.loadedAt))];
  return plainView(row, {
    label: vscode.l10n.t('Could not load, click to retry'),
    description: [...age, messageOf(state.error)].join(' · '),
    icon: 'error',
    color: 'list.errorForeground',
    command: 'deploymentManager.retry',
  });
}

function plainView(
  row: Row,
  view: Pick<RowView, 'label' | 'description' | 'icon'> & Partial<Pick<RowView, 'color' | 'command'>>,
): RowView {
  return {
    key: rowKey(row),
    isExpandable: false,
    context: `${row.kind};`,
    spoken: [view.label, view.description].filter((part) => part !== '').join(', '),
    ...view,
  };
}
