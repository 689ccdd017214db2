import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections/session.ts';
import { chooseDeployment } from '../deployments/chooseDeployment.ts';
import type { Services } from '../services.ts';
import { fileTitle } from './specFiles.ts';

/** Opens the resource form: empty from the palette, and on a spec file from the menu of the file or of its editor. */
export async function editResourceSpec({ resourceForms }: Services, argument: unknown): Promise<void> {
  await resourceForms.open(
    argument instanceof vscode.Uri
      ? { title: fileTitle(argument), file: argument }
      : { title: vscode.l10n.t('Resources') },
  );
}

/** Saves the resource form that is in front, as the key for saving does with a document. */
export async function saveResourceSpec({ resourceForms }: Services): Promise<void> {
  resourceForms.saveActive();
}

/** Shows the resources of a deployment in the form, which cannot change them: the service has no request for that. */
export async function showResourceSpec(services: Services, _session: ReadySession, argument: unknown): Promise<void> {
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Show Resources'));
  if (deployment === undefined) return;
  await services.resourceForms.open({
    title: vscode.l10n.t('Resources (read-only): {0}', deployment.name),
    initial: deployment.source_config?.resource_spec,
    readOnly: true,
  });
}
