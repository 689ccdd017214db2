import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { createRequest, isWhatWasRequested } from '../../core/draft/createRequest.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { refusalFindings } from '../../core/draft/refusals.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { rememberChoices } from '../../state/deploying/rememberedChoices.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, requestIdOf } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import type { DeploymentPlan } from './plan.ts';

/** The outcome of a create request. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly deployment: Deployment }
  /** `mayExist` is true if the deployment may have been created anyway. */
  | { readonly kind: 'notCreated'; readonly findings: readonly Finding[]; readonly mayExist: boolean };

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
 * created. After a canceled request, the next check looks for the deployment. What was chosen is remembered.
 */
export async function sendOnce(
  { log, workspaceMemory, connections, deployments }: Services,
  session: ReadySession,
  { draft, repository }: DeploymentPlan,
  nameWasFree: boolean,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const request = createRequest(draft);
  const isMade = nameWasFree ? (row: Deployment): boolean => isWhatWasRequested(request, row) : undefined;
  try {
    const client = await unlessAborted(session.client(), signal);
    const deployment = await client.deployments.create(request, { signal, isMade });
    if (draft.source === 'repohost') await rememberChoices(workspaceMemory, session, draft, repository?.checkedOut);
    return { kind: 'created', deployment };
  } catch (error) {
    log.error(`create deployment: ${messageOf(error)}${requestIdOf(error)}`);
    if (!isCancelled(error)) {
      const findings =
        error instanceof ApiError ? refusalFindings(draft, error) : [finding('warning', messageOf(error))];
      return { kind: 'notCreated', findings, mayExist: false };
    }
    const mayExist = error instanceof ApiError && error.sent;
    const message = mayExist
      ? vscode.l10n.t('The request was cancelled, but the service may have created {0}.', draft.name)
      : vscode.l10n.t('The request was cancelled before it was sent.');
    // The deployment may exist, so refresh the list; the list reports its own errors.
    if (mayExist && connections.session === session) void deployments.refresh();
    return { kind: 'notCreated', findings: [finding('warning', message)], mayExist };
  }
}
