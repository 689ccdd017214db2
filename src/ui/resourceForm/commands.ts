import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections/session.ts';
import { chooseDeployment } from '../deployments/chooseDeployment.ts';
import type { Services } from '../services.ts';
import { fileTitle } from './specFiles.ts';

/** Opens the resource form: empty from the palette, or with a spec file from its file or editor menu. */
export async function editResourceSpec({ resourceForms }: Services, argument: unknown): Promise<void> {
  await resourceForms.open(
    argument instanceof vscode.Uri
      ? { title: fileTitle(argument), file: argument }
      : { title: vscode.l10n.t('Resources') },
  );
}

/** Saves the resource form in front, as the save shortcut does with a document. */
export async function saveResourceSpec({ resourceForms }: Services): Promise<void> {
  resourceForms.saveActive();
}

/** Shows a deployment's resources in a read-only form, because the service can't change them. */
export async function showResourceSpec(services: Services, _session: ReadySession, argument: unknown): Promise<void> {
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Show Resources'));
  if (deployment === undefined) return;
  await services.resourceForms.open({
    title: vscode.l10n.t('Resources (read-only): {0}', deployment.name),
    initial: deployment.source_config?.resource_spec,
    readOnly: true,
  });
}
