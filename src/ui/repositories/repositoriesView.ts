import * as vscode from 'vscode';
import { isUnreadable } from '../../api/resources/page.ts';
import { fitsWords, repositoryTitle } from '../../core/git/repositories.ts';
import type { Connections } from '../../state/connections/connections.ts';
import { readableEntries, type PagedListState } from '../../state/lists/pagedList.ts';
import type { ListedRepository, Repositories } from '../../state/lists/repositories.ts';
import { describeCount, type ListState, loadingMessage } from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { type Heading, type RowFacts, RowTree } from '../window/rowTree.ts';
import type { OpenRemotes } from '../workspace/openRemotes.ts';
import { repositoryRowKey, repositoryLines, type RepositoriesRow, viewRepositoryRow } from './rows.ts';

export interface RepositoriesViewDependencies {
  readonly connections: Connections;
  readonly repositories: Repositories;
  readonly openRemotes: OpenRemotes;
  readonly log: Log;
}

/** The repositories view: the installations on the code host, and the repositories of each one. */
export class RepositoriesView extends RowTree<RepositoriesRow> {
  readonly #dependencies: RepositoriesViewDependencies;
  #filter = '';

  constructor(dependencies: RepositoriesViewDependencies) {
    super('deploymentManager.repositories', dependencies);
    this.#dependencies = dependencies;
    const { connections, repositories, openRemotes } = dependencies;
    const redraw = (): void => this.redraw();
    this.own(
      connections.onDidChange(() => {
        this.filter = '';
      }),
      repositories.onDidChange(redraw),
      openRemotes.onDidChange(redraw),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.describe();
        this.#readRemotes();
      }),
    );
    this.describe();
  }

  override async refresh(): Promise<void> {
    await this.whileLoading(() => this.reload(undefined));
  }

  /** The repository whose row a command was called with. */
  repositoryOf(argument: unknown): ListedRepository | undefined {
    const row = this.find(argument);
    if (row?.kind !== 'repository') return undefined;
    return this.#dependencies.repositories.find(row.installationId, row.id);
  }

  /** The words that the shown repositories contain; empty if all are shown. */
  get filter(): string {
    return this.#filter;
  }

  /** Shows only the repositories whose owner and name contain these words. */
  set filter(words: string) {
    this.#filter = words.trim();
    this.redraw();
  }

  /** Expands all installations, so a filter covers every repository. */
  async expandAll(): Promise<void> {
    await this.load(undefined);
    for (const { id } of readableEntries(this.#dependencies.repositories.installations.entries)) {
      await this.reveal({ kind: 'installation', id }, { expand: true });
    }
  }

  protected override keyOf(row: RepositoriesRow): string {
    return repositoryRowKey(row);
  }

  protected override parentOf(row: RepositoriesRow): RepositoriesRow | undefined {
    return row.kind === 'repository' ? { kind: 'installation', id: row.installationId } : undefined;
  }

  protected override listBelow(parent: RepositoriesRow | undefined): ListState {
    return parent === undefined ? this.#dependencies.repositories.installations : this.#fittingOf(parent.id);
  }

  protected override rowBelow(parent: RepositoriesRow | undefined, id: string): RepositoriesRow {
    return parent === undefined ? { kind: 'installation', id } : { kind: 'repository', installationId: parent.id, id };
  }

  protected override async load(parent: RepositoriesRow | undefined): Promise<void> {
    const { repositories } = this.#dependencies;
    if (parent === undefined) return repositories.loadInstallations();
    this.#readRemotes();
    await repositories.loadRepositories(parent.id);
  }

  /** Reloads the repositories of one installation, or everything that was opened if none is given. */
  protected override async reload(parent: RepositoriesRow | undefined): Promise<void> {
    const { repositories } = this.#dependencies;
    this.#readRemotes();
    await (parent === undefined ? repositories.refreshLoaded() : repositories.refreshRepositories(parent.id));
  }

  protected override look(row: RepositoriesRow): RowView {
    return viewRepositoryRow(row, this.#dependencies);
  }

  protected override linesOf(row: RepositoriesRow): readonly Line[] {
    return repositoryLines(row, this.#dependencies);
  }

  protected override factsOf(row: RepositoriesRow): RowFacts {
    const { repositories } = this.#dependencies;
    if (row.kind === 'installation') {
      const name = repositories.findInstallation(row.id)?.name;
      return { id: row.id, name, place: { kind: 'installation', ids: [row.id] } };
    }
    const record = repositories.find(row.installationId, row.id)?.record;
    const name = record === undefined ? undefined : repositoryTitle(record);
    return { id: row.id, name, place: { kind: 'repository', ids: [row.installationId, row.id] } };
  }

  protected override heading(): Heading {
    const { connections, repositories } = this.#dependencies;
    const loaded = readableEntries(repositories.installations.entries)
      .map(({ id }) => this.#fittingOf(id))
      .filter(({ loadedAt }) => loadedAt !== undefined);
    const count = loaded.reduce((sum, { entries }) => sum + entries.length, 0);
    const words = describeCount(connections.session, loaded.length === 0 ? undefined : count);
    return {
      description: this.#filter === '' ? words : vscode.l10n.t('{0} with "{1}"', words, this.#filter),
      message:
        loaded.length === 0
          ? loadingMessage(connections.session, repositories.installations)
          : this.#messageAbout(count),
    };
  }

  /** Reads the remotes in the background, because git may be slow in a large workspace. */
  #readRemotes(): void {
    void this.#dependencies.openRemotes.read();
  }

  #fittingOf(installationId: string): PagedListState<ListedRepository> {
    const state = this.#dependencies.repositories.repositoriesOf(installationId);
    if (this.#filter === '') return state;
    return {
      ...state,
      entries: state.entries.filter((entry) => isUnreadable(entry) || fitsWords(entry.record, this.#filter)),
    };
  }

  /** A message about the whole list that its rows don't show. */
  #messageAbout(count: number): string {
    if (count === 0) {
      return this.#filter === '' ? '' : vscode.l10n.t('No repository has "{0}" in its name.', this.#filter);
    }
    // Git doesn't run in an untrusted folder.
    return vscode.workspace.isTrusted
      ? ''
      : vscode.l10n.t("The open repository isn't marked in Restricted Mode. Trust its folder to mark it.");
  }
}
