import * as vscode from 'vscode';
import type { Integration } from '../../api/integrations.ts';
import { repositoryWebUrl } from '../../core/gitRemote.ts';
import { repositoryTitle } from '../../core/mergeRepositories.ts';
import type { Connections } from '../../state/connections.ts';
import { isUnasked, readableRows, type PagedListState } from '../../state/pagedList.ts';
import type { ListedRepository, Repositories } from '../../state/repositories.ts';
import type { OpenRemotes } from '../openRemotes.ts';
import {
  describeCount,
  endKey,
  endLines,
  isEndRow,
  listRows,
  viewEnd,
  type EndRow,
  type RowTarget,
} from './listRows.ts';
import { plainView, type RowView } from './rowLook.ts';
import { RowTree } from './rowTree.ts';
import { markdown, type Line } from './tooltipText.ts';

export interface RepositoriesViewDependencies {
  readonly connections: Connections;
  readonly repositories: Repositories;
  readonly openRemotes: OpenRemotes;
  readonly log: vscode.LogOutputChannel;
}

type InstallationRow = { readonly kind: 'installation'; readonly id: string };
type RepositoryRow = { readonly kind: 'repository'; readonly installationId: string; readonly id: string };
type Row = InstallationRow | RepositoryRow | EndRow;

/** The repositories view: the installations on the code host and what the service can build from each. */
export class RepositoriesView {
  readonly #dependencies: RepositoriesViewDependencies;
  readonly #tree: RowTree<Row>;
  readonly #subscriptions: vscode.Disposable;

  constructor(dependencies: RepositoriesViewDependencies) {
    this.#dependencies = dependencies;
    const { connections, repositories, openRemotes } = dependencies;
    this.#tree = new RowTree<Row>(
      'deploymentManager.repositories',
      {
        keyOf: keyOfRow,
        parentOf: (row) => this.#parentOf(row),
        childrenOf: (parent) => this.#childrenOf(parent),
        load: (parent) => this.#load(parent),
        look: (row) => this.#look(row),
        tooltip: (row) => markdown(this.#lines(row)),
      },
      dependencies,
    );
    const redraw = (): void => {
      this.#describe();
      this.#tree.redraw();
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#tree,
      connections.onDidChange(() => this.#describe()),
      repositories.onDidChange(redraw),
      openRemotes.onDidChange(redraw),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void openRemotes.read()),
    );
    this.#describe();
  }

  /** What a command can do with a row of this view; undefined for anything else. */
  targetOf(argument: unknown): RowTarget | undefined {
    const row = this.#tree.find(argument);
    if (row === undefined) return undefined;
    const record = this.repositoryOf(row)?.record;
    const installation = row.kind === 'installation' ? this.#installation(row.id) : undefined;
    return {
      id: row.kind === 'repository' || row.kind === 'installation' ? row.id : undefined,
      name: record === undefined ? installation?.name : repositoryTitle(record),
      repositoryUrl: record?.url,
      reload: () => this.#tree.whileLoading(() => this.#reload(isEndRow(row) ? row.list : '')),
      // Both lists come whole, so that none of them ever has more.
      loadMore: async () => undefined,
    };
  }

  /** The repository of a row that a command was called with. */
  repositoryOf(argument: unknown): ListedRepository | undefined {
    const row = this.#tree.find(argument);
    if (row?.kind !== 'repository') return undefined;
    return this.#dependencies.repositories.find(row.installationId, row.id);
  }

  /** Opens all installations, so that a search finds every repository. */
  async expandAll(): Promise<void> {
    await this.#load(undefined);
    for (const { id } of readableRows(this.#dependencies.repositories.installations.rows)) {
      await this.#tree.reveal({ kind: 'installation', id }, { focus: true, expand: true });
    }
  }

  /** Runs a task with progress shown in the view. */
  async whileLoading<T>(task: () => Promise<T>): Promise<T> {
    return this.#tree.whileLoading(task);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #parentOf(row: Row): Row | undefined {
    if (row.kind === 'repository') return { kind: 'installation', id: row.installationId };
    return isEndRow(row) && row.list !== '' ? { kind: 'installation', id: row.list } : undefined;
  }

  #childrenOf(parent: Row | undefined): readonly Row[] {
    const { repositories } = this.#dependencies;
    if (parent === undefined) {
      return listRows<Integration, Row>(repositories.installations, '', ({ id }) => ({ kind: 'installation', id }));
    }
    if (parent.kind !== 'installation') return [];
    const installationId = parent.id;
    return listRows<ListedRepository, Row>(repositories.repositoriesOf(installationId), installationId, ({ id }) => ({
      kind: 'repository',
      installationId,
      id,
    }));
  }

