import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { chooseFile } from './chooseFile.ts';

/**
 * Opens the page of a deployment file, which deploys it.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 */
export async function deployFile(
  { deploymentPages }: Pick<Services, 'deploymentPages'>,
  argument: unknown,
): Promise<void> {
  const subject = await chooseFile(argument, vscode.l10n.t('Deploy from File'));
  if (subject !== undefined) await deploymentPages.open(subject);
}
