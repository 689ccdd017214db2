import Mocha from 'mocha';
import * as vscode from 'vscode';
import { namesVariable } from '../support/vscodeTestRun.ts';
import { PrintingReporter } from './reporter.ts';
import { endSuite, mendRelays } from './support/suite.ts';
import { clearWindow, watchExtension } from './support/window.ts';

/** Every suite that runs inside the extension host, in this order. */
const suites = {
  workspace: () => import('./workspace.test.ts'),
  start: () => import('./start.test.ts'),
  askingGit: () => import('./askingGit.test.ts'),
  gitLayouts: () => import('./gitLayouts.test.ts'),
  deployments: () => import('./deployments.test.ts'),
  browse: () => import('./browse.test.ts'),
  rowActions: () => import('./rowActions.test.ts'),
  following: () => import('./following.test.ts'),
  ownDeployments: () => import('./ownDeployments.test.ts'),
  stoppedService: () => import('./stoppedService.test.ts'),
  verdicts: () => import('./verdicts.test.ts'),
  badNetwork: () => import('./badNetwork.test.ts'),
  killedService: () => import('./killedService.test.ts'),
  details: () => import('./details.test.ts'),
  workspaces: () => import('./workspaces.test.ts'),
  compare: () => import('./compare.test.ts'),
  activity: () => import('./activity.test.ts'),
  detection: () => import('./detection.test.ts'),
  deployPlaces: () => import('./deployPlaces.test.ts'),
  connections: () => import('./connections.test.ts'),
  connectionForms: () => import('./connectionForms.test.ts'),
  states: () => import('./states.test.ts'),
  sideViews: () => import('./sideViews.test.ts'),
  resourceForm: () => import('./resourceForm.test.ts'),
  resourceFormDeploy: () => import('./resourceFormDeploy.test.ts'),
  resourceSpecFiles: () => import('./resourceSpecFiles.test.ts'),
  restoredForm: () => import('./restoredForm.test.ts'),
  builtIn: () => import('./builtIn.test.ts'),
  badInput: () => import('./badInput.test.ts'),
  createDeployment: () => import('./createDeployment.test.ts'),
  createLikeThis: () => import('./createLikeThis.test.ts'),
  sentBodies: () => import('./sentBodies.test.ts'),
  review: () => import('./review.test.ts'),
  bringingLive: () => import('./bringingLive.test.ts'),
  severalApplications: () => import('./severalApplications.test.ts'),
  slowService: () => import('./slowService.test.ts'),
  reviewOptions: () => import('./reviewOptions.test.ts'),
  secrets: () => import('./secrets.test.ts'),
};

/** VS Code calls this in its extension host. It fails when a test fails, which makes VS Code end with an exit code. */
export async function run(): Promise<void> {
  await openWorkspace();
  const mocha = new Mocha({ timeout: 60_000, forbidOnly: Boolean(process.env['CI']), reporter: PrintingReporter });
  // What mocha does for each file that it loads itself: from here on `describe` and `it` add to this run.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  mocha.suite.beforeEach(mendRelays);
  mocha.suite.afterEach(clearWindow);
  await watchExtension();
  // The workspace's own deployments would be in the status bar of every suite; `ownDeployments` turns this on.
  await vscode.workspace
    .getConfiguration('deploymentManager')
    .update('follow.workspace', false, vscode.ConfigurationTarget.Global);
  const names = process.env[namesVariable]?.split(' ').filter(Boolean) ?? [];
  for (const [name, load] of Object.entries(suites)) {
    if (names.length === 0 || names.some((wanted) => name.includes(wanted))) await load();
  }
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
