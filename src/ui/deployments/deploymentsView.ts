import * as vscode from 'vscode';
import { describeFilter, describeRevisionFilter } from '../../core/resources/deploymentFilter.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import type { Clock } from '../../state/clock.ts';
import { localConnection } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { Follower } from '../../state/following/follower.ts';
import type { Poller } from '../../state/following/poller.ts';
import type { Deployments } from '../../state/lists/deployments.ts';
import { describeCount, type ListState, loadingMessage, type TreeRow } from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { type Heading, type RowFacts, RowTree } from '../window/rowTree.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { deploymentRowKey, type DeploymentsRow, type RowSources, viewRow } from './rows.ts';
import { tooltipLines } from './tooltip.ts';

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

/** The deployments view: reads the stores, loads opened rows, and redraws changes. */
export class DeploymentsView extends RowTree<DeploymentsRow> {
  readonly #dependencies: DeploymentsViewDependencies;
  #timer: Disposable | undefined;

  constructor(dependencies: DeploymentsViewDependencies) {
    super('deploymentManager.deployments', dependencies);
    this.#dependencies = dependencies;
    const { deployments, follower, workspaceDrift } = dependencies;
    const redrawDeployment = (id: string): void => this.redrawBelow({ kind: 'deployment', id });
    this.own(
      deployments.onDidChange((change) => {
        if (change.kind === 'list') this.redraw();
        else redrawDeployment(change.deploymentId);
      }),
      follower.onDidChange(() => this.redraw()),
      workspaceDrift.onDidChange(redrawDeployment),
      this.onDidChangeVisibility(() => this.#keepAges()),
      vscode.window.onDidChangeWindowState(() => this.#keepAges()),
      { dispose: () => this.#timer?.dispose() },
    );
    this.describe();
    this.#keepAges();
  }

  /** Reloads the list and open rows, and compares them with the open repository again. */
  override async refresh(): Promise<void> {
    const { deployments, workspaceDrift } = this.#dependencies;
    await this.whileLoading(() => deployments.refresh());
    await workspaceDrift.refresh();
  }

  /** Redraws the ages in the rows while the user is looking, because they change without an answer. */
  #keepAges(): void {
    this.#timer?.dispose();
    if (!this.visible || !vscode.window.state.focused) return;
    this.redraw();
    this.#timer = this.#dependencies.clock.schedule(() => this.#keepAges(), millisecondsBetweenAges);
  }

  protected override heading(): Heading {
    const { connections, deployments } = this.#dependencies;
    const { session } = connections;
    const { entries, hasMore, loadedAt } = deployments.state;
    const filters = [describeFilter(deployments.filter), describeRevisionFilter(deployments.revisionStatuses)];
    return {
      description: describeCount(session, loadedAt === undefined ? undefined : entries.length, { hasMore, filters }),
      message: loadingMessage(session, deployments.state),
    };
  }

  protected override keyOf(row: DeploymentsRow): string {
    return deploymentRowKey(row);
  }

  protected override parentOf(row: DeploymentsRow): DeploymentsRow | undefined {
    return row.kind === 'deployment' ? undefined : { kind: 'deployment', id: row.deploymentId };
  }

  protected override listBelow(parent: DeploymentsRow | undefined): ListState {
    const { deployments } = this.#dependencies;
    return parent === undefined ? deployments.state : deployments.revisionsOf(deploymentIdOf(parent));
  }

  protected override rowBelow(parent: DeploymentsRow | undefined, id: string): DeploymentsRow {
    return parent === undefined
      ? { kind: 'deployment', id }
      : { kind: 'revision', id, deploymentId: deploymentIdOf(parent) };
  }

  protected override childrenOf(parent: DeploymentsRow | undefined): readonly TreeRow<DeploymentsRow>[] {
    const rows = super.childrenOf(parent);
    if (parent === undefined) return rows;
    const deploymentId = deploymentIdOf(parent);
    const { noneFits } = this.#dependencies.deployments.revisionsOf(deploymentId);
    return noneFits ? [{ kind: 'noneFits', deploymentId }, ...rows] : rows;
  }

  protected override async load(parent: DeploymentsRow | undefined): Promise<void> {
    const { deployments } = this.#dependencies;
    await (parent === undefined ? deployments.load() : deployments.openRevisions(deploymentIdOf(parent)));
  }

  protected override async reload(parent: DeploymentsRow | undefined): Promise<void> {
    const { deployments } = this.#dependencies;
    await (parent === undefined ? deployments.refresh() : deployments.loadRevisions(deploymentIdOf(parent)));
  }

  protected override async loadMore(parent: DeploymentsRow | undefined): Promise<void> {
    const { deployments } = this.#dependencies;
    await (parent === undefined ? deployments.loadMore() : deployments.loadMoreRevisions(deploymentIdOf(parent)));
  }

  protected override close(row: DeploymentsRow): void {
    this.#dependencies.deployments.closeRevisions(deploymentIdOf(row));
  }

  protected override look(row: DeploymentsRow): RowView {
    return viewRow(row, this.#sources());
  }

  protected override linesOf(row: DeploymentsRow): readonly Line[] {
    return tooltipLines(row, this.#sources());
  }

  protected override factsOf(row: DeploymentsRow): RowFacts | undefined {
    const { deployments } = this.#dependencies;
    switch (row.kind) {
      case 'deployment':
        return {
          id: row.id,
          name: deployments.find(row.id)?.name,
          place: { kind: 'deployment', ids: [row.id] },
        };
      case 'revision': {
        const revision = deployments.revision(row.id);
        return {
          id: row.id,
          name: revision === undefined ? undefined : revisionTitle(revision),
          place: { kind: 'revision', ids: [row.deploymentId, row.id] },
        };
      }
      case 'noneFits':
        return undefined;
    }
  }

  #sources(): RowSources {
    const { connections, deployments, follower, poller, workspaceDrift, clock } = this.#dependencies;
    const { session } = connections;
    const connection = session.kind === 'none' ? localConnection : session.connection;
    const times = { now: clock.now(), monotonic: clock.monotonic() };
    return { deployments, follower, poller, workspaceDrift, connection, ...times };
  }
}

/** The id of the deployment that a row shows or belongs to. */
function deploymentIdOf(row: DeploymentsRow): string {
  return row.kind === 'deployment' ? row.id : row.deploymentId;
}
