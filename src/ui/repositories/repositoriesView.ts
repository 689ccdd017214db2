import * as vscode from 'vscode';
import type { Integration } from '../../api/resources/integrations.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import { fitsWords, repositoryTitle } from '../../core/git/repositories.ts';
import type { Connections } from '../../state/connections/connections.ts';
import { readableRows, type PagedListState } from '../../state/lists/pagedList.ts';
import type { ListedRepository, Repositories } from '../../state/lists/repositories.ts';
import type { DocumentPlace } from '../window/documentResources.ts';
import { describeCount, isEndRow, listRows, loadingMessage, type RowTarget } from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import { markdown } from '../window/rowLook.ts';
import { RowTree } from '../window/rowTree.ts';
import type { OpenRemotes } from '../workspace/openRemotes.ts';
import { repositoryLines, repositoryRowKey, type RepositoriesRow as Row, viewRepositoryRow } from './rows.ts';

export interface RepositoriesViewDependencies {
  readonly connections: Connections;
  readonly repositories: Repositories;
  readonly openRemotes: OpenRemotes;
  readonly log: Log;
}

/** The repositories view: the installations on the code host and what the service can build from each. */
export class RepositoriesView {
  readonly #dependencies: RepositoriesViewDependencies;
  readonly tree: RowTree<Row>;
  readonly #subscriptions: vscode.Disposable;
  #filter = '';

  constructor(dependencies: RepositoriesViewDependencies) {
    this.#dependencies = dependencies;
    const { connections, repositories, openRemotes } = dependencies;
    this.tree = new RowTree<Row>(
      'deploymentManager.repositories',
      {
        keyOf: repositoryRowKey,
        parentOf: (row) => this.#parentOf(row),
        childrenOf: (parent) => this.#childrenOf(parent),
        load: (parent) => this.#load(parent),
        look: (row) => viewRepositoryRow(row, dependencies),
        tooltip: (row) => markdown(repositoryLines(row, dependencies)),
      },
      dependencies,
    );
    const redraw = (): void => this.#redraw();
    this.#subscriptions = vscode.Disposable.from(
      this.tree,
      connections.onDidChange(() => {
        this.filter = '';
      }),
      repositories.onDidChange(redraw),
      openRemotes.onDidChange(redraw),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#describe();
        this.#readRemotes();
      }),
    );
    this.#describe();
  }

  get visible(): boolean {
    return this.tree.visible;
  }

  /** Loads anew what was opened, with progress shown in the view. */
  async refresh(): Promise<void> {
    this.#readRemotes();
    await this.tree.whileLoading(() => this.#dependencies.repositories.refreshLoaded());
  }

  /** What a command can do with a row of this view; undefined for anything else. */
  targetOf(argument: unknown): RowTarget | undefined {
    const row = this.tree.find(argument);
    if (row === undefined) return undefined;
    const record = this.repositoryOf(row)?.record;
    const installation =
      row.kind === 'installation' ? this.#dependencies.repositories.findInstallation(row.id) : undefined;
    return {
      id: row.kind === 'repository' || row.kind === 'installation' ? row.id : undefined,
      name: record === undefined ? installation?.name : repositoryTitle(record),
      place: placeOf(row),
      repositoryUrl: record?.url,
      reload: () => this.tree.whileLoading(() => this.#reload(isEndRow(row) ? row.list : '')),
      // Both lists come whole, so that none of them ever has more.
      loadMore: async () => undefined,
    };
  }

  /** The repository of a row that a command was called with. */
  repositoryOf(argument: unknown): ListedRepository | undefined {
    const row = this.tree.find(argument);
    if (row?.kind !== 'repository') return undefined;
    return this.#dependencies.repositories.find(row.installationId, row.id);
  }

  /** The words that the shown repositories hold; empty when all are shown. */
  get filter(): string {
    return this.#filter;
  }

  /** Shows only the repositories whose owner and name hold these words. */
  set filter(words: string) {
    this.#filter = words.trim();
    this.#redraw();
  }

  /** Opens all installations, so that a filter finds every repository. */
  async expandAll(): Promise<void> {
    await this.#load(undefined);
    for (const { id } of readableRows(this.#dependencies.repositories.installations.rows)) {
      await this.tree.reveal({ kind: 'installation', id }, { expand: true });
    }
  }

  /** Runs a task with progress shown in the view. */
  async whileLoading<T>(task: () => Promise<T>): Promise<T> {
    return this.tree.whileLoading(task);
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
    return listRows<ListedRepository, Row>(this.#fittingOf(installationId), installationId, ({ id }) => ({
      kind: 'repository',
      installationId,
      id,
    }));
  }

  async #load(parent: Row | undefined): Promise<void> {
    const { repositories } = this.#dependencies;
    if (parent === undefined) {
      await repositories.loadInstallations();
    } else if (parent.kind === 'installation') {
      this.#readRemotes();
      await repositories.loadRepositories(parent.id);
    }
  }

  /** Asks again for one installation's repositories, or else for everything that was opened: it failed together. */
  async #reload(list: string): Promise<void> {
    const { repositories } = this.#dependencies;
    this.#readRemotes();
    await (list === '' ? repositories.refreshLoaded() : repositories.refreshRepositories(list));
  }

  /** Git may take its time over a large workspace; the marks come when it is done. */
  #readRemotes(): void {
    void this.#dependencies.openRemotes.read();
  }

  #fittingOf(installationId: string): PagedListState<ListedRepository> {
    const state = this.#dependencies.repositories.repositoriesOf(installationId);
    if (this.#filter === '') return state;
    return { ...state, rows: state.rows.filter((row) => isUnreadable(row) || fitsWords(row.record, this.#filter)) };
  }

  #redraw(): void {
    this.#describe();
    this.tree.redraw();
  }

  #describe(): void {
    const { connections, repositories } = this.#dependencies;
    const loaded = readableRows(repositories.installations.rows)
      .map(({ id }) => this.#fittingOf(id))
      .filter(({ loadedAt }) => loadedAt !== undefined);
    const count = loaded.reduce((sum, { rows }) => sum + rows.length, 0);
    const words = describeCount(connections.session, loaded.length === 0 ? undefined : count);
    this.tree.describe(
      this.#filter === '' ? words : vscode.l10n.t('{0} with "{1}"', words, this.#filter),
      loaded.length === 0 ? loadingMessage(connections.session, repositories.installations) : this.#messageAbout(count),
    );
  }

  /** What the loaded repositories do not say themselves. */
  #messageAbout(count: number): string {
    if (count === 0) {
      return this.#filter === '' ? '' : vscode.l10n.t('No repository has "{0}" in its name.', this.#filter);
    }
    // Git is not run in a folder that nobody trusts.
    return vscode.workspace.isTrusted
      ? ''
      : vscode.l10n.t(
          'The repository that is open here is marked once this window leaves Restricted Mode: trust its folder.',
        );
  }
}

function placeOf(row: Row): DocumentPlace | undefined {
  if (row.kind === 'installation') return { kind: 'installation', ids: [row.id] };
  return row.kind === 'repository' ? { kind: 'repository', ids: [row.installationId, row.id] } : undefined;
}
