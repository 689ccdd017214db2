import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import { keyPlaceholder } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { deploymentOutcome, mayHaveWorked } from '../../api/resources/lookUp.ts';
import {
  createRequest,
  isWhatWasRequested,
  requestCurl,
  requestJson,
  requestText,
} from '../../core/draft/createRequest.ts';
import type { DeploymentChange } from '../../core/draft/deploymentChange.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import { finding } from '../../core/draft/findings.ts';
import { refusalFindings } from '../../core/draft/refusals.ts';
import type { ActivityStart } from '../../core/status/activityWords.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { rememberChoices } from '../../state/deploying/rememberedChoices.ts';
import { showDeploymentDocument } from '../deployments/showDeployment.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, remediesOf, requestIdOf, showMessage, UserError } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { notSentWords, unlessAborted } from '../window/waiting.ts';
import type { DeploymentPlan, HelpedFinding } from './plan.ts';

/** What became of a deployment that was sent. */
export type SentDeployment =
  | {
      readonly kind: 'created' | 'changed' | 'uploaded';
      readonly deployment: Deployment;
      /** Whether the service has changed it without a new revision. */
      readonly isUnrevised?: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly findings: readonly HelpedFinding[];
      readonly isCancelled: boolean;
      /** What was created after all, once it is found. */
      readonly late?: Promise<Deployment | undefined> | undefined;
      /** What was created before its source could be uploaded. */
      readonly created?: Deployment | undefined;
    };

/**
 * Sends the draft once and waits for the answer until the signal is aborted.
 * A failed request may still have worked: if the name was free before, a matching deployment that exists now counts as
 * created. Otherwise it is looked for in the background, and the name is looked up once more before it is sent again.
 * What was chosen is remembered.
 * @param upload for a folder: what creates its deployment, which builds nothing yet, and its URI
 */
export async function sendDraft(
  services: Services,
  plan: DeploymentPlan,
  nameWasFree: boolean,
  signal: AbortSignal,
  upload?: { readonly draft: DeploymentDraft; readonly folder: string },
): Promise<SentDeployment> {
  const { draft = plan.draft, folder } = upload ?? {};
  const { session } = plan;
  const { log, connections, deployments, lateCreates } = services;
  const request = createRequest(draft);
  const isMade = nameWasFree ? (row: Deployment): boolean => isWhatWasRequested(request, row) : undefined;
  const key = lateKey(plan);
  const remember = async (): Promise<void> => rememberDeployed(services, plan, folder);
  try {
    const client = await unlessAborted(session.client(), signal);
    const isOpen = lateCreates.isOpen(key) || plan.foundLate === draft.name;
    const found = isOpen ? (await client.deployments.lookUp(draft.name, { signal })).found : 'notFound';
    if (found !== 'notFound') {
      const findings = [finding('warning', deploymentOutcome(draft.name, found), 'name')];
      return { kind: 'refused', findings, isCancelled: signal.aborted };
    }
    // A page that was closed meanwhile may have sent it.
    if (lateCreates.isSent(key)) {
      throw new UserError(vscode.l10n.t('{0} is being created already. Wait for the answer.', draft.name));
    }
    const deployment = await lateCreates.send(key, () => client.deployments.create(request, { signal, isMade }));
    await remember();
    return { kind: 'created', deployment };
  } catch (error) {
    log.error(`create deployment: ${messageOf(error)}${requestIdOf(error)}`);
    const late = mayHaveWorked(error) ? findLateCreate(services, plan, { isMade, remember }) : undefined;
    if (!isCancelled(error)) {
      return { kind: 'refused', findings: failureFindings(draft, error), isCancelled: signal.aborted, late };
    }
    const isSent = error instanceof ApiError && error.sent;
    const message = isSent
      ? vscode.l10n.t('The request was cancelled, but the service may have created {0}.', draft.name)
      : notSentWords();
    // The deployment may exist, so refresh the list; the list reports its own errors.
    if (isSent && connections.session === session) void deployments.refresh();
    return { kind: 'refused', findings: [finding('warning', message)], isCancelled: signal.aborted, late };
  }
}

/**
 * Remembers what was chosen, for the next new deployment from the same place.
 * @param folder the URI of the folder that was uploaded
 */
export async function rememberDeployed(
  { workspaceMemory, log }: Pick<Services, 'workspaceMemory' | 'log'>,
  { draft, session, repository }: DeploymentPlan,
  folder?: string,
): Promise<void> {
  // A file says the same the next time, and what was begun as a change is no new deployment.
  if (['file', 'deployed'].includes(draft.provenance.name?.kind ?? '')) return;
  const remembering = rememberChoices(workspaceMemory, session, draft, { checkedOut: repository?.checkedOut, folder });
  await remembering.catch((error: unknown) => log.error('The choices are not kept.', error));
}

/** Why a draft couldn't be sent, on the lines of the fields that a service names, with what helps. */
export function failureFindings(draft: DeploymentDraft, error: unknown): readonly HelpedFinding[] {
  const said = error instanceof ApiError ? refusalFindings(draft, error) : [finding('warning', messageOf(error))];
  const remedies = remediesOf(error, draft.connectionName);
  return said.map((each, index) => (index === 0 ? { ...each, remedies } : each));
}

/** What a create without an answer is looked for by. */
export function lateKey({ session, draft }: DeploymentPlan): string {
  return `${session.connection.name} deployment ${draft.name}`;
}