  async #load(parent: Row | undefined): Promise<void> {
    const list = parent?.kind === 'installation' ? parent.id : '';
    if (isUnasked(this.#stateOf(list))) await this.#reload(list);
  }

  /** Loads one installation's repositories, or else the installations. */
  async #reload(list: string): Promise<void> {
    const { repositories, openRemotes } = this.#dependencies;
    // Git may take its time over a large workspace; the marks come when it is done.
    if (list !== '') void openRemotes.read();
    await (list === '' ? repositories.loadInstallations() : repositories.loadRepositories(list));
  }

  #stateOf(list: string): PagedListState<unknown> {
    const { repositories } = this.#dependencies;
    return list === '' ? repositories.installations : repositories.repositoriesOf(list);
  }

  #installation(id: string): Integration | undefined {
    return this.#dependencies.repositories.findInstallation(id);
  }

  #describe(): void {
    const { connections, repositories } = this.#dependencies;
    const loaded = readableRows(repositories.installations.rows)
      .map(({ id }) => repositories.repositoriesOf(id))
      .filter(({ loadedAt }) => loadedAt !== undefined);
    const count = loaded.reduce((sum, { rows }) => sum + rows.length, 0);
    this.#tree.describe(describeCount(connections.session, loaded.length === 0 ? undefined : count));
  }

  #look(row: Row): RowView {
    if (isEndRow(row)) return viewEnd(row, this.#stateOf(row.list));
    return row.kind === 'installation' ? this.#lookOfInstallation(row) : this.#lookOfRepository(row);
  }

  #lookOfInstallation(row: InstallationRow): RowView {
    const { repositories } = this.#dependencies;
    const { rows, loadedAt } = repositories.repositoriesOf(row.id);
    const label = this.#installation(row.id)?.name ?? row.id;
    const isEmpty = loadedAt !== undefined && rows.length === 0;
    const description = isEmpty ? vscode.l10n.t('no repositories') : '';
    return {
      ...plainView(keyOfRow(row), 'installation', { label, description, icon: 'organization' }),
      isExpandable: true,
      // The only installation is what everybody opens first.
      isExpanded: repositories.installations.rows.length === 1,
    };
  }

  #lookOfRepository(row: RepositoryRow): RowView {
    const { repositories, openRemotes } = this.#dependencies;
    const record = repositories.find(row.installationId, row.id)?.record;
    const isOpen = record?.url !== undefined && openRemotes.has(record.url);
    const tags = ['repository', webUrlOf(record?.url) === undefined ? '' : 'page'].filter((tag) => tag !== '');
    const description = [record?.default_branch, isOpen ? vscode.l10n.t('open in this window') : undefined];
    return plainView(keyOfRow(row), tags.join(';'), {
      label: record === undefined ? row.id : repositoryTitle(record),
      description: description.filter((part) => part !== undefined).join(' · '),
      icon: isOpen ? 'root-folder-opened' : 'repo',
      ...(isOpen ? { color: 'charts.blue' } : {}),
    });
  }

  #lines(row: Row): readonly Line[] {
    if (isEndRow(row)) return endLines(row, this.#stateOf(row.list));
    const installation = this.#installation(row.kind === 'installation' ? row.id : row.installationId);
    const record = this.repositoryOf(row)?.record;
    const installationLines: Line[] = [
      [vscode.l10n.t('Installation'), installation?.name],
      [vscode.l10n.t('Installation id'), installation?.installation_id?.toString()],
      [vscode.l10n.t('Integration id'), installation?.id],
    ];
    if (record === undefined) return installationLines;
    return [
      [vscode.l10n.t('Repository'), repositoryTitle(record)],
      [vscode.l10n.t('Address'), record.url],
      [vscode.l10n.t('Default branch'), record.default_branch],
      ...installationLines,
    ];
  }
}

function keyOfRow(row: Row): string {
  switch (row.kind) {
    case 'installation':
      return `installation/${row.id}`;
    case 'repository':
      return `installation/${row.installationId}/repository/${row.id}`;
    case 'unreadable':
    case 'loadMore':
    case 'failure':
      return endKey(row);
  }
}

function webUrlOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : repositoryWebUrl(url);
}
