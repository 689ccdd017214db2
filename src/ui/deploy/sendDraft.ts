import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { deploymentOutcome, mayHaveWorked } from '../../api/resources/lookUp.ts';
import { createRequest, isWhatWasRequested } from '../../core/draft/createRequest.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { refusalFindings } from '../../core/draft/refusals.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { draftPlace, forgetDraft } from '../../state/deploying/keptDrafts.ts';
import { rememberChoices } from '../../state/deploying/rememberedChoices.ts';
import { showDeploymentDocument } from '../deployments/showDeployment.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, requestIdOf, showError, showMessage } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import type { DeploymentPlan } from './plan.ts';
import { showCreated } from './showCreated.ts';

/** The outcome of a create request. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly deployment: Deployment }
  | { readonly kind: 'notCreated'; readonly findings: readonly Finding[] };

/** Sends the draft as `sendOnce` does, and shows progress until the answer or until the user cancels. */
export async function sendDraft(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
  nameWasFree: boolean,
): Promise<CreateOutcome> {
  const { draft, title } = plan;
  const words = vscode.l10n.t('Creating {0} on {1}…', withoutIcons(draft.name), withoutIcons(session.connection.name));
  return whileWaiting({ title, words }, (signal) => sendOnce(services, session, plan, nameWasFree, signal));
}

/**
 * Sends the draft once and waits for the answer until the signal is aborted.
 * A failed request may still have worked: if the name was free before, a matching deployment that exists now counts as
 * created. Otherwise it is looked for in the background, and the name is looked up once more before it is sent again.
 * What was chosen is remembered.
 */
export async function sendOnce(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
  nameWasFree: boolean,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const { draft, repository } = plan;
  const { log, workspaceMemory, connections, deployments, lateCreates } = services;
  const request = createRequest(draft);
  const isMade = nameWasFree ? (row: Deployment): boolean => isWhatWasRequested(request, row) : undefined;
  const key = lateKey(session, draft);
  try {
    const client = await unlessAborted(session.client(), signal);
    const isOpen = lateCreates.isOpen(key) || plan.foundLate === draft.name;
    const found = isOpen ? (await client.deployments.lookUp(draft.name, { signal })).found : 'notFound';
    if (found !== 'notFound') {
      const findings = [finding('warning', deploymentOutcome(draft.name, found), 'name')];
      return { kind: 'notCreated', findings };
    }
    lateCreates.stop(key);
    const deployment = await client.deployments.create(request, { signal, isMade });
    if (draft.source === 'repohost') await rememberChoices(workspaceMemory, session, draft, repository?.checkedOut);
    return { kind: 'created', deployment };
  } catch (error) {
    log.error(`create deployment: ${messageOf(error)}${requestIdOf(error)}`);
    if (error instanceof ApiError && mayHaveWorked(error)) {
      const { name } = draft;
      void lookAgain(services, session, { key, name, plan, isMade }).catch((failure: unknown) =>
        showError(failure, log),
      );
    }
    if (!isCancelled(error)) {
      const findings =
        error instanceof ApiError ? refusalFindings(draft, error) : [finding('warning', messageOf(error))];
      return { kind: 'notCreated', findings };
    }
    const isSent = error instanceof ApiError && error.sent;
    const message = isSent
      ? vscode.l10n.t('The request was cancelled, but the service may have created {0}.', draft.name)
      : vscode.l10n.t('The request was cancelled before it was sent.');
    // The deployment may exist, so refresh the list; the list reports its own errors.
    if (isSent && connections.session === session) void deployments.refresh();
    return { kind: 'notCreated', findings: [finding('warning', message)] };
  }
}

/** What a create without an answer is looked for by. */
export function lateKey({ connection }: ReadySession, { name }: DeploymentDraft): string {
  return `${connection.name} deployment ${name}`;
}

interface Awaited {
  readonly key: string;
  readonly name: string;
  readonly plan: DeploymentPlan;
  /** Whether only the request can have made a deployment; undefined if the name wasn't known to be free. */
  readonly isMade: ((row: Deployment) => boolean) | undefined;
}

/** Looks for a deployment whose create got no answer, and says what was found. What the request made is followed. */
async function lookAgain(services: Services, session: ReadySession, awaited: Awaited): Promise<void> {
  const { key, name, plan, isMade } = awaited;
  const { name: connection } = session.connection;
  const late = await services.lateCreates.look(key, session, async (client, signal) => {
    const { rows } = await client.deployments.lookUp(name, { signal });
    return rows.find((row) => row.name === name);
  });
  if (late.kind === 'stopped') return;
  if (late.kind !== 'found') {
    const message = vscode.l10n.t(
      "{0} isn't listed on {1} 30 seconds after the request to create it.",
      name,
      connection,
    );
    void showMessage('warning', message);
    return;
  }
  plan.foundLate = name;
  const isOwn = isMade?.(late.found) === true;
  if (isOwn) {
    services.leftReviews.forget((left) => left.plan === plan);
    await forgetDraft(services.workspaceMemory, draftPlace(plan.draft));
  }
  if (isOwn) await showCreated(services, { deployment: late.found, session, isMoved: false });
  const message = isOwn
    ? vscode.l10n.t('{0} was created on {1} after all, and is being followed.', name, connection)
    : vscode.l10n.t('{0} now exists on {1}. Check it before you create another one.', name, connection);
  const details = vscode.l10n.t('Open Details');
  if ((await showMessage('information', message, [details])) !== details) return;
  await showDeploymentDocument({ connection, deploymentId: late.found.id, name });
}
