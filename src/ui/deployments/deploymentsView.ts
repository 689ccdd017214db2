import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { describeFilter, describeRevisionFilter } from '../../core/resources/deploymentFilter.ts';
import type { Clock } from '../../state/clock.ts';
import { localConnection } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { Follower } from '../../state/following/follower.ts';
import type { Poller } from '../../state/following/poller.ts';
import type { Deployments } from '../../state/lists/deployments.ts';
import { describeCount, listRows } from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import { RowTree } from '../window/rowTree.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { deploymentIdOf, isRow, rowKey, type Row, type RowSources, viewRow } from './rows.ts';
import { tooltipOf } from './tooltip.ts';

export interface DeploymentsViewDependencies {
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly poller: Poller;
  readonly workspaceDrift: WorkspaceDrift;
  readonly clock: Clock;
  readonly log: Log;
}

const millisecondsBetweenAges = 10_000;

/** The deployments view: it reads the stores, asks them to load what is opened, and redraws what changed. */
export class DeploymentsView {
  readonly #dependencies: DeploymentsViewDependencies;
  readonly tree: RowTree<Row>;
  readonly #subscriptions: vscode.Disposable;
  #timer: Disposable | undefined;

  constructor(dependencies: DeploymentsViewDependencies) {
    this.#dependencies = dependencies;
    const { connections, deployments, follower, workspaceDrift } = dependencies;
    this.tree = new RowTree<Row>(
      'deploymentManager.deployments',
      {
        keyOf: rowKey,
        parentOf: (row) => this.#parentOf(row),
        childrenOf: (parent) => this.#childrenOf(parent),
        load: (parent) => this.#load(parent),
        close: (row) => {
          if (row.kind === 'deployment') deployments.closeRevisions(row.id);
        },
        look: (row) => viewRow(row, this.#sources()),
        tooltip: (row) => tooltipOf(row, this.#sources()),
      },
      dependencies,
    );
    this.#subscriptions = vscode.Disposable.from(
      this.tree,
      connections.onDidChange(() => this.#describe()),
      deployments.onDidChange((change) => {
        this.#describe();
        if (change.kind === 'list') this.tree.redraw();
        else this.#redrawDeployment(change.deploymentId);
      }),
      follower.onDidChange(() => this.tree.redraw()),
      workspaceDrift.onDidChange((deploymentId) => this.#redrawDeployment(deploymentId)),
      this.tree.onDidChangeVisibility(() => this.#keepAges()),
    );
    this.#describe();
    this.#keepAges();
  }

  get visible(): boolean {
    return this.tree.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.tree.onDidChangeVisibility;
  }

  get selection(): readonly Row[] {
    return this.tree.selection;
  }

  /** Selects a deployment's row, so that the person sees what they have just made. */
  async reveal(deploymentId: string): Promise<void> {
    await this.tree.reveal({ kind: 'deployment', id: deploymentId });
  }

  /** Runs a task with progress shown in the view. */
  async whileLoading<T>(task: () => Promise<T>): Promise<T> {
    return this.tree.whileLoading(task);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#subscriptions.dispose();
  }

  #redrawDeployment(deploymentId: string): void {
    this.tree.redrawWhere((row) => deploymentIdOf(row) === deploymentId);
  }

  /** Rows say how long ago something happened: while they can be seen, that grows older without an answer. */
  #keepAges(): void {
    this.#timer?.dispose();
    if (!this.visible) return;
    this.#timer = this.#dependencies.clock.schedule(() => {
      this.tree.redraw();
      this.#keepAges();
    }, millisecondsBetweenAges);
  }

  #describe(): void {
    const { connections, deployments } = this.#dependencies;
    const { session } = connections;
    const { rows, hasMore, loadedAt, error } = deployments.state;
    const filters = [describeFilter(deployments.filter), describeRevisionFilter(deployments.revisionStatuses)];
    const description = describeCount(session, loadedAt === undefined ? undefined : rows.length, { hasMore, filters });
    // Without a message VS Code would say that nothing is deployed before the first answer tells.
    const isWaiting = session.kind === 'ready' && loadedAt === undefined && error === undefined;
    this.tree.describe(description, isWaiting ? vscode.l10n.t('Loading…') : '');
  }

  #parentOf(row: Row): Row | undefined {
    const id = deploymentIdOf(row);
    return row.kind === 'deployment' || id === undefined ? undefined : { kind: 'deployment', id };
  }

  #childrenOf(parent: Row | undefined): readonly Row[] {
    if (parent === undefined) {
      const { state } = this.#dependencies.deployments;
      return listRows<Deployment, Row>(state, '', ({ id }) => ({ kind: 'deployment', id }));
    }
    return parent.kind === 'deployment' ? this.#revisionRows(parent.id) : [];
  }

  async #load(parent: Row | undefined): Promise<void> {
    const { deployments } = this.#dependencies;
    if (parent === undefined) {
      await deployments.load();
    } else if (parent.kind === 'deployment') {
      await deployments.openRevisions(parent.id);
    }
  }

  #revisionRows(deploymentId: string): readonly Row[] {
    const state = this.#dependencies.deployments.revisionsOf(deploymentId);
    const rows = listRows<Revision, Row>(state, deploymentId, ({ id }) => ({ kind: 'revision', id, deploymentId }));
    return state.noneFits ? [{ kind: 'noneFits', deploymentId }, ...rows] : rows;
  }

  #sources(): RowSources {
    const { connections, deployments, follower, poller, workspaceDrift, clock } = this.#dependencies;
    const { session } = connections;
    const connection = session.kind === 'none' ? localConnection : session.connection;
    const times = { now: clock.now(), monotonic: clock.monotonic() };
    return { deployments, follower, poller, workspaceDrift, connection, ...times };
  }
}

/** The row that a command is about: the one it was called with, or else the selected one. */
export function rowOf(argument: unknown, view: DeploymentsView): Row | undefined {
  return isRow(argument) ? argument : view.selection[0];
}
