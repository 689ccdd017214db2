import * as vscode from 'vscode';
import { isRecord } from '../../api/schema/json.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { deploymentWords } from '../../core/status/rowWords.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { commandRemedy, rowIsGone, UserError } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';

export type ChoiceServices = Pick<
  Services,
  'answers' | 'clock' | 'deployments' | 'ownDeployments' | 'views' | 'workspaceDeployments' | 'workspaceDrift'
>;

interface DeploymentItem extends vscode.QuickPickItem {
  /** Undefined for the row that loads more deployments. */
  readonly deployment?: Deployment;
}

/**
 * The deployment for a command: that of its row, or the user's choice. Undefined if they cancel.
 * @throws the service's error, or {UserError} if the one of a row or link is gone, or there is none to choose
 */
export async function chooseDeployment(
  services: ChoiceServices,
  argument: unknown,
  title: string,
): Promise<Deployment | undefined> {
  const named = deploymentOfRow(services, argument);
  if (named !== undefined) return named;
  const row = argument === undefined ? undefined : services.views.deployments.rowOf(argument);
  // Whoever takes a row or a link doesn't mean another deployment.
  if (row?.kind === 'deployment' || (isRecord(argument) && argument['deploymentId'] !== undefined)) {
    throw new UserError(
      vscode.l10n.t(
        'This deployment is no longer in the list. It may have been deleted, or it is on another connection.',
      ),
    );
  }
  await knownDeployments(services);
  return askAmong(services, title, () => true);
}

/** The deployment of a command's row or link; undefined without one or if it is no longer known. */
export function deploymentOfRow(
  services: Pick<Services, 'answers' | 'deployments' | 'views'>,
  argument: unknown,
): Deployment | undefined {
  const { deployments, views } = services;
  const row = views.deployments.rowOf(argument);
  if (row?.kind === 'deployment' || row?.kind === 'revision') return deployments.find(row.ids[0]);
  const linked = deploymentOfLink(services, argument);
  return linked?.connection === deployments.connection ? linked.deployment : undefined;
}

/**
 * The revision of a command's row or link, with its deployment.
 * @throws {UserError} it is no longer known
 */
export function revisionOfRow(
  services: Pick<Services, 'answers' | 'deployments' | 'views'>,
  argument: unknown,
): { readonly deployment: Deployment; readonly revision: Revision } {
  const { deployments, views } = services;
  const deployment = deploymentOfRow(services, argument);
  const row = views.deployments.rowOf(argument);
  const id = row?.kind === 'revision' ? row.ids[1] : isRecord(argument) && argument['revisionId'];
  const revision = typeof id === 'string' ? deployments.revision(id) : undefined;
  if (deployment === undefined || revision === undefined) {
    throw rowIsGone();
  }
  return { deployment, revision };
}

/** The deployment that a link names: a followed one of any connection, or one of the current connection. */
export function deploymentOfLink(
  { answers }: Pick<Services, 'answers'>,
  link: unknown,
): { readonly connection: string; readonly deployment: Deployment } | undefined {
  if (!isRecord(link)) return undefined;
  const { connection, deploymentId } = link;
  if (typeof connection !== 'string' || typeof deploymentId !== 'string') return undefined;
  const deployment = answers.record(connection, deploymentId);
  return deployment && { connection, deployment };
}

/**
 * The deployment of the open repository: the only one, or the user's choice among several.
 * The choice is for this once. If no deployment belongs to the repository, all are offered.
 * @throws the service's error, or {UserError} if there are no deployments or none match the filter
 */
export async function chooseDeploymentOfWorkspace(
  services: ChoiceServices,
  title: string,
): Promise<Deployment | undefined> {
  const known = await knownDeployments(services);
  const { workspaceDeployments, workspaceDrift } = services;
  await workspaceDrift.settled();
  const mine = known.filter(({ id }) => workspaceDeployments.isOfWorkspace(id));
  const [first, second] = mine;
  if (first !== undefined && second === undefined) return first;
  return askAmong(services, title, ({ id }) => first === undefined || workspaceDeployments.isOfWorkspace(id));
}

/**
 * The user's choice among deployments that fit the open repository equally, the current one first.
 * @throws {UserError} there is nothing to choose
 */
