import * as vscode from 'vscode';
import type { AppConfigFinding } from '../../core/appConfig/config.ts';
import { execute } from '../window/commandIds.ts';
import { settingsRemedy, showMessage } from '../window/errors.ts';
import { relativePath } from '../window/files.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';

/** The likeliest config file of a repository; without one, the user selects or creates a file. */
export async function chooseConfigPath(repository: WorkspaceRepository): Promise<string | undefined> {
  const [first] = repository.configPaths;
  if (first !== undefined) return first;
  const choose = vscode.l10n.t('Choose File…');
  const create = vscode.l10n.t('Create Config File');
  const settings = vscode.l10n.t('Open Settings');
  const answer = await showMessage(
    'error',
    vscode.l10n.t(
      'This repository has no application config file, such as graph.json. It tells the service which graphs to run.',
    ),
    [choose, create, settings],
  );
  if (answer === choose) return chooseFile(repository);
  if (answer === create) await execute('createConfigFile', repository.root);
  if (answer === settings) await settingsRemedy('deploymentManager.appConfig.patterns').run();
  return undefined;
}

/** Opens the config file at its parse error. */
export async function openConfig(
  { root }: WorkspaceRepository,
  { path, line = 1, column = 1 }: AppConfigFinding,
): Promise<void> {
  const at = new vscode.Position(line - 1, column - 1);
  const selection = new vscode.Range(at, at);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(root, path), { selection });
}

/** Asks until the user selects a file in the repository or cancels. */
async function chooseFile({ root }: WorkspaceRepository): Promise<string | undefined> {
  const chooseAgain = vscode.l10n.t('Choose File…');
  for (;;) {
    const [file] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Application Config File'),
        openLabel: vscode.l10n.t('Choose'),
        defaultUri: root,
      })) ?? [];
    if (file === undefined) return undefined;
    const path = relativePath(root, file);
    if (path !== undefined) return path;
    const message = vscode.l10n.t(
      '{0} is outside the repository {1}. Choose a file in the repository.',
      file.fsPath,
      root.fsPath,
    );
    if ((await showMessage('error', message, [chooseAgain])) !== chooseAgain) return undefined;
  }
}
