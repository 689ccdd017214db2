import type * as vscode from 'vscode';
import type { Connections } from '../state/connections.ts';
import type { Deployments } from '../state/deployments.ts';
import type { Follower } from '../state/follower.ts';
import type { SecretStore } from '../state/secrets.ts';
import type { LocalService } from '../state/localService.ts';
import type { Clock } from '../state/clock.ts';
import type { DeploymentsView } from './tree/deploymentsView.ts';

/** What commands work with, made once by `extension.ts`. */
export interface Services {
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly secrets: SecretStore;
  readonly localService: LocalService;
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly deploymentsView: DeploymentsView;
}
