import * as vscode from 'vscode';
import { readDeploymentFile } from '../../../core/draft/deploymentFile.ts';
import { deployedCommand } from '../../deployments/lenses.ts';
import type { Services } from '../../services.ts';
import { fullId } from '../../window/commandIds.ts';

/** Above each deployment of a file: the commands for it, and what is known to be deployed under its name. Asks no service. */
export async function deploymentFileLenses(
  document: vscode.TextDocument,
  services: Services,
): Promise<readonly vscode.CodeLens[]> {
  const file = readDeploymentFile(document.getText(), { flavorFor: () => 'standard', reservedNames: [] });
  return file.flatMap(({ start, name, connection }, index) => {
    const { line: first } = document.positionAt(start);
    // Above the dashes, it would seem to belong to the deployment before.
    const isMark = document.lineAt(first).text.trim() === '---' && first + 1 < document.lineCount;
    const line = isMark ? first + 1 : first;
    const subject = { file: document.uri.toString(), index };
    const place = connection === '' ? services.deployments.connection : connection;
    const deployed = name === '' ? undefined : services.answers.named(place, name);
    const { isTrusted } = vscode.workspace;
    // In Restricted Mode, the page only shows and edits the file, and nothing is compared.
    const title = isTrusted ? vscode.l10n.t('Deploy…') : vscode.l10n.t('Open Page');
    const compare = {
      title: vscode.l10n.t('Compare With Service'),
      command: fullId('compareFile'),
      arguments: [subject],
    };
    const commands = [
      { title, command: fullId('deployFile'), arguments: [subject] },
      ...(isTrusted ? [compare] : []),
      ...(deployed === undefined ? [] : [deployedCommand(place, deployed, services)]),
    ];
    return commands.map((command) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command));
  });
}
