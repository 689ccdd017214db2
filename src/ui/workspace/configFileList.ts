import * as vscode from 'vscode';
import { skippedFolders } from '../../core/appConfig/paths.ts';

const setting = 'appConfig.patterns';

/** All files below a folder with the name of a config file. */
export async function searchConfigFiles(root: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const excluded = new vscode.RelativePattern(root, `**/{${skippedFolders.join(',')}}/**`);
  const found = await Promise.all(
    patternsIn(root).map((pattern) => vscode.workspace.findFiles(new vscode.RelativePattern(root, pattern), excluded)),
  );
  return found.flat();
}

/** The patterns of config files in a folder, from the settings. */
function patternsIn(folder: vscode.Uri): readonly string[] {
  return vscode.workspace.getConfiguration('deploymentManager', folder).get<readonly string[]>(setting, []);
}
