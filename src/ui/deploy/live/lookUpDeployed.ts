import * as vscode from 'vscode';
import type { Client } from '../../../api/client.ts';
import { ApiError, type ApiErrorKind } from '../../../api/errors.ts';
import type { Deployment } from '../../../api/resources/deployments.ts';
import type { DeploymentRef } from '../../../core/git/deploymentRef.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { type BuildSource, chosenOf, isBuiltFrom } from '../../../core/git/workspaceDeployment.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { askRevision, type AskingStores } from '../../../state/answers/ask.ts';
import { slotOfConnection } from '../../../state/connections/connectionMemory.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { searchDeployments, searchRef } from '../../../state/workspace/searchDeployments.ts';
import { readTexts } from '../../../state/memory.ts';
import type { Services } from '../../services.ts';
import {
  commandRemedy,
  isCancelled,
  isDead,
  messageOf,
  remediesOf,
  type Remedy,
  requestIdOf,
  UserError,
} from '../../window/errors.ts';
import { askChoice } from '../../window/steps.ts';
import { unlessAborted, whileWaiting } from '../../window/waiting.ts';
import type { WorkspaceRepository } from '../../workspace/workspaceRepository.ts';
import { readGit, type GitReading } from '../gitActions.ts';
import { findingSection } from '../findingItems.ts';
import { listedOf } from '../checkPlan.ts';

export type LookUpServices = Pick<
  Services,
  'answers' | 'clock' | 'connections' | 'deployments' | 'log' | 'ownDeployments' | 'workspaceMemory'
>;

/** What the user is about to deploy. */
export interface Deployable extends Omit<BuildSource, 'ref'> {
  /** The title of every prompt. */
  readonly title: string;
  /** The refs that may be meant, the likeliest first. */
  readonly refs: readonly DeploymentRef[];
  /** Parts of the names that its deployments usually have. */
  readonly usualNames: readonly string[];
  /** The clone, if it is open here. */
  readonly repository: WorkspaceRepository | undefined;
  /** When the draft of a new deployment was left, in milliseconds since 1970; undefined if there is none. */
  readonly leftAt?: number | undefined;
  /** Starts again, from the error message. */
  readonly tryAgain?: Remedy;
}

/** The deployments of the likeliest ref that has any, with those of the repository's other applications. */
export interface DeployedAlready {
  readonly kind: 'found';
  readonly ref: DeploymentRef;
  readonly deployments: readonly Deployment[];
  readonly reading: GitReading;
}

/** What a look-up found. Without any deployment, findings about the search. */
export type Deployed = DeployedAlready | { readonly kind: 'notFound'; readonly findings: readonly Finding[] };

/** Failures after which a deployment can't be created either. */
const hopeless: ReadonlySet<ApiErrorKind> = new Set([
  'network',
  'timeout',
  'tls',
  'proxy',
  'unauthorized',
  'unexpectedResponse',
]);

/**
 * Looks for the deployments of a config file and ref. Until the service has answered, Enter does nothing.
 * After a failure, the user may search again or do without. Undefined if they cancel.
 * @throws the error of a service that can't be used at all
 */
export async function lookUpDeployed(
  services: LookUpServices,
  session: ReadySession,
  wanted: Deployable,
): Promise<Deployed | undefined> {
  const { name: connection } = session.connection;
  const [likeliest] = wanted.refs;
  if (likeliest === undefined) return { kind: 'notFound', findings: [] };
  const ref = withoutIcons(likeliest.name);
  const words = vscode.l10n.t('Looking for deployments of {0} on {1}…', ref, withoutIcons(connection));
  for (;;) {
    try {
      return await whileWaiting({ title: wanted.title, words }, (signal) =>
        unlessAborted(search(services, session, wanted, signal), signal),
      );
    } catch (error) {
      if (isCancelled(error)) return undefined;
      if (!(error instanceof ApiError) || hopeless.has(error.kind)) throw explained(error, wanted);
      services.log.error(`search for deployments: ${messageOf(error)}${requestIdOf(error)}`);
      const reason = messageOf(error);
      const failure = finding(
        'warning',
        vscode.l10n.t("Couldn't check whether {0} is deployed already: {1}", ref, reason),
        'repositoryUrl',
      );
      const answer = await askAfterFailure(wanted.title, failure);
      if (answer === undefined) return undefined;
      if (answer === 'deployNew') return { kind: 'notFound', findings: [failure] };
    }
  }
}

