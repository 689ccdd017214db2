import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import {
  liveActions,
  type DeployedRef,
  type DeployedSituation,
  type LiveAction,
} from '../../../core/draft/liveActions.ts';
import type { BranchCommit } from '../../../core/git/gitState.ts';
import { isBuiltFrom } from '../../../core/git/workspaceDeployment.ts';
import { revisionCommit, servicePage } from '../../../core/resources/webPages.ts';
import { formatMoment } from '../../../core/status/duration.ts';
import { ageWords } from '../../../core/status/freshness.ts';
import { revisionAction } from '../../../core/status/revisionActions.ts';
import { deploymentWords, revisionTitle } from '../../../core/status/rowWords.ts';
import { verdict } from '../../../core/status/verdict.ts';
import { firstNames, shortened, withoutIcons } from '../../../core/text/text.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { longestWait } from '../../../state/following/pushedBuilds.ts';
import { showDeployment } from '../../deployments/showDeployment.ts';
import { awaitBuilds } from '../../following/awaitBuilds.ts';
import type { Services } from '../../services.ts';
import { execute } from '../../window/commandIds.ts';
import { confirm, gitFailureOf, isCancelled, messageOf, UserError } from '../../window/errors.ts';
import { askChoice } from '../../window/steps.ts';
import { waitForGit } from '../../window/waiting.ts';
import type { WorkspaceRepository } from '../../workspace/workspaceRepository.ts';
import { lookUpDeployed, type Deployable, type DeployedAlready, type LookUpServices } from './lookUpDeployed.ts';
import { fetchRemote, readGit, readRemoteAge, runPush, type GitReading } from '../gitActions.ts';
import { readPushProblem } from '../checkPlan.ts';
import { findingSection } from '../findingItems.ts';

export type OfferServices = LookUpServices & Pick<Services, 'capabilities' | 'pushedBuilds' | 'views'>;

/** A ref that is deployed already, and where that can be changed. */
interface DeployedHere extends Deployable, DeployedAlready {
  readonly services: OfferServices;
  readonly session: ReadySession;
}

interface OfferItem extends vscode.QuickPickItem {
  /** Missing for a row that only informs. */
  readonly action?: LiveAction | { readonly kind: 'fetch' };
}

/**
 * Looks for deployments of the same config file and ref, and offers what brings them live before a new deployment.
 * Without any, the answer is a new deployment at once. A failed action leaves the offer as it was, and says why.
 * @returns findings about the search, for a new deployment; undefined if the user chose something else or canceled
 * @throws the error of a service that can't be used at all
 */
export async function offerDeployed(
  services: OfferServices,
  session: ReadySession,
  wanted: Deployable,
): Promise<readonly Finding[] | undefined> {
  const found = await lookUpDeployed(services, session, wanted);
  if (found === undefined) return undefined;
  if (found.kind === 'notFound') return found.findings;
  const here: DeployedHere = { ...wanted, ...found, services, session };
  let { reading } = found;
  let lastFindings: readonly Finding[] = [];
  let refusedAsBehind = false;
  for (;;) {
    const { repository, ref } = here;
    const problem = repository && (await readPushProblem(repository, here, reading.git));
    const remoteAge = repository && (await readRemoteAge(repository, ref, services.clock.now()));
    const choice = await choose(here, { ...reading, problem, remoteAge, refusedAsBehind }, lastFindings);
    if (choice === undefined) return undefined;
    if (choice.action?.kind === 'deployNew') return [];
    lastFindings = [];
    refusedAsBehind = false;
    try {
      if (await run(here, choice)) return undefined;
    } catch (error) {
      // Git may still ask for a password, and the offer would close its question.
      if (isCancelled(error)) return undefined;
      services.log.error(`deployed already: ${messageOf(error)}`);
      lastFindings = [finding('warning', messageOf(error))];
      refusedAsBehind = gitFailureOf(error) === 'behind';
    }
    reading = await readGit(repository, ref);
  }
}

/** What the offer says about the clone. */
interface CloneReading extends GitReading, Pick<DeployedSituation, 'problem' | 'remoteAge' | 'refusedAsBehind'> {}

async function choose(
  here: DeployedHere,
  { git, unread, ...clone }: CloneReading,
  lastFindings: readonly Finding[],
): ReturnType<typeof askChoice<OfferItem>> {
  const { session, title, repository, ref, deployments } = here;
  const deployed = deployments.map((each) => deployedRef(here, each));
  const { actions, findings } = liveActions({ ref, deployed, git, ...clone });
  const fetching: OfferItem[] =
    repository === undefined
      ? []
      : [{ label: vscode.l10n.t('Fetch from {0}', withoutIcons(repository.remote)), action: { kind: 'fetch' } }];
  const names = firstNames(deployed.map(({ name }) => name));
  const offered = actions.map((action) => actionItem(here, action));
  return askChoice<OfferItem>({
    title,
    active: offered.find(({ action }) => action?.kind !== 'fetch' && action?.problem === undefined),
    placeholder: vscode.l10n.t('{0} is deployed on {1} as {2}', ref.name, session.connection.name, names),
    items: [
      ...offered,
      ...findingSection(vscode.l10n.t('What happened'), lastFindings),
      ...findingSection(vscode.l10n.t('Notes'), [...unread, ...findings]),
      ...fetching,
    ],
  });
}

const icons = {
  push: 'cloud-upload',
  pullAndPush: 'cloud-upload',
  deployAgain: 'redo',
  rebuild: 'sync',
  show: 'eye',
  openPage: 'link-external',
  deployNew: 'rocket',
} satisfies Record<LiveAction['kind'], string>;

