import * as vscode from 'vscode';
import type { NetworkSettings } from '../../state/connections/clients.ts';
import type { ConnectionSettings } from '../../state/connections/connection.ts';
import type { FollowSettings } from '../../state/following/follower.ts';
import type { WorkspaceFollowing } from '../../state/workspace/ownDeployments.ts';
import type { PollSettings } from '../../state/following/poll.ts';
import { numberSettings } from '../../state/numberSettings.ts';

const section = 'deploymentManager';

/** The setting `deploymentManager.connections`. Workspaces can't set it, because it decides where keys go. */
export function connectionSettings(): ConnectionSettings {
  return {
    read: () => vscode.workspace.getConfiguration(section).inspect('connections')?.globalValue,
    write: (connections) =>
      vscode.workspace.getConfiguration(section).update('connections', connections, vscode.ConfigurationTarget.Global),
    onDidChange: changesOf('connections'),
  };
}

export function networkSettings(): NetworkSettings {
  const ours = vscode.workspace.getConfiguration(section);
  const editor = vscode.workspace.getConfiguration('http');
  const mode = ours.get<string>('network.transport', 'auto');
  return {
    mode: mode === 'undici' || mode === 'editor' ? mode : 'auto',
    timeoutMs: numberSetting('network.timeoutSeconds') * 1000,
    strictTls: editor.get<boolean>('proxyStrictSSL', true),
    editorProxy: editor.get<string>('proxy', ''),
    noProxy: editor.get<readonly string[]>('noProxy', []),
  };
}

export function followSettings(): FollowSettings & PollSettings {
  return {
    minMilliseconds: numberSetting('follow.minIntervalSeconds') * 1000,
    maxMilliseconds: numberSetting('follow.maxIntervalSeconds') * 1000,
    giveUpMilliseconds: numberSetting('follow.giveUpMinutes') * 60_000,
  };
}

export function workspaceFollowing(): WorkspaceFollowing {
  return {
    isOn: () => vscode.workspace.getConfiguration(section).get('follow.workspace') !== false,
    onDidChange: changesOf('follow.workspace'),
  };
}

function changesOf(name: string): (listener: () => void) => vscode.Disposable {
  return (listener) =>
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${section}.${name}`)) listener();
    });
}

export function pageSize(): number {
  return Math.round(numberSetting('pageSize'));
}

export function stepMilliseconds(): number {
  return Math.round(numberSetting('localService.stepMilliseconds'));
}

/** Names that secrets must not have. */
export function reservedSecretNames(): readonly string[] {
  return vscode.workspace.getConfiguration(section).get<readonly string[]>('secrets.reservedNames', []);
}

export function localServiceFolder(globalStorage: vscode.Uri): string {
  const configured = vscode.workspace.getConfiguration(section).get<string>('localService.dataFolder', '');
  return configured === '' ? vscode.Uri.joinPath(globalStorage, 'local-service').fsPath : configured;
}

/** A numeric setting within its bounds, or its default. A settings file may contain anything. */
function numberSetting(name: keyof typeof numberSettings): number {
  const { minimum, maximum, default: otherwise } = numberSettings[name];
  const value: unknown = vscode.workspace.getConfiguration(section).get(name);
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(value, minimum), maximum) : otherwise;
}
