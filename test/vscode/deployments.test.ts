import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createSampleDeployments } from '../host/sampleDeployments.mts';
import { callService } from '../support/serviceSeed.ts';
import { dataFolderVariable } from '../support/vscodeTestRun.ts';
import { serviceFile, startedService } from './support/suite.ts';
import { expect, run, tree } from './support/window.ts';

/** The dispatchers that every extension of this host shares: undici of Node, and undici of a newer major version. */
const sharedDispatchers = () =>
  ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Reflect.get(globalThis, Symbol.for(name)));

describe('The extension in the extension host', () => {
  let extension: vscode.Extension<unknown>;

  before(async () => {
    const found = vscode.extensions.getExtension('deployment-manager.deployment-manager');
    assert.ok(found, 'VS Code has loaded the extension.');
    extension = found;
    await extension.activate();
  });

  after(async () => {
    // A later suite would find a deployment in progress, because pushes to the sample repository rebuild it.
    for (const { id } of await deployments()) {
      await callService(await startedService(), 'DELETE', `/v2/deployments/${id}?delete_tracing_project=false`);
    }
    await expect.poll(deployments).toEqual([]);
    await run('refresh');
    await vscode.commands.executeCommand('deploymentManager.stopLocalService');
  });

  async function deployments(): Promise<{ readonly id: string; readonly name: string }[]> {
    const { resources } = await callService(await startedService(), 'GET', '/v2/deployments');
    return resources;
  }

  it('registers every command of its manifest', async () => {
    const contributed: { command: string }[] = extension.packageJSON.contributes.commands;
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributed.map(({ command }) => command).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('starts no local service unless asked to', () => {
    assert.ok(process.env[dataFolderVariable], 'The data folder of the tests is named.');
    assert.equal(existsSync(serviceFile), false);
  });

  it('shows a deployment of the local service that it started, and leaves the shared dispatchers alone', async () => {
    // Node sets its own dispatcher with its first request, which must not be taken for ours.
    await fetch('http://127.0.0.1:9').catch(() => undefined);
    const before = sharedDispatchers();
    await vscode.commands.executeCommand('deploymentManager.startLocalService');
    const service = await startedService();
    await createSampleDeployments(service);
    const listed = await deployments();
    const view = tree('Deployments');
    await view.open();
    await run('refresh');
    for (const { name } of listed) {
      await run('openDetails', await view.shows(name));
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.scheme, 'deployment-manager');
      assert.match(editor.document.getText(), new RegExp(`^name: ${name}$`, 'm'));
    }
    assert.equal(listed.length, 2);
    assert.deepEqual(
      sharedDispatchers().map((dispatcher, index) => dispatcher === before[index]),
      [true, true],
    );
  });
});
