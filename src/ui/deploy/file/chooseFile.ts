import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { UserError } from '../../window/errors.ts';
import { chooseSpecFile } from '../../window/specFiles.ts';
import { specName } from '../../window/specNames.ts';
import { askChoice } from '../../window/steps.ts';

/** A deployment file, or one of its deployments, as commands and lenses name it. */
export interface FileSubject {
  readonly file: vscode.Uri;
  /** Its position among the deployments of the file. Undefined for the whole file. */
  readonly index: number | undefined;
}

/**
 * Finds the file that a command is meant for. Undefined if the user chooses none.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 */
export async function chooseFile(argument: unknown, title: string): Promise<FileSubject | undefined> {
  if (argument instanceof vscode.Uri) return { file: argument, index: undefined };
  if (isLensArgument(argument)) return { file: vscode.Uri.parse(argument.file), index: argument.index };
  const inFront = vscode.window.activeTextEditor?.document.uri;
  if (inFront !== undefined && specName('deployment-spec', inFront.path) !== undefined) {
    return { file: inFront, index: undefined };
  }
  const placeholder = vscode.l10n.t('Select a deployment file of this workspace');
  const file = await chooseSpecFile('deployment-spec', { title, placeholder });
  return file && { file, index: undefined };
}

function isLensArgument(argument: unknown): argument is { readonly file: string; readonly index: number } {
  const isObject = typeof argument === 'object' && argument !== null && 'file' in argument && 'index' in argument;
  return isObject && typeof argument.file === 'string' && typeof argument.index === 'number';
}

/** Finds the deployment of a file that is meant, or asks for it. Undefined if the user chooses none. */
export async function chooseFileDeployment(
  deployments: readonly FileDeployment[],
  { index }: FileSubject,
  title: string,
): Promise<FileDeployment | undefined> {
  if (index !== undefined) {
    const chosen = deployments[index];
    if (chosen !== undefined) return chosen;
    throw new UserError(vscode.l10n.t('The file has changed and no longer has this deployment. Try again.'));
  }
  if (deployments.length === 1) return deployments[0];
  const items = deployments.map((deployment) => ({
    deployment,
    label: deployment.name === '' ? vscode.l10n.t('without a name') : withoutIcons(deployment.name),
    description: withoutIcons(deployment.connection),
  }));
  const choice = await askChoice({ title, placeholder: vscode.l10n.t('Select a deployment of the file'), items });
  return choice?.deployment;
}
