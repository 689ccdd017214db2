import * as vscode from 'vscode';

/** Sets settings of the extension for the whole machine, by their names without the prefix; undefined takes one back. */
export async function useSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('deploymentManager');
  for (const [name, value] of Object.entries(values)) {
    await settings.update(name, value, vscode.ConfigurationTarget.Global);
  }
}
