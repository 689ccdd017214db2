import * as vscode from 'vscode';
import { textOfService } from '../../../core/draft/deploymentFileText.ts';
import { compareWithFile } from '../../../core/draft/deploymentChange.ts';
import type { DeploymentDraft } from '../../../core/draft/draft.ts';
import { allFields } from '../../../core/draft/fields.ts';
import { draftFieldLabel } from '../../../core/draft/sources.ts';
import { secretFields, withoutSecrets } from '../../../core/draft/withoutSecrets.ts';
import type { AskingStores } from '../../../state/answers/ask.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import type { Services } from '../../services.ts';
import { commandRemedy, showMessage, UserError } from '../../window/errors.ts';
import { nameOf } from '../../window/specNames.ts';
import { whileAsking } from '../../window/waiting.ts';
import { copyDeployment } from '../createDeployment.ts';
import { workingCopyOf } from '../plan.ts';
import { configPathIn, readFilePlan, type PlanServices } from './filePlan.ts';

/**
 * Shows how a deployment file differs from the deployment of the same name, in a diff of the file. Says what an update
 * can change, and what only a new deployment can.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 * @throws {UserError} the service has no deployment of that name
 */
export async function compareFile(
  services: PlanServices & AskingStores & Pick<Services, 'capabilities' | 'deploymentPages' | 'documents'>,
  window: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Compare With Service');
  const read = await readFilePlan(services, window, argument, title);
  if (read === undefined) return;
  const { file, text, deployment, index, plan } = read;
  const { draft, session } = plan;
  const { name: connection } = session.connection;
  const words = vscode.l10n.t('Looking for {0} on {1}…', draft.name, connection);
  const { rows } = await whileAsking(session, { title, words }, (client, signal) =>
    client.deployments.lookUp(draft.name, { signal }),
  );
  const found = rows.find(({ name }) => name === draft.name);
  if (found === undefined) {
    const deploy = commandRemedy(vscode.l10n.t('Deploy from File'), 'deployFile', file);
    throw new UserError(vscode.l10n.t('{0} has no deployment called "{1}".', connection, draft.name), [deploy]);
  }
  const { draft: copy, findings } = await copyDeployment(services, session, found, title, true);
  const theirs = withoutSecrets(copy);
  const compared = (each: DeploymentDraft) => ({
    draft: each,
    configPath: configPathIn(each, file, workingCopyOf({ ...plan, draft: each })),
  });
  const { change, differing, onlyOnService } = compareWithFile(found, draft);
  const told = new Set([...differing, ...onlyOnService].map(({ field }) => field));
  const hidden = [...new Set([...findings.map(({ field }) => field), ...secretFields(copy)])];
  const same = allFields.filter((field) => field !== 'source' && !told.has(field));
  const service = textOfService(deployment.text, compared(draft), compared(theirs), [...hidden, ...same]);
  const { start } = deployment;
  const whole = text.slice(0, start) + service + text.slice(start + deployment.text.length);
  const uri = services.documents.keepText(`${connection}/${nameOf(file).replace(/\.ya?ml$/, '')}`, whole, 'yaml');
  const shown = vscode.l10n.t('{0}: {1} ↔ File', draft.name, connection);
  await vscode.commands.executeCommand('vscode.diff', uri, file, shown);
  const canUpdate = services.capabilities.has(session.connection, 'update');
  const labelsOf = (each: typeof differing) => each.map(({ label }) => label).join(', ');
  const [changed, only] = [labelsOf(differing), labelsOf(onlyOnService)];
  const onlyThere = canUpdate
    ? vscode.l10n.t('Only on the service, and kept by an update: {0}.', only)
    : vscode.l10n.t('Only on the service: {0}.', only);
  const said = [
    ...(changed ? [vscode.l10n.t('{0} differs: {1}.', draft.name, changed)] : []),
    ...(only ? [onlyThere] : []),
    ...(told.size > 0 && !canUpdate ? [vscode.l10n.t('Only a new deployment can change that.')] : []),
    ...change.findings.filter(({ field }) => field === 'source').map(({ message }) => message),
    ...(hidden.length === 0
      ? []
      : [vscode.l10n.t('Not shown: {0}.', hidden.map((field) => field && draftFieldLabel(field)).join(', '))]),
  ];
  if (said.length === 0) said.push(vscode.l10n.t("The file and {0} on {1} don't differ.", draft.name, connection));
  const apply = vscode.l10n.t('Apply…');
  const tell = async (): Promise<void> => {
    const answer = await showMessage('information', said.join(' '), canUpdate && changed ? [apply] : []);
    if (answer === apply) await services.deploymentPages.open({ file, index });
  };
  // The command has ended once the diff is there.
  void tell();
}