async function search(
  services: LookUpServices,
  session: ReadySession,
  wanted: Deployable,
  signal: AbortSignal,
): Promise<Deployed> {
  const { answers, clock, connections, ownDeployments, workspaceMemory } = services;
  const { refs, usualNames, repository } = wanted;
  const isOf = (ref: DeploymentRef, deployment: Deployment): boolean => isBuiltFrom({ ...wanted, ref }, deployment);
  const client = await session.client();
  const askedAt = clock.monotonic();
  const loaded = listedOf(services, session);
  const isWanted = (deployment: Deployment): boolean => refs.some((ref) => isOf(ref, deployment));
  const { deployments, stoppedAt, read } = await searchDeployments(
    client,
    { loaded, usualNames, isWanted },
    { signal },
  );
  const ref = refs.find((each) => deployments.some((deployment) => isOf(each, deployment)));
  if (ref === undefined) {
    if (stoppedAt !== 'limit') return { kind: 'notFound', findings: [] };
    const message = vscode.l10n.t(
      'The search for an existing deployment stopped after the first {0} of {1}.',
      read,
      session.connection.name,
    );
    return { kind: 'notFound', findings: [finding('info', message, 'repositoryUrl')] };
  }
  // A push rebuilds all applications of the branch.
  const hasOthers = repository !== undefined && repository.configPaths.length > 1;
  const ofRef = hasOthers ? await searchRef(client, { ...wanted, loaded, ref }, { signal }) : [];
  // The list may not contain them.
  const kept = [...deployments, ...ofRef];
  const { name: connection } = session.connection;
  if (session === connections.session) {
    ownDeployments.add(kept, askedAt);
  } else {
    const times = { askedAt, receivedAt: clock.monotonic() };
    answers.put(...kept.map((record) => ({ connection, deploymentId: record.id, record, ...times })));
  }
  const matches = deployments.filter((deployment) => isOf(ref, deployment));
  const chosen = chosenOf(
    matches.map(({ id }) => id),
    readTexts(workspaceMemory, slotOfConnection('workspaceDeployment', session)),
  );
  const isChosen = ({ id }: Deployment): boolean => chosen.includes(id);
  const others = ofRef.filter((deployment) => !isOf(ref, deployment));
  const inOrder = [
    ...matches.filter(isChosen),
    ...matches.filter((deployment) => !isChosen(deployment)),
    ...others,
  ].map((deployment) => answers.record(connection, deployment.id) ?? deployment);
  const [reading] = await Promise.all([
    readGit(repository?.until(signal), ref, true),
    ...inOrder.map((deployment) => askRevisions(services, connection, deployment, client, signal)),
  ]);
  return { kind: 'found', ref, deployments: inOrder, reading };
}

/** Asks for the active and the latest revision of a deployment. One that can't be read keeps its last known answer. */
async function askRevisions(
  stores: AskingStores,
  connection: string,
  { id: deploymentId, active_revision_id: activeId, latest_revision_id: latestId }: Deployment,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const ids = [...new Set([activeId, latestId])].filter((id) => id !== undefined);
  await Promise.allSettled(
    ids.map((revisionId) => askRevision(stores, client, { connection, deploymentId, revisionId }, { signal })),
  );
}

/** Adds the remedies to search again, and to use another service if this one doesn't answer. */
function explained(error: unknown, { tryAgain }: Pick<Deployable, 'tryAgain'>): unknown {
  if (tryAgain === undefined) return error;
  const other = isDead(error) ? [commandRemedy(vscode.l10n.t('Switch Connection'), 'switchConnection')] : [];
  return new UserError(messageOf(error), [...remediesOf(error), ...other, tryAgain], { cause: error });
}

/** Asks what to do after a failed search; undefined if the user cancels. */
async function askAfterFailure(title: string, failure: Finding): Promise<'tryAgain' | 'deployNew' | undefined> {
  const tryAgain = { label: vscode.l10n.t('Try Again') };
  const deployNew = { label: vscode.l10n.t('Deploy as a new deployment…') };
  for (;;) {
    const choice = await askChoice<vscode.QuickPickItem>({
      title,
      placeholder: vscode.l10n.t('The search for existing deployments failed'),
      items: [tryAgain, deployNew, ...findingSection(vscode.l10n.t('What happened'), [failure])],
    });
    if (choice === undefined) return undefined;
    if (choice === tryAgain) return 'tryAgain';
    if (choice === deployNew) return 'deployNew';
  }
}
