import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isDeletion } from '../../api/schema/enums.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { deleteUnusedSecrets, hasStoredSecrets } from '../../state/deploying/unusedSecrets.ts';
import type { Services } from '../services.ts';
import { askInDialog, messageOf, UserError } from '../window/errors.ts';
import { askText } from '../window/steps.ts';
import { readingWords, whileAsking } from '../window/waiting.ts';
import { chooseDeployment, type ChoiceServices } from './chooseDeployment.ts';
import { readRecord, requireCapability, sendChange, type ChangeServices } from './sendChange.ts';

/** Deletes a deployment, once the user has confirmed it, and what this window and machine keep of it. */
export async function deleteDeployment(
  services: ChangeServices & ChoiceServices & Pick<Services, 'activity' | 'follower' | 'log' | 'secrets'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  requireCapability(services, session, 'delete');
  const title = vscode.l10n.t('Delete Deployment');
  const chosen = await chooseDeployment(services, argument, title);
  if (chosen === undefined) return;
  const { name: connection } = session.connection;
  const reading = { title, words: readingWords(chosen.name) };
  const deployment = await whileAsking(session, reading, (client, signal) =>
    readRecord(services, session, chosen, client, signal),
  );
  const { id, name } = deployment;
  if (isDeletion(deployment.status)) {
    throw new UserError(vscode.l10n.t('{0} is already being deleted.', name));
  }
  const choice = await askForTracingProject(services, session, deployment);
  if (choice === undefined || !(await isNameTyped(title, deployment))) return;
  await sendChange(services, session, {
    capability: 'delete',
    deployment,
    waiting: { title, words: vscode.l10n.t('Deleting {0}…', withoutIcons(name)) },
    send: (client, signal) => client.changes.remove(id, choice === 'withProject', { signal }),
  });
  await services.activity.noteChange({ kind: 'deleted', connection, name, title: undefined });
  await forget(services, session, deployment);
}

/** The one question. Whether the tracing project is deleted too is a button of its own. */
async function askForTracingProject(
  { secrets }: Pick<Services, 'secrets'>,
  { connection }: ReadySession,
  deployment: Deployment,
): Promise<'withProject' | 'withoutProject' | undefined> {
  const { name } = deployment;
  // What can't be read is deleted later, if it can be read then.
  const isStored = await hasStoredSecrets(secrets, connection, deployment).catch(() => false);
  const sentences = [
    vscode.l10n.t("Its application stops serving, and its revisions are deleted. This can't be undone."),
    vscode.l10n.t('Its tracing project stays unless you delete it too. The name may stay taken for a while.'),
    ...(isStored
      ? [vscode.l10n.t('Its secrets stored on this machine are deleted unless another deployment uses them.')]
      : []),
  ];
  const keep = vscode.l10n.t('Delete');
  const both = vscode.l10n.t('Delete with Tracing Project');
  const question = vscode.l10n.t('Delete {0} on {1}?', name, connection.name);
  const answer = await askInDialog(question, [keep, both], sentences.join('\n\n'));
  if (answer === undefined) return undefined;
  return answer === both ? 'withProject' : 'withoutProject';
}

/** Has the user type the name of a deployment for production. */
async function isNameTyped(title: string, { name, source_config: config }: Deployment): Promise<boolean> {
  if (config?.deployment_type !== 'prod') return true;
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('{0} is for production. Enter its name to delete it.', name),
    placeholder: vscode.l10n.t('Name of the deployment'),
    problemOf: (text) => (text === name ? undefined : vscode.l10n.t("This isn't the deployment's name.")),
  });
  return answer === name;
}

/** Shows that it is being deleted, and forgets what was kept for it here. */
async function forget(
  services: Pick<Services, 'answers' | 'clock' | 'follower' | 'log' | 'secrets' | 'workspaceDeployments'>,
  session: ReadySession,
  deployment: Deployment,
): Promise<void> {
  const { answers, follower, workspaceDeployments, secrets, clock, log } = services;
  const { connection } = session;
  const { id } = deployment;
  await follower.stop(connection.name, id);
  await workspaceDeployments.forget(id);
  try {
    const client = await session.client();
    const place = { connection: connection.name, deploymentId: id, askedAt: clock.monotonic() };
    // The service accepted the deletion, even if it can't be asked again.
    const record = await client.deployments.find(id).catch(() => deployment);
    if (record === undefined) answers.remove(place);
    else {
      // Its list may not say so yet.
      const status = isDeletion(record.status) ? record.status : 'AWAITING_DELETE';
      answers.put({ ...place, record: { ...record, status }, receivedAt: clock.monotonic() });
    }
    await deleteUnusedSecrets(secrets, connection, deployment, client);
  } catch (error) {
    log.warn(`deleted ${deployment.name}: ${messageOf(error)}`);
  }
}
