import Mocha from 'mocha';
import * as vscode from 'vscode';
import { suitesVariable } from '../support/vscodeTestRun.ts';
import { PrintingReporter } from './reporter.ts';
import { endSuite, mendRelays } from './support/suite.ts';
import { clearWindow, watchExtension } from './support/window.ts';

/** VS Code calls this in its extension host. It fails when a test fails, which makes VS Code end with an exit code. */
export async function run(): Promise<void> {
  await openWorkspace();
  const mocha = new Mocha({ timeout: 240_000, forbidOnly: Boolean(process.env['CI']), reporter: PrintingReporter });
  // What mocha does for each file that it loads itself: from here on `describe` and `it` add to this run.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  mocha.suite.beforeEach(mendRelays);
  mocha.suite.afterEach(clearWindow);
  await watchExtension();
  // The workspace's own deployments would be in the status bar of every suite; `ownDeployments` turns this on.
  await vscode.workspace
    .getConfiguration('deploymentManager')
    .update('follow.workspace', false, vscode.ConfigurationTarget.Global);
  for (const name of process.env[suitesVariable]?.split(' ') ?? []) await import(`./${name}.test.ts`);
  for (const suite of mocha.suite.suites) suite.afterAll(endSuite);
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} failed.`);
}

/**
 * VS Code in a browser may read the workspace file before the connection to its server stands, and then opens no folder.
 * It opens them after a reload, with which these tests begin again.
 */
async function openWorkspace(): Promise<void> {
  if (vscode.workspace.workspaceFolders !== undefined && vscode.workspace.workspaceFolders.length > 0) return;
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
  await new Promise(() => {});
}