async function askForAlternative(services: ChoiceServices, title: string): Promise<Deployment | undefined> {
  const known = await knownDeployments(services);
  const { workspaceDeployments, workspaceDrift } = services;
  await workspaceDrift.settled();
  const isAlternative = ({ id }: Deployment): boolean => workspaceDeployments.hasAlternatives(id);
  if (!known.some(isAlternative)) {
    throw new UserError(
      vscode.l10n.t('There is nothing to choose: no two listed deployments are built from the open repository.'),
    );
  }
  return askAmong(services, title, isAlternative);
}

/**
 * The known deployments, at least one; if none are loaded, asks the service again.
 * Those of the open repositories are searched for once.
 */
async function knownDeployments({
  deployments,
  ownDeployments,
  views,
}: ChoiceServices): Promise<readonly Deployment[]> {
  await views.deployments.whileLoading(async () => {
    if (deployments.state.loadedAt === undefined || deployments.state.entries.length === 0) await deployments.refresh();
    await ownDeployments.search();
  });
  const { entries, error } = deployments.state;
  const { candidates: records } = ownDeployments;
  const { filter } = deployments;
  const isFiltered = Object.keys(filter).length > 0;
  // Those that the filter hides would be offered without a word about it.
  if (records.length > 0 && (entries.length > 0 || error !== undefined || !isFiltered)) return records;
  if (error !== undefined) throw error;
  if (entries.length > 0) throw new UserError(vscode.l10n.t('No deployment in the list can be read.'));
  if (!isFiltered) throw new UserError(vscode.l10n.t('There are no deployments yet.'));
  throw new UserError(vscode.l10n.t('No deployments match the filter.'), [
    commandRemedy(vscode.l10n.t('Clear Filters'), 'clearFilters'),
  ]);
}

/** The user's choice among known deployments that fit, with a row to load more of them. */
async function askAmong(
  services: ChoiceServices,
  title: string,
  isFit: (deployment: Deployment) => boolean,
): Promise<Deployment | undefined> {
  const { deployments, ownDeployments, workspaceDrift } = services;
  let seen: ReadonlySet<string> = new Set();
  for (;;) {
    const items = itemsOf(services, ownDeployments.candidates.filter(isFit));
    const more: DeploymentItem = { label: vscode.l10n.t('$(ellipsis) Load more…'), alwaysShow: true };
    const choice = await askChoice<DeploymentItem>({
      title,
      placeholder: vscode.l10n.t('Select a deployment'),
      items: deployments.state.hasMore ? [...items, more] : items,
      // After loading more, continue at the first new deployment.
      active: items.find(({ deployment }) => !seen.has(deployment.id)) ?? items[0],
    });
    if (choice === undefined) return undefined;
    if (choice.deployment !== undefined) return choice.deployment;
    seen = new Set(items.map(({ deployment }) => deployment.id));
    await whileWaiting({ title, words: vscode.l10n.t('Loading more deployments…') }, (signal) =>
      unlessAborted(deployments.loadMore(), signal),
    );
    if (deployments.state.moreError !== undefined) throw deployments.state.moreError;
    await workspaceDrift.settled();
  }
}

/** Each deployment with its verdict, the workspace's own first. */
function itemsOf(
  { workspaceDeployments, deployments, clock }: ChoiceServices,
  offered: readonly Deployment[],
): (DeploymentItem & { readonly deployment: Deployment })[] {
  // A mark on every item would say nothing.
  const isMarked = offered.some(({ id }) => !workspaceDeployments.isOfWorkspace(id));
  const items = offered.map((deployment) => {
    const isMine = workspaceDeployments.isOfWorkspace(deployment.id);
    const observed = deployments.observe(deployment.id, deployment.latest_revision_id);
    const { first } = deploymentWords(deployment, observed, { now: clock.now() });
    const words = isMine && isMarked ? [vscode.l10n.t('this workspace'), ...first] : first;
    const description = withoutIcons(words.join(' · '));
    return { deployment, isMine, label: withoutIcons(deployment.name), description };
  });
  return [...items.filter(({ isMine }) => isMine), ...items.filter(({ isMine }) => !isMine)];
}

/** Sets which of several deployments of the open repository is the workspace's. */
export async function chooseWorkspaceDeployment(
  services: ChoiceServices,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  // A row that is merely selected doesn't tell which deployment the user means.
  const row = argument === undefined ? undefined : services.views.deployments.rowOf(argument);
  const id =
    row?.kind === 'deployment'
      ? row.ids[0]
      : (await askForAlternative(services, vscode.l10n.t('Choose Workspace Deployment')))?.id;
  if (id !== undefined) await services.workspaceDeployments.choose(id);
}
