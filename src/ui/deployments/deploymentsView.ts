import * as vscode from 'vscode';
import { describeFilter, describeRevisionFilter } from '../../core/resources/deploymentFilter.ts';
import { localConnection } from '../../state/connections/connection.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { ListState } from '../window/listRows.ts';
import type { Stores } from '../stores.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { RowTree } from '../window/rowTree.ts';
import { type DeploymentsRow, type RowSources, tooltipLines, viewRow } from './rows.ts';

type DeploymentsViewDependencies = Omit<RowSources, 'connection' | 'now' | 'monotonic'> &
  Pick<Stores, 'connections' | 'clock' | 'log'>;

const millisecondsBetweenAges = 10_000;

/** The deployments view: reads the stores, loads opened rows, and redraws changes. */
export class DeploymentsView extends RowTree<DeploymentsRow, DeploymentsViewDependencies> {
  #timer: Disposable | undefined;

  constructor(dependencies: DeploymentsViewDependencies) {
    super('deploymentManager.deployments', dependencies);
    const { deployments, follower, workspaceDrift } = dependencies;
    const redrawDeployment = (id: string): void => this.redrawBelow({ kind: 'deployment', ids: [id] });
    this.own(
      deployments.onDidChange((change) => {
        if (change.kind === 'list') this.redraw();
        else redrawDeployment(change.deploymentId);
      }),
      follower.onDidChange(() => this.redraw()),
      workspaceDrift.onDidChange(redrawDeployment),
      this.view.onDidChangeVisibility(() => this.#keepAges()),
      vscode.window.onDidChangeWindowState(() => this.#keepAges()),
      { dispose: () => this.#timer?.dispose() },
    );
    this.describe();
    this.#keepAges();
  }

  /** Reloads the list and open rows, and compares them with the open repository again. */
  override async refresh(): Promise<void> {
    const { deployments, workspaceDrift } = this.dependencies;
    await this.whileLoading(() => deployments.refresh());
    await workspaceDrift.refresh();
  }

  /**
   * Redraws the ages in the rows while the user is looking, because they change without an answer.
   * When the user looks away, rows that are no longer asked about are drawn once more, without what would go on.
   */
  #keepAges(): void {
    this.#timer?.dispose();
    if (!this.view.visible) return;
    if (!vscode.window.state.focused) {
      // Everyone else must know first that the user looked away.
      this.#timer = this.dependencies.clock.schedule(() => this.redraw(), 0);
      return;
    }
    this.redraw();
    this.#timer = this.dependencies.clock.schedule(() => this.#keepAges(), millisecondsBetweenAges);
  }

  protected override parentOf(row: DeploymentsRow): DeploymentsRow | undefined {
    return row.kind === 'deployment' ? undefined : { kind: 'deployment', ids: [row.ids[0]] };
  }

  protected override listBelow(parent: DeploymentsRow | undefined): ListState {
    const { deployments } = this.dependencies;
    const ofRevisions = describeRevisionFilter(deployments.revisionStatuses);
    if (parent !== undefined) return { ...deployments.revisionsOf(parent.ids[0]), filter: ofRevisions };
    const filters = [describeFilter(deployments.filter), ofRevisions].filter((words) => words !== '');
    return { ...deployments.state, filter: filters.join(' · ') };
  }

  protected override rowBelow(parent: DeploymentsRow | undefined, id: string): DeploymentsRow {
    return parent === undefined ? { kind: 'deployment', ids: [id] } : { kind: 'revision', ids: [parent.ids[0], id] };
  }

  protected override async load(parent: DeploymentsRow | undefined): Promise<void> {
    const { deployments } = this.dependencies;
    await (parent === undefined ? deployments.load() : deployments.openRevisions(parent.ids[0]));
  }

  protected override async reload(parent: DeploymentsRow | undefined): Promise<void> {
    const { deployments } = this.dependencies;
    await (parent === undefined ? deployments.refresh() : deployments.loadRevisions(parent.ids[0]));
  }

  protected override async loadMore(parent: DeploymentsRow | undefined): Promise<void> {
    const { deployments } = this.dependencies;
    await (parent === undefined ? deployments.loadMore() : deployments.loadMoreRevisions(parent.ids[0]));
  }

  protected override close(row: DeploymentsRow): void {
    this.dependencies.deployments.closeRevisions(row.ids[0]);
  }

  protected override look(row: DeploymentsRow): RowView | undefined {
    return viewRow(row, this.#sources());
  }

  protected override linesOf(row: DeploymentsRow): readonly Line[] {
    return tooltipLines(row, this.#sources());
  }

  #sources(): RowSources {
    const { connections, clock } = this.dependencies;
    const { session } = connections;
    const connection = session.kind === 'none' ? localConnection : session.connection;
    return { ...this.dependencies, connection, now: clock.now(), monotonic: clock.monotonic() };
  }
}
