import * as vscode from 'vscode';
import type { Integration } from '../../../api/resources/integrations.ts';
import { type RepositoryDraft, fillCheckedOut } from '../../../core/draft/draft.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { readableEntries } from '../../../state/lists/pagedList.ts';
import type { ListedRepository } from '../../../state/lists/repositories.ts';
import { chooseRepository } from '../../repositories/chooseRepository.ts';
import type { Services } from '../../services.ts';
import { isCancelled } from '../../window/errors.ts';
import { askChoice, type QuestionPlace } from '../../window/steps.ts';
import { whileAsking } from '../../window/waiting.ts';
import type { DeploymentPlan } from '../plan.ts';
import { askFieldText } from './fieldQuestions.ts';

/** Fills in a repository of the service's list. */
function fillListed(draft: RepositoryDraft, { record, integrationId }: ListedRepository, url: string): void {
  draft.repositoryUrl = url;
  draft.integrationId = integrationId;
  draft.ref = { kind: 'branch', name: record.default_branch ?? '' };
  const from = { kind: 'list' } as const;
  Object.assign(draft.provenance, { integrationId: from, ref: from });
}

/** Fills in another repository. Its integration is found again. */
function fillUrl(draft: RepositoryDraft, url: string): void {
  draft.repositoryUrl = url;
  draft.integrationId = '';
}

/** An answer to the question for a repository. */
interface RepositoryItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<void> | void;
}

/**
 * Asks for another repository: another remote of the open one, one of the service's list, or one by its URL. The open
 * working copy is checked for its own repository only.
 */
export async function editRepository(services: Services, plan: DeploymentPlan, draft: RepositoryDraft): Promise<void> {
  const { title, session, repository } = plan;
  const place = { title, asking: plan };
  const remotes = (repository?.remotes ?? []).map((remote): RepositoryItem => ({
    label: `$(repo) ${withoutIcons(remote.name)}`,
    description: withoutIcons(remote.url),
    choose: () => {
      plan.repository = repository?.through(remote);
      fillCheckedOut(draft, plan.repository?.checkedOut, repository?.checkedOut);
      fillUrl(draft, remote.url);
    },
  }));
  const list: RepositoryItem = {
    label: vscode.l10n.t('Listed Repository…'),
    choose: async () => {
      const listed = await chooseRepository(services, place);
      if (listed?.record.url !== undefined) fillListed(draft, listed, listed.record.url);
    },
  };
  const enter: RepositoryItem = {
    label: vscode.l10n.t('$(edit) Enter a URL…'),
    choose: async () => {
      const url = await askFieldText(place, 'repositoryUrl', draft.repositoryUrl);
      if (url !== undefined) fillUrl(draft, url);
    },
  };
  // The list belongs to the window's own connection.
  const isListed = services.connections.session === session;
  const choice = await askChoice({
    ...place,
    placeholder: vscode.l10n.t('Select the repository to deploy'),
    items: [...remotes, ...(isListed ? [list] : []), enter],
  });
  await choice?.choose();
}

/**
 * Asks for the integration that builds a repository, from a list or by its id.
 * Some services can't list integrations but accept an id.
 */
export async function chooseIntegration(
  session: ReadySession,
  place: QuestionPlace,
  draft: RepositoryDraft,
): Promise<void> {
  const choose = (id: string): void => {
    draft.integrationId = id;
    draft.provenance.integrationId = { kind: 'user' };
  };
  const integrations = await listIntegrations(session, place.title);
  if (integrations.length > 0) {
    const items = integrations.map(({ id, name }) => ({ id, label: withoutIcons(name) }));
    const choice = await askChoice({
      ...place,
      placeholder: vscode.l10n.t('Select the integration that has access to the repository'),
      items: [...items, { id: undefined, label: vscode.l10n.t('$(edit) Enter an ID…') }],
      active: items.find(({ id }) => id === draft.integrationId),
    });
    if (choice === undefined) return;
    if (choice.id !== undefined) return choose(choice.id);
  }
  const id = await askFieldText(place, 'integrationId', draft.integrationId);
  if (id !== undefined) choose(id);
}

/** The integrations of the service; none if they can't be listed. */
async function listIntegrations(session: ReadySession, title: string): Promise<readonly Integration[]> {
  const words = vscode.l10n.t('Loading the integrations of {0}…', withoutIcons(session.connection.name));
  try {
    return await whileAsking(session, { title, words }, async ({ integrations }, signal) =>
      readableEntries(await integrations.listInstallations({ signal })),
    );
  } catch (error) {
    if (isCancelled(error)) throw error;
    return [];
  }
}
