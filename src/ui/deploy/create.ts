import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { Deployment } from '../../api/deployments.ts';
import { createRequest } from '../../core/createRequest.ts';
import type { Finding } from '../../core/preflight.ts';
import { refusedField } from '../../core/refusedField.ts';
import type { ReadySession } from '../../state/connections.ts';
import { isCancelled, messageOf } from '../errors.ts';
import type { Services } from '../services.ts';
import { unlessAborted, whileWaiting } from '../whileWaiting.ts';
import { withoutIcons } from '../withoutIcons.ts';
import { warning, type DeploymentPlan } from './checkPlan.ts';

/** What became of a create request. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly deployment: Deployment }
  /** Whether it worked all the same is unknown where `mayExist` says so. */
  | { readonly kind: 'notCreated'; readonly news: readonly Finding[]; readonly mayExist: boolean };

/** Sends the draft once, for as long as the person waits. A request that left may have worked also when cancelled. */
export async function create(
  { log }: Services,
  session: ReadySession,
  { draft, title }: DeploymentPlan,
): Promise<CreateOutcome> {
  const words = vscode.l10n.t('Creating {0} on {1}…', withoutIcons(draft.name), withoutIcons(session.connection.name));
  try {
    const deployment = await whileWaiting({ title, words }, async (signal) => {
      const client = await unlessAborted(session.client(), signal);
      return client.deployments.create(createRequest(draft), { signal });
    });
    return { kind: 'created', deployment };
  } catch (error) {
    log.error(`create deployment: ${messageOf(error)}`);
    if (!isCancelled(error)) return { kind: 'notCreated', news: [refusal(messageOf(error))], mayExist: false };
    const mayExist = error instanceof ApiError && error.sent;
    const message = mayExist
      ? vscode.l10n.t('The request was cancelled; the service may have created {0} all the same.', draft.name)
      : vscode.l10n.t('The request was cancelled before it was sent.');
    return { kind: 'notCreated', news: [warning(message)], mayExist };
  }
}

function refusal(message: string): Finding {
  const field = refusedField(message);
  return field === undefined ? warning(message) : { ...warning(message), field };
}
