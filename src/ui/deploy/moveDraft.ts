import * as vscode from 'vscode';
import { forgetListener } from '../../core/draft/draft.ts';
import type { Finding } from '../../core/draft/preflight.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { provideKey } from '../connections/keys.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf } from '../window/errors.ts';
import { type DeploymentPlan, warning } from './checkPlan.ts';
import { requireIntegration } from './findIntegration.ts';

/** The result of moving a draft: the session to continue with, and findings for the user. */
export interface Move {
  readonly session: ReadySession;
  readonly findings: readonly Finding[];
}

/**
 * Lets the user select another connection and moves the draft there.
 * Only the integration and the listener belong to a service; all other input stays. If the user keeps the connection,
 * nothing changes.
 */
export async function moveDraft(services: Services, session: ReadySession, plan: DeploymentPlan): Promise<Move> {
  const { draft, repository, title } = plan;
  await vscode.commands.executeCommand('deploymentManager.switchConnection');
  const chosen = await provideKey(services.connections);
  if (chosen.kind !== 'ready') {
    const message = vscode.l10n.t(
      "The other connection can't be used yet. The deployment still goes to {0}.",
      draft.connectionName,
    );
    return { session, findings: [warning(message)] };
  }
  if (chosen === session && draft.integrationId !== '') return { session, findings: [] };
  const wanted = { title, remoteUrl: repository?.remoteUrl ?? draft.repositoryUrl, root: repository?.root };
  draft.connectionName = chosen.connection.name;
  draft.integrationId = '';
  const forgotten = chosen === session ? [] : forgetListener(draft);
  try {
    const { integrationId, repositoryUrl, findings } = await requireIntegration(services, chosen, wanted);
    draft.integrationId = integrationId;
    draft.repositoryUrl = repositoryUrl;
    return { session: chosen, findings: [...forgotten, ...findings] };
  } catch (error) {
    if (isCancelled(error)) return { session: chosen, findings: forgotten };
    return {
      session: chosen,
      findings: [...forgotten, { severity: 'error', field: 'integrationId', message: messageOf(error) }],
    };
  }
}
