import * as vscode from 'vscode';
import { hideSpecValues } from '../../core/hideValues.ts';
import { nameOf } from '../resourceForm/specFiles.ts';
import type { Services } from '../services.ts';
import { isRow } from '../tree/rows.ts';

/**
 * Opens the resource form: empty from the palette, on a spec file from the explorer, and read-only on a deployment,
 * whose resources the service cannot change.
 */
export async function editResourceSpec({ resourceForms, deployments }: Services, argument: unknown): Promise<void> {
  if (argument instanceof vscode.Uri) {
    await resourceForms.open({ title: vscode.l10n.t('Resources: {0}', nameOf(argument)), file: argument });
    return;
  }
  const deployment = isRow(argument) && argument.kind === 'deployment' ? deployments.find(argument.id) : undefined;
  if (deployment === undefined) {
    await resourceForms.open({ title: vscode.l10n.t('Resources') });
    return;
  }
  await resourceForms.open({
    title: vscode.l10n.t('Resources (read-only)'),
    // The form keeps its text across a reload and in the documents it opens, where no value of a variable may be.
    initial: hideSpecValues(deployment.source_config?.resource_spec ?? {}),
    readOnly: true,
  });
}
