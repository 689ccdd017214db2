import * as vscode from 'vscode';
import { repositoryTitle } from '../../core/git/repositories.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { type PagedList, readableEntries } from '../../state/lists/pagedList.ts';
import type { ListedRepository, Repositories } from '../../state/lists/repositories.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { askChoice, type QuestionPlace } from '../window/steps.ts';

/**
 * The user's choice among the repositories of all installations.
 * @throws the service's error, or {UserError} if there are no repositories
 */
export async function chooseRepository(
  { repositories, views }: Pick<Services, 'repositories' | 'views'>,
  place: QuestionPlace,
): Promise<ListedRepository | undefined> {
  await views.repositories.whileLoading(() => loadAll(repositories));
  const installations = readableEntries(repositories.installations.of().state.entries);
  const items = installations.flatMap(({ id, name }) =>
    readableEntries(repositories.ofInstallation.of(id).state.entries).map((repository) => ({
      repository,
      label: `$(repo) ${withoutIcons(repositoryTitle(repository.record))}`,
      description: withoutIcons([repository.record.default_branch, name].filter(Boolean).join(' · ')),
    })),
  );
  if (items.length === 0) {
    throw new UserError(
      vscode.l10n.t("The service can't read any repository. Grant it access on the code host, then try again."),
    );
  }
  const choice = await askChoice({ ...place, placeholder: vscode.l10n.t('Select a repository to deploy'), items });
  return choice?.repository;
}

/**
 * Loads missing lists and retries failed ones.
 * A failed installation is ignored as long as another one has repositories.
 */
async function loadAll({ installations, ofInstallation }: Repositories): Promise<void> {
  await loadOrRetry(installations.of());
  const { error, entries } = installations.of().state;
  if (error !== undefined) throw error;
  const ids = readableEntries(entries).map(({ id }) => id);
  await Promise.all(ids.map((id) => loadOrRetry(ofInstallation.of(id))));
  const states = ids.map((id) => ofInstallation.of(id).state);
  const failed = states.find((state) => state.error !== undefined);
  if (failed !== undefined && states.every((state) => state.entries.length === 0)) throw failed.error;
}

async function loadOrRetry(list: PagedList<{ readonly id: string }>): Promise<void> {
  await (list.state.error === undefined ? list.load() : list.refresh());
}

/** Filters the repositories while the user types. Empty shows all; Escape restores the old filter. */
export async function filterRepositories({ views }: Pick<Services, 'views'>, _session: ReadySession): Promise<void> {
  const view = views.repositories;
  await vscode.commands.executeCommand('deploymentManager.repositories.focus');
  await view.whileLoading(() => view.expandAll());
  const before = view.filter;
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Filter Repositories');
  input.prompt = vscode.l10n.t('Words from the owner or the name. Leave empty to show all.');
  input.placeholder = 'acme agent';
  input.value = before;
  // Clicking a repository must not undo the filter, as hiding the input would.
  input.ignoreFocusOut = true;
  input.onDidChangeValue((words) => {
    view.filter = words;
  });
  view.filter = await new Promise<string>((resolve) => {
    input.onDidAccept(() => resolve(input.value));
    input.onDidHide(() => resolve(before));
    input.show();
  });
  input.dispose();
}
