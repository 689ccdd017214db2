import * as vscode from 'vscode';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import { chooseAsLastTime } from '../../core/draft/asLastTime.ts';
import {
  beginDraft,
  begunRepository,
  contentOf,
  isOfChosenRepository,
  withResourcesOfForm,
  type BegunDeployment,
} from '../../core/draft/begunDraft.ts';
import { nameFor, nameForRepository, suggestDeploymentName } from '../../core/draft/deploymentName.ts';
import type { DeploymentDraft, RepositoryDraft } from '../../core/draft/draft.ts';
import { draftFields } from '../../core/draft/fields.ts';
import type { Finding } from '../../core/draft/findings.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { repositoryTitle } from '../../core/git/repositories.ts';
import { textOf, type SpecMap } from '../../core/yaml/value.ts';
import { flavorOf } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { lastChoices } from '../../state/deploying/rememberedChoices.ts';
import { chooseRepository } from '../repositories/chooseRepository.ts';
import type { Services } from '../services.ts';
import { commandRemedy, UserError } from '../window/errors.ts';
import { openRepositoryOf, readWorkspaceRepository } from '../workspace/findRepository.ts';
import { chooseConfigPath } from './configFile.ts';
import { offerDeployed, type OfferServices } from './live/offerDeployed.ts';
import { leftDraft, openDraft } from './deploymentDrafts.ts';

/**
 * Deploys the repository that is open in the editor.
 * If its branch is deployed already, offers to bring it live first. The page of a new deployment starts with the choices
 * of the last one.
 * @param argument the repository or the config file of a menu, or the resources of the resource form
 */
export async function deployCurrentRepository(
  services: OfferServices & Pick<Services, 'deploymentPages' | 'remoteAddresses' | 'secrets'>,
  session: ReadySession,
  argument?: unknown,
): Promise<void> {
  const repository = await readWorkspaceRepository(services.remoteAddresses, argument);
  if (repository === undefined) return;
  const configPath = await chooseConfigPath(repository);
  if (configPath === undefined) return;
  const title = vscode.l10n.t('Deploy Current Repository');
  const { remote, remoteUrl, checkedOut } = repository;
  const draft = startDraft(session, {
    name: nameForRepository(remoteUrl, configPath),
    integrationId: '',
    repositoryUrl: remoteUrl,
    ref: checkedOut ?? { kind: 'branch', name: '' },
    configPath,
    provenance: {
      name: { kind: 'suggested' },
      repositoryUrl: { kind: 'remote', name: remote },
      ...(checkedOut && { ref: { kind: 'checkedOut' } }),
      configPath: { kind: 'found' },
    },
  });
  const start = `current ${remoteUrl} ${configPath}`;
  const last = lastChoices(services.workspaceMemory, session, draft);
  const usualNames = [draft.name, last?.draft.name].filter((name) => name !== undefined);
  const filling = fillFromBefore(services, session, draft, { argument });
  let told: readonly Finding[] | undefined = [];
  if (!hasResources(argument)) {
    const wanted = {
      title,
      repositoryUrl: remoteUrl,
      configPath,
      refs: [checkedOut, last?.ref].filter((ref) => ref !== undefined),
      usualNames,
      repository,
      tryAgain: commandRemedy(vscode.l10n.t('Try Again'), 'deployCurrentRepository', argument),
      leftAt: (await leftDraft(services, start))?.changedAt,
    };
    told = await offerDeployed(services, session, wanted);
  }
  if (told === undefined) return;
  const unread = await filling;
  const begun = beginDraft({ draft, findings: [...told, ...unread] });
  await openDraft(services, start, { ...begun, root: repository.root.toString() });
}

type Chosen = Omit<RepositoryDraft, 'connectionName' | 'source' | 'deploymentType' | 'buildOnPush' | 'secrets'>;

function startDraft({ connection }: ReadySession, chosen: Chosen): RepositoryDraft {
  const connectionName = connection.name;
  const [deploymentType, buildOnPush] = [draftFields.deploymentType.usual, draftFields.buildOnPush.usual];
  return { ...chosen, connectionName, source: 'repohost', deploymentType, buildOnPush, secrets: [] };
}

/**
 * Gives a draft what was chosen the last time from its place, and the names of its stored secrets.
 * @param from.folder the URI of the folder that it uploads
 * @param from.argument the resources of the resource form, if it started this
 * @returns findings about what is not as last time, or can't be read
 */
export async function fillFromBefore(
  { workspaceMemory, secrets }: Pick<Services, 'workspaceMemory' | 'secrets'>,
  session: ReadySession,
  draft: DeploymentDraft,
  { folder, argument }: { readonly folder?: string; readonly argument?: unknown } = {},
): Promise<readonly Finding[]> {
  const last = lastChoices(workspaceMemory, session, draft, folder);
  const lost = last === undefined ? [] : chooseAsLastTime(draft, last);
  const findings = [...lost, ...(await useStoredSecrets(secrets, session.connection, draft))];
  return fillResources(draft, argument) ? findings.filter(({ field }) => field !== 'resourceSpec') : findings;
}

