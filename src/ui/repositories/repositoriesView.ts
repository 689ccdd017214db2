import * as vscode from 'vscode';
import type { Repository } from '../../api/resources/integrations.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import { repositoryWebUrl } from '../../core/git/remote.ts';
import { fitsWords, repositoryTitle } from '../../core/git/repositories.ts';
import { readableEntries, type PagedListState } from '../../state/lists/pagedList.ts';
import type { ListedRepository } from '../../state/lists/repositories.ts';
import type { Stores } from '../stores.ts';
import type { DocumentPlace } from '../window/documentPlace.ts';
import { describeCount, type ListState, loadingMessage } from '../window/listRows.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { type Heading, type ListRequests, RowTree } from '../window/rowTree.ts';

type RepositoriesViewDependencies = Pick<Stores, 'connections' | 'repositories' | 'log' | 'remoteAddresses'>;

type RepositoriesRow = Extract<DocumentPlace, { readonly kind: 'installation' | 'repository' }>;

/** The repositories view: the installations on the code host, and the repositories of each one. */
export class RepositoriesView extends RowTree<RepositoriesRow, RepositoriesViewDependencies> {
  #filter = '';

  constructor(dependencies: RepositoriesViewDependencies) {
    super('deploymentManager.repositories', dependencies);
    const { connections, repositories, remoteAddresses } = dependencies;
    const redraw = (): void => this.redraw();
    this.disposeWithView(
      connections.onDidChange(() => {
        this.filter = '';
      }),
      repositories.onDidChange(redraw),
      remoteAddresses.onDidChange(redraw),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.describe();
        this.#readRemotes();
      }),
    );
    this.describe();
  }

  /** The repository whose row a command was called with. */
  repositoryOf(argument: unknown): ListedRepository | undefined {
    const row = this.find(argument);
    return row?.kind === 'repository' ? this.dependencies.repositories.find(...row.ids) : undefined;
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
    await this.requestsBelow(undefined).load();
    for (const { id } of readableEntries(this.dependencies.repositories.installations.of().state.entries)) {
      await this.reveal({ kind: 'installation', ids: [id] }, { expand: true });
    }
  }

  protected override parentOf(row: RepositoriesRow): RepositoriesRow | undefined {
    return row.kind === 'repository' ? { kind: 'installation', ids: [row.ids[0]] } : undefined;
  }

  protected override listBelow(parent: RepositoriesRow | undefined): ListState {
    return parent === undefined
      ? this.dependencies.repositories.installations.of().state
      : this.#fittingOf(parent.ids[0]);
  }

  protected override rowBelow(parent: RepositoriesRow | undefined, id: string): RepositoriesRow {
    return parent === undefined
      ? { kind: 'installation', ids: [id] }
      : { kind: 'repository', ids: [parent.ids[0], id] };
  }

  protected override requestsBelow(parent: RepositoriesRow | undefined): ListRequests {
    const { repositories } = this.dependencies;
    const list = parent === undefined ? repositories.installations.of() : repositories.ofInstallation.of(parent.ids[0]);
    return {
      load: async () => {
        if (parent !== undefined) this.#readRemotes();
        await list.load();
      },
      refresh: async () => {
        this.#readRemotes();
        await (parent === undefined ? repositories.refreshLoaded() : list.refresh());
      },
    };
  }

  protected override look(row: RepositoriesRow): RowView | undefined {
    const { repositories, remoteAddresses } = this.dependencies;
    if (row.kind === 'installation') {
      const installation = repositories.installations.of().find(...row.ids);
      const { entries, loadedAt } = repositories.ofInstallation.of(row.ids[0]).state;
      const isEmpty = loadedAt !== undefined && entries.length === 0;
      return (
        installation && {
          label: installation.name,
          description: isEmpty ? vscode.l10n.t('no repositories') : '',
          icon: 'organization',
          isExpandable: true,
          // Expand the only installation, because users open it first.
          isExpanded: repositories.installations.of().state.entries.length === 1,
        }
      );
    }
    const record = repositories.find(...row.ids)?.record;
    if (record === undefined) return undefined;
    const isOpen = record.url !== undefined && remoteAddresses.has(record.url);
    const hasPage = record.url !== undefined && repositoryWebUrl(record.url) !== undefined;
    const description = [record.default_branch, isOpen ? vscode.l10n.t('this workspace') : undefined];
    return {
      label: repositoryTitle(record),
      description: description.filter((part) => part !== undefined).join(' · '),
      icon: isOpen ? 'root-folder-opened' : 'repo',
      context: hasPage ? 'repository;page;' : 'repository;',
    };
  }

  protected override linesOf(row: RepositoriesRow): readonly Line[] {
    const { repositories } = this.dependencies;
    const installation = repositories.installations.of().find(row.ids[0]);
    const record = row.kind === 'repository' ? repositories.find(...row.ids)?.record : undefined;
    return [
      ...(record === undefined ? [] : linesOfRepository(record)),
      [vscode.l10n.t('Integration'), installation?.name],
      [vscode.l10n.t('Installation ID'), installation?.installation_id?.toString()],
      [vscode.l10n.t('Integration ID'), installation?.id],
    ];
  }

  protected override heading(): Heading {
    const { connections, repositories } = this.dependencies;
    const loaded = readableEntries(repositories.installations.of().state.entries)
      .map(({ id }) => this.#fittingOf(id))
      .filter(({ loadedAt }) => loadedAt !== undefined);
    const count = loaded.reduce((sum, { entries }) => sum + entries.length, 0);
    const words = describeCount(connections.session, loaded.length === 0 ? undefined : count);
    return {
      description: this.#filter === '' ? words : vscode.l10n.t('{0} with "{1}"', words, this.#filter),
      message:
        loaded.length === 0
          ? loadingMessage(connections.session, repositories.installations.of().state)
          : this.#messageAbout(count),
    };
  }

  /** Reads the remotes in the background, because git may be slow in a large workspace. */
  #readRemotes(): void {
    void this.dependencies.remoteAddresses.readUrls();
  }

  #fittingOf(installationId: string): PagedListState<ListedRepository> {
    const state = this.dependencies.repositories.ofInstallation.of(installationId).state;
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

function linesOfRepository(record: Repository): readonly Line[] {
  return [
    [vscode.l10n.t('Repository'), repositoryTitle(record)],
    [vscode.l10n.t('Address'), record.url],
    [vscode.l10n.t('Default branch'), record.default_branch],
  ];
}
