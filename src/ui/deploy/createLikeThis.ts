import * as vscode from 'vscode';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { draftLike } from '../../core/draft/likeThis.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { chooseDeployment } from '../deployments/chooseDeployment.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import { openRepositoryOf } from '../workspace/workspaceRepository.ts';
import { askMissingValues } from './secrets/secretValues.ts';
import type { DeploymentPlan } from './plan.ts';
import { continueReview, reviewAndCreate } from './reviewAndCreate.ts';

/**
 * Creates another deployment with everything that one has, from its active revision.
 * The review can move it to another connection, which finds the integration and the listener again.
 */
export async function createDeploymentLikeThis(
  services: Services,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Create Similar Deployment');
  const deployment = await chooseDeployment(services, argument, title);
  if (deployment === undefined) return;
  const startOver = async (): Promise<void> => createDeploymentLikeThis(services, session, argument);
  const start = { start: `like ${deployment.id}`, startOver };
  if (await continueReview(services, session, start)) return;
  const words = vscode.l10n.t('Reading {0}…', withoutIcons(deployment.name));
  const { revision, listener, integrationName } = await whileWaiting({ title, words }, async (signal) => {
    const client = await unlessAborted(session.client(), signal);
    const { active_revision_id: active, source_config: config } = deployment;
    const [revision, listener, integrations] = await Promise.all([
      active === undefined ? undefined : client.revisions.get(deployment.id, active, { signal }),
      config?.listener_id === undefined ? undefined : client.listeners.find(config.listener_id, { signal }),
      // The name only helps to recognize the integration.
      config?.integration_id === undefined ? [] : client.integrations.listInstallations({ signal }).catch(() => []),
    ]);
    const integration = integrations.find((row) => row.id === config?.integration_id);
    const integrationName = integration !== undefined && 'name' in integration ? integration.name : undefined;
    return { revision, listener, integrationName };
  });
  const copy = draftLike(deployment, {
    connectionName: session.connection.name,
    revision,
    listener,
    integrationName,
  });
  if (copy === undefined) {
    throw new UserError(vscode.l10n.t('The source of "{0}" is unknown, so it can\'t be copied.', deployment.name));
  }
  const { draft, findings } = copy;
  const repository = await openRepositoryOf(services.remoteAddresses, draft, title);
  const plan: DeploymentPlan = { title, draft, repository };
  const unread = await useStoredSecrets(services.secrets, session.connection, plan);
  const askFirst = async (): Promise<readonly Finding[]> => {
    const names = draft.secrets.map(({ name }) => name);
    await askMissingValues(plan);
    return withoutNames(names.filter((name) => !draft.secrets.some((secret) => secret.name === name)));
  };
  await reviewAndCreate(services, session, plan, { ...start, findings: [...findings, ...unread], askFirst });
}

/** Names the secrets that the copy doesn't have, because they were left out. */
function withoutNames(names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return [];
  return [finding('info', vscode.l10n.t('Secrets that were left out: {0}.', names.join(', ')))];
}
