import * as vscode from 'vscode';
import { chooseListener, forgetListener, type DeploymentDraft } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { nameOfListener } from '../../core/resources/listeners.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { provideKeyOf } from '../connections/keys.ts';
import { chooseConnection } from '../connections/switchConnection.ts';
import { loadListeners } from '../listeners/registerListener.ts';
import type { Services } from '../services.ts';
import type { DeploymentPlan } from './plan.ts';
import { findIntegration } from './findIntegration.ts';

/**
 * Lets the user select another connection and moves the draft there.
 * The workspace keeps its own connection until the deployment is created. Only the integration and the listener belong
 * to a service: the integration is found again by its account and the repository, the listener by its cluster. All
 * other input stays.
 * If the user keeps the connection, nothing changes.
 * @returns findings for the user
 */
export async function moveDraft(services: Services, plan: DeploymentPlan): Promise<readonly Finding[]> {
  const { draft, session } = plan;
  const connection = await chooseConnection(services, plan, draft.connectionName);
  if (connection === undefined) return [];
  const chosen = await provideKeyOf(services.connections, connection, plan);
  if (chosen.kind !== 'ready') {
    const message = vscode.l10n.t(
      "The other connection can't be used yet. The deployment still goes to {0}.",
      draft.connectionName,
    );
    return [finding('warning', message)];
  }
  const needsIntegration = draft.source === 'repohost' && draft.integrationId === '';
  const isSame = chosen.connection.name === session.connection.name;
  if (isSame && !needsIntegration) return [];
  draft.connectionName = chosen.connection.name;
  plan.session = chosen;
  const moved = isSame ? [] : await moveListener(chosen, plan.title, draft);
  const found =
    draft.source === 'repohost' ? await findIntegration(services, plan, draft, { account: draft.integrationName }) : [];
  return [...moved, ...found];
}

/** Takes the listener of the same cluster on the other connection, with the namespace if it has that too. */
async function moveListener(session: ReadySession, title: string, draft: DeploymentDraft): Promise<readonly Finding[]> {
  const { listener } = draft;
  if (listener === undefined) return [];
  try {
    const { listeners } = await loadListeners(session, title);
    const same = listeners.find((other) => nameOfListener(other) === listener.name);
    if (same === undefined) return forgetListener(draft);
    chooseListener(draft, same, draft.provenance.listener);
    return [];
  } catch {
    // The listener can be chosen again from the review, which then says what fails.
    return forgetListener(draft);
  }
}
