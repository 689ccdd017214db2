import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { repositoryWebUrl } from '../../core/git/remote.ts';
import { deploymentWords, revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import type { Connection } from '../../state/connections/connection.ts';
import type { Follower } from '../../state/following/follower.ts';
import type { Poller } from '../../state/following/poller.ts';
import type { Deployments } from '../../state/lists/deployments.ts';
import type { PagedListState } from '../../state/lists/pagedList.ts';
import { endKey, isEndRow, type EndRow, viewEnd } from '../window/listRows.ts';
import { plainView, type RowView } from '../window/rowLook.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { applicationUrl, servicePage } from './pages.ts';

/** A row of the deployments view. Rows are names of things; what they show is looked up when they are drawn. */
export type Row =
  | { readonly kind: 'deployment'; readonly id: string }
  | { readonly kind: 'revision'; readonly id: string; readonly deploymentId: string }
  /** No revision that is loaded has a status that is shown. */
  | { readonly kind: 'noneFits'; readonly deploymentId: string }
  /** `list` is the id of a deployment, or empty. */
  | EndRow;

/** Unique in the whole tree and the same after each refresh, so that selection and expansion stay. */
export function rowKey(row: Row): string {
  if (isEndRow(row)) return endKey(row);
  switch (row.kind) {
    case 'deployment':
      return `deployment/${row.id}`;
    case 'revision':
      return `deployment/${row.deploymentId}/revision/${row.id}`;
    case 'noneFits':
      return `deployment/${row.deploymentId}/noneFits`;
  }
}

/** The deployment that a row is or belongs to; undefined for a row of the whole list. */
export function deploymentIdOf(row: Row): string | undefined {
  if (isEndRow(row)) return row.list === '' ? undefined : row.list;
  return row.kind === 'deployment' ? row.id : row.deploymentId;
}

/** Tells whether a command's argument is one of our rows: other extensions can call commands with anything. */
export function isRow(value: unknown): value is Row {
  const kinds: readonly unknown[] = [
    'deployment',
    'revision',
    'noneFits',
    'unreadable',
    'loadMore',
    'failure',
  ] satisfies Row['kind'][];
  return typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(value.kind);
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

/** Looks up what a row shows. */
export function viewRow(row: Row, sources: RowSources): RowView {
  if (isEndRow(row)) return viewEnd(row, stateOfList(row.list, sources.deployments));
  switch (row.kind) {
    case 'deployment':
      return viewDeployment(row, sources);
    case 'revision':
      return viewRevision(row, sources);
    case 'noneFits':
      return viewNoneFits(row, sources);
  }
}

/** The list that an end row belongs to: the revisions of a deployment, or else the deployments. */
export function stateOfList(list: string, deployments: Deployments): PagedListState<unknown> {
  return list === '' ? deployments.state : deployments.revisionsOf(list);
}

function viewDeployment(
  row: Row & { kind: 'deployment' },
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
  const words = deploymentWords(deployment, deployments.observe(row.id, deployment.latest_revision_id), {
    now,
    latestFor: latestSince === undefined ? undefined : monotonic - latestSince,
  });
  const drift = workspaceDrift.of(row.id);
  const isMine = workspaceDrift.isOfWorkspace(row.id);
  const local = [drift?.text, isMine ? vscode.l10n.t('this workspace') : undefined].filter(
    (part) => part !== undefined,
  );
  const isFollowed = followed !== undefined && followed.outcome === undefined;
  return {
    key: rowKey(row),
    label: deployment.name,
    description: [...words.first, ...local, ...words.later].join(' · '),
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

/** Tags of the pages that can be opened, for the menus. */
function pagesOf(deployment: Deployment, connection: Connection): readonly string[] {
  return [
    applicationUrl(deployment) === undefined ? '' : 'application',
    repositoryWebUrl(deployment.source_config?.repo_url ?? '') === undefined ? '' : 'repository',
    servicePage(connection, deployment) === undefined ? '' : 'page',
  ].filter((tag) => tag !== '');
}

function viewRevision(row: Row & { kind: 'revision' }, { deployments, connection, now }: RowSources): RowView {
  const revision = deployments.revision(row.id);
  if (revision === undefined) return unknownView(row);
  const words = revisionWords(deployments.observe(row.deploymentId, row.id), now);
  return {
    key: rowKey(row),
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

function viewNoneFits(row: Row & { kind: 'noneFits' }, { deployments }: RowSources): RowView {
  const { hasMore } = deployments.revisionsOf(row.deploymentId);
  return plainView(rowKey(row), row.kind, {
    label: hasMore ? vscode.l10n.t('None loaded fits the filter') : vscode.l10n.t('No revision fits the filter'),
    description: vscode.l10n.t('click to change it'),
    icon: 'filter',
    command: 'deploymentManager.filterRevisions',
  });
}

/** A row whose deployment or revision is no longer known. */
function unknownView(row: Row & { kind: 'deployment' | 'revision' }): RowView {
  return plainView(rowKey(row), row.kind, { label: row.id, description: '', icon: 'question' });
}