/** The row of an action. One that shows a deployment says its state, as the deployment's row in the tree does. */
function actionItem(here: DeployedHere, action: LiveAction): OfferItem {
  const { services, session, deployments } = here;
  const label = `$(${icons[action.kind]}) ${withoutIcons(action.label)}`;
  if (action.kind === 'deployNew') return { label, description: draftWords(here), action };
  if (action.problem !== undefined) {
    return { label, description: withoutIcons(vscode.l10n.t('will fail: {0}', action.problem)), action };
  }
  const shown = deployments.find(({ id }) => id === action.deployments[0]?.id);
  if (action.kind !== 'show' || shown === undefined) return { label, action };
  const { answers, clock } = services;
  const latest = answers.observe(session.connection.name, shown.id);
  const sinceAnswer = latest.revisionAt === undefined ? undefined : clock.monotonic() - latest.revisionAt;
  const { first } = deploymentWords(latest.deployment ?? shown, latest, {
    now: clock.now(),
    doubt: () => ageWords({ failures: 0, sinceAnswer }),
  });
  return { label, description: withoutIcons(first.join(' · ')), action };
}

/** Says that there is a draft to continue. */
function draftWords({ leftAt }: DeployedHere): string {
  return leftAt === undefined ? '' : vscode.l10n.t('continues your draft of {0}', formatMoment(leftAt));
}

function deployedRef(here: DeployedHere, deployment: Deployment): DeployedRef {
  const { services, session } = here;
  const { connection } = session;
  const { answers, capabilities } = services;
  const latest = answers.observe(connection.name, deployment.id);
  const { revision } = latest;
  const active = answers.observe(connection.name, deployment.id, latest.deployment?.active_revision_id);
  const isOffered = capabilities.has(connection, 'redeploy') && revisionAction(latest) === 'deployAgain';
  return {
    id: deployment.id,
    name: deployment.name,
    isOther: !isBuiltFrom(here, deployment),
    buildsOnPush: deployment.source_config?.build_on_push,
    liveCommit: verdict(active).kind === 'live' ? revisionCommit(active.revision) : undefined,
    hasPage: servicePage(connection, deployment) !== undefined,
    again:
      isOffered && revision !== undefined
        ? { title: revisionTitle(revision), commit: revisionCommit(revision) }
        : undefined,
  };
}

/** Does what was chosen. False if the offer has to be shown again. */
async function run(here: DeployedHere, { action }: OfferItem): Promise<boolean> {
  const { services, session, title, repository, deployments } = here;
  if (action === undefined) return false;
  if (action.kind === 'fetch') {
    if (repository !== undefined) await fetchRemote(title, repository);
    return false;
  }
  const ids = new Set(action.deployments.map(({ id }) => id));
  const meant = deployments.filter(({ id }) => ids.has(id));
  if (repository !== undefined && action.commit !== undefined) {
    const shown = { branch: here.ref.name, commit: action.commit };
    if (action.kind === 'push' || action.kind === 'pullAndPush') {
      return runPush({ ...here, repository }, action, (commit) => followPush(here, meant, commit));
    }
    if (action.kind === 'rebuild') return rebuild(here, repository, meant, shown);
  }
  const [shown] = meant;
  if (action.kind === 'deployAgain' && shown !== undefined) {
    await execute('deployAgain', { connection: session.connection.name, deploymentId: shown.id });
  }
  if (action.kind === 'show' && shown !== undefined) {
    const { name: connection } = session.connection;
    await showDeployment(services, { connection, deploymentId: shown.id, name: shown.name });
  }
  const page = action.kind === 'openPage' && shown !== undefined ? servicePage(session.connection, shown) : undefined;
  if (page !== undefined) await vscode.env.openExternal(vscode.Uri.parse(page, true));
  return true;
}

/** Pushes an empty commit once the user has confirmed it, because it can't be taken back. */
async function rebuild(
  here: DeployedHere,
  repository: WorkspaceRepository,
  deployments: readonly Deployment[],
  parent: BranchCommit,
): Promise<boolean> {
  const { title, ref } = here;
  const { remote } = repository;
  const names = firstNames(deployments.map(({ name }) => name));
  const question = vscode.l10n.t('Rebuild {0} with an empty commit on {1}?', names, ref.name);
  const detail = vscode.l10n.t(
    "The service builds only what is pushed. One unsigned commit without changes goes on top of {0}, where it can't be taken back. Your own commits stay here.",
    `${remote}/${ref.name}`,
  );
  if (!(await confirm(question, vscode.l10n.t('Push Empty Commit'), detail))) return false;
  if ((await repository.stateOf(ref)).remoteCommit !== parent.commit) {
    throw new UserError(vscode.l10n.t('{0} changed in the meantime, so nothing was pushed.', `${remote}/${ref.name}`));
  }
  const words = vscode.l10n.t('Pushing an empty commit to {0}…', withoutIcons(ref.name));
  const push = async (): Promise<void> => {
    followPush(
      here,
      deployments,
      await repository.pushEmptyCommit(parent, vscode.l10n.t('Rebuild {0}', shortened(names))),
    );
  };
  await waitForGit({ title, words }, push(), vscode.l10n.t('The push failed.'));
  return true;
}

/** Follows what a pushed commit makes the service build of these deployments. */
export function followPush(
  {
    services,
    session,
  }: Pick<DeployedHere, 'session'> & { readonly services: Pick<Services, 'clock' | 'log' | 'pushedBuilds'> },
  deployments: readonly Deployment[],
  commit: string,
): void {
  const { name: connection } = session.connection;
  const until = services.clock.now() + longestWait;
  awaitBuilds(
    services,
    deployments.map(({ id: deploymentId, name, latest_revision_id: revisionId }) => {
      return { connection, deploymentId, name, revisionId, commit, until };
    }),
  );
}