/**
 * Looks for a deployment whose create got no answer, and says what was found.
 * @param made.isMade whether only the request can have made a deployment; undefined if the name wasn't known to be free
 * @param made.remember remembers what was chosen
 * @returns the deployment if the request made it
 */
async function findLateCreate(
  services: Services,
  plan: DeploymentPlan,
  made: { readonly isMade: ((row: Deployment) => boolean) | undefined; readonly remember: () => Promise<void> },
): Promise<Deployment | undefined> {
  // The page may go on, with another name or connection.
  const { session } = plan;
  const { name } = plan.draft;
  const { name: connection } = session.connection;
  const late = await services.lateCreates.find(lateKey(plan), session, async (client, signal) => {
    const { rows } = await client.deployments.lookUp(name, { signal });
    return rows.find((row) => row.name === name);
  });
  if (late.kind === 'stopped') return undefined;
  if (late.kind !== 'found') {
    const message = vscode.l10n.t(
      "{0} isn't listed on {1} 30 seconds after the request to create it.",
      name,
      connection,
    );
    void showMessage('warning', message);
    return undefined;
  }
  plan.foundLate = name;
  const isMadeHere = made.isMade?.(late.found) === true;
  if (isMadeHere) await made.remember();
  // Without source, there is no revision to follow.
  const message = !isMadeHere
    ? vscode.l10n.t('{0} now exists on {1}. Check it before you create another one.', name, connection)
    : late.found.latest_revision_id === undefined
      ? vscode.l10n.t('{0} was created on {1} after all. It has no revision yet.', name, connection)
      : vscode.l10n.t('{0} was created on {1} after all, and is being followed.', name, connection);
  void offerDetails(message, { connection, deploymentId: late.found.id, name });
  return isMadeHere ? late.found : undefined;
}

async function offerDetails(message: string, shown: Parameters<typeof showDeploymentDocument>[0]): Promise<void> {
  const details = vscode.l10n.t('Open Details');
  if ((await showMessage('information', message, [details])) === details) await showDeploymentDocument(shown);
}

/**
 * Shows the request that creates or changes a draft's deployment in a read-only document, and offers to copy it.
 * The client describes the request with the function that also sends it. The key and the values of secrets are masked.
 * @param update the deployment that is changed; undefined if one is created
 */
export async function showRequest(
  { documents }: Pick<Services, 'documents'>,
  { draft, session }: DeploymentPlan,
  update: { readonly target: Deployment; readonly change: Pick<DeploymentChange, 'patch'> } | undefined,
): Promise<void> {
  const client = await session.client();
  const request = await (update === undefined
    ? client.deployments.describeCreate(createRequest(draft))
    : client.changes.describeUpdate(update.target.id, update.change.patch ?? {}));
  const title =
    update === undefined ? vscode.l10n.t('Create {0}', draft.name) : vscode.l10n.t('Change {0}', draft.name);
  await documents.showText(`${session.connection.name}/${title}`, requestText(request));
  const hasKey = Object.values(request.headers).some((value) => value.endsWith(keyPlaceholder));
  const copies = [
    { label: vscode.l10n.t('Copy as JSON'), detail: vscode.l10n.t('The body'), text: requestJson(request) },
    {
      label: vscode.l10n.t('Copy as curl'),
      detail: hasKey
        ? vscode.l10n.t('A command that takes the API key from the variable API_KEY')
        : vscode.l10n.t('A command for a shell'),
      text: requestCurl(request),
    },
  ];
  const choice = await askChoice<vscode.QuickPickItem & { readonly text?: string }>({
    title: `${request.method} ${request.url}`,
    placeholder: vscode.l10n.t('The values of secrets are masked'),
    items: copies,
  });
  if (choice === undefined || choice.text === undefined) return;
  await vscode.env.clipboard.writeText(choice.text);
}

/** A deployment and the session that created it. */
interface Created {
  readonly deployment: Deployment;
  readonly session: ReadySession;
  /** Whether it is on another connection than the window's. */
  readonly isMoved: boolean;
  /** How the latest revision came about. Default: with the deployment. */
  readonly kind?: ActivityStart['kind'];
}

/**
 * Adds the new deployment to the list, follows it and shows its row.
 * The workspace now uses its connection. If the window has switched to another connection
 * meanwhile, the deployment is only followed.
 */
export async function showCreated(
  services: Services,
  { deployment, session, isMoved, kind = 'created' }: Created,
): Promise<void> {
  const { connections, answers, deployments, views, follower, activity, clock } = services;
  const { name: connection } = session.connection;
  // Before the list is loaded, whose answer is newer.
  const at = clock.monotonic();
  if (isMoved) {
    await connections.select(connection);
    await deployments.load();
  }
  const isListed = (): boolean =>
    connections.session.kind !== 'none' && connections.session.connection.name === connection;
  const revisionId = deployment.latest_revision_id;
  const id = revisionId === undefined ? undefined : { connection, deploymentId: deployment.id, revisionId };
  // Before the row appears, because a new row of this workspace starts a follow of its own, as a push.
  if (id !== undefined) void activity.begin(kind, id, deployment);
  answers.put({ connection, deploymentId: deployment.id, record: deployment, askedAt: at, receivedAt: at });
  if (isListed()) deployments.add(deployment.id);
  if (id !== undefined) await follower.follow(id);
  if (isListed()) await views.deployments.reveal({ kind: 'deployment', ids: [deployment.id] });
}