/**
 * Begins a draft again for another repository that the user chose: as that was deployed last time, or else without what
 * was taken of another one's last time. Undefined if nothing is to begin again.
 * @param content what the draft's file says, which may be newer than the draft
 */
export async function beginForRepository(
  services: Pick<Services, 'workspaceMemory' | 'secrets'>,
  session: ReadySession,
  draft: DeploymentDraft,
  before: BegunDeployment,
  content: SpecMap,
): Promise<BegunDeployment | undefined> {
  if (draft.source !== 'repohost' || draft.repositoryUrl.trim() === '' || !isOfChosenRepository(before))
    return undefined;
  if (sameRepository(draft.repositoryUrl, begunRepository(before))) return undefined;
  const isKnown = lastChoices(services.workspaceMemory, session, draft) !== undefined;
  if (!isKnown && Object.values(before.origins).every(({ kind }) => kind !== 'lastTime')) return undefined;
  const { repositoryUrl, ref, provenance } = draft;
  const byUser = { kind: 'user' } as const;
  const suggested = { kind: 'suggested' } as const;
  const isConfigChosen = provenance.configPath?.kind === 'user';
  const isListed = provenance.integrationId?.kind === 'list';
  const again = startDraft(session, {
    name: '',
    integrationId: isListed ? draft.integrationId : '',
    repositoryUrl,
    ref: provenance.ref?.kind === 'lastTime' ? { kind: 'branch', name: '' } : ref,
    configPath: isConfigChosen ? textOf(content, draftFields.configPath.key) : usualConfigFile(session),
    provenance: {
      name: suggested,
      repositoryUrl: byUser,
      ref: byUser,
      configPath: isConfigChosen ? byUser : suggested,
      ...(isListed && { integrationId: { kind: 'list' } }),
    },
  });
  again.name = nameFor(again);
  const findings = await fillFromBefore(services, session, again);
  const connection = textOf(contentOf(before), 'connection');
  return withResourcesOfForm(beginDraft({ draft: again, findings }, connection), before);
}

/** Whether a command was started by the resource form. */
function hasResources(argument: unknown): argument is { readonly resourceSpec: unknown } {
  return typeof argument === 'object' && argument !== null && 'resourceSpec' in argument;
}

/** Fills in the resources that the resource form passes. Gives whether there are some. */
function fillResources(draft: DeploymentDraft, argument: unknown): boolean {
  if (!hasResources(argument)) return false;
  const { success, data } = resourceSpecWire.safeParse(argument.resourceSpec);
  if (!success) return false;
  draft.resourceSpec = data;
  draft.provenance.resourceSpec = { kind: 'form' };
  return true;
}

/**
 * Deploys a repository from the service's list, open here or not.
 * @param argument its row
 * @throws {UserError} the service gives no address for it
 */
export async function deployRepository(
  services: OfferServices & Pick<Services, 'deploymentPages' | 'remoteAddresses' | 'repositories' | 'secrets'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Deploy Repository');
  const listed = services.views.repositories.repositoryOf(argument) ?? (await chooseRepository(services, { title }));
  if (listed === undefined) return;
  const { record, integrationId } = listed;
  if (record.url === undefined) {
    throw new UserError(
      vscode.l10n.t("The service gives no address for {0}, so it can't be deployed.", repositoryTitle(record)),
    );
  }
  const configPath = usualConfigFile(session);
  const ref = { kind: 'branch', name: record.default_branch ?? '' } as const;
  const fromList = { kind: 'list' } as const;
  const draft = startDraft(session, {
    name: suggestDeploymentName(record.name, configPath),
    integrationId,
    repositoryUrl: record.url,
    ref,
    configPath,
    provenance: {
      name: { kind: 'suggested' },
      repositoryUrl: fromList,
      integrationId: fromList,
      ref: fromList,
      configPath: { kind: 'suggested' },
    },
  });
  const start = `listed ${integrationId} ${record.id ?? record.url}`;
  const repository = await openRepositoryOf(services.remoteAddresses, draft, title);
  const wanted = {
    title,
    repositoryUrl: record.url,
    configPath,
    refs: [ref],
    usualNames: [draft.name],
    repository,
    leftAt: (await leftDraft(services, start))?.changedAt,
  };
  const told = await offerDeployed(services, session, wanted);
  if (told === undefined) return;
  const unread = await fillFromBefore(services, session, draft);
  await openDraft(services, start, beginDraft({ draft, findings: [...told, ...unread] }));
}

/** The name that the connection's flavor usually gives the config file. */
export function usualConfigFile({ connection }: ReadySession): string {
  return flavorOf(connection).configFile;
}
