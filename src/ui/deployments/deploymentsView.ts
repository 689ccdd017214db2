import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { describeFilter, describeRevisionFilter } from '../../core/resources/deploymentFilter.ts';
import { localConnection } from '../../state/connections/connection.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { Parts } from '../parts.ts';
import { describeCount, type ListState } from '../window/listRows.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { type Heading, type ListRequests, RowTree } from '../window/rowTree.ts';
import { type DeploymentsRow, type RowSources, viewRow, workspaceRow } from './rows.ts';

type DeploymentsViewDependencies = Omit<RowSources, 'connection'> & Pick<Parts, 'background'>;

const millisecondsBetweenAges = 10_000;

/** The deployments view: reads the stores, loads opened rows, and redraws changes. */
export class DeploymentsView extends RowTree<DeploymentsRow, DeploymentsViewDependencies> {
  #timer: Disposable | undefined;

  constructor(dependencies: DeploymentsViewDependencies) {
    super('deploymentManager.deployments', dependencies);
    const { deployments, follower, ownDeployments, workspaceDeployments, workspaceDrift } = dependencies;
    const redrawDeployment = (id: string): void => this.redrawBelow({ kind: 'deployment', ids: [id] });
    this.disposeWithView(
      deployments.onDidChange((change) => {
        if (change.kind === 'list') this.redraw();
        else redrawDeployment(change.deploymentId);
      }),
      ownDeployments.onDidFind(() => this.redraw()),
      follower.onDidChange(() => this.redraw()),
      workspaceDrift.onDidChange(redrawDeployment),
      // A deployment moves into or out of the group.
      workspaceDeployments.onDidMark(() => this.redraw()),
      this.view.onDidChangeVisibility(() => this.#keepAges()),
      vscode.window.onDidChangeWindowState(() => this.#keepAges()),
      { dispose: () => this.#timer?.dispose() },
    );
    this.describe();
    this.#keepAges();
  }

  /** Reloads the list and open rows, and compares them with the open repository again. */
  override async refresh(): Promise<void> {
    const { deployments, ownDeployments, workspaceDrift } = this.dependencies;
    await this.whileLoading(() => deployments.refresh());
    await ownDeployments.search({ again: true });
    await workspaceDrift.refresh();
  }

  /**
   * Redraws the rows every few seconds while the user is looking, because their ages change without an answer.
   * When the window loses the focus, redraws them once more: they stop counting while the service isn't asked.
   */
  #keepAges(): void {
    this.#timer?.dispose();
    if (!this.view.visible) return;
    if (!vscode.window.state.focused) {
      // Other listeners of this event must stop asking first.
      this.#timer = this.dependencies.clock.schedule(() => this.redraw(), 0);
      return;
    }
    this.redraw();
    this.#timer = this.dependencies.clock.schedule(() => this.#keepAges(), millisecondsBetweenAges);
  }

  /** Whether the tree has a row for a deployment, if its group is open. */
  has(deploymentId: string): boolean {
    return this.dependencies.deployments.isListed(deploymentId) || this.#isOwn(deploymentId);
  }

  protected override groups(): readonly DeploymentsRow[] {
    // A new object, so a group that was hidden meanwhile isn't taken for the one that VS Code still has.
    return this.#own().length === 0 ? [] : [{ ...workspaceRow }];
  }

  protected override parentOf(row: DeploymentsRow): DeploymentsRow | undefined {
    if (row.kind === 'revision') return { kind: 'deployment', ids: [row.ids[0]] };
    return row.kind === 'deployment' && this.#isOwn(row.ids[0]) ? workspaceRow : undefined;
  }

  protected override listBelow(parent: DeploymentsRow | undefined): ListState {
    const { deployments } = this.dependencies;
    const ofRevisions = describeRevisionFilter(deployments.filters.revisions);
    if (parent?.kind === 'workspace') return { entries: this.#own(), hasMore: false, loading: false };
    if (parent !== undefined) return { ...deployments.revisionsOf(parent.ids[0]), filter: ofRevisions };
    const filters = [describeFilter(deployments.filter), ofRevisions].filter((words) => words !== '');
    const entries = deployments.state.entries.filter(({ id }) => id === undefined || !this.#isOwn(id));
    return { ...deployments.state, entries, filter: filters.join(' · ') };
  }

  protected override rowBelow(parent: DeploymentsRow | undefined, id: string): DeploymentsRow {
    return isOfRevisions(parent) ? { kind: 'revision', ids: [parent.ids[0], id] } : { kind: 'deployment', ids: [id] };
  }

  protected override heading(): Heading {
    const { deployments, connections, ownDeployments } = this.dependencies;
    const { entries, loadedAt } = deployments.state;
    // The list was asked for its entries, wherever they stand.
    const count = loadedAt === undefined ? undefined : entries.length;
    const { message } = super.heading();
    const limit = ownDeployments.results.find(({ stoppedAt }) => stoppedAt === 'limit');
    const stopped =
      limit === undefined || this.#own().length > 0
        ? ''
        : vscode.l10n.t('The search for deployments of this workspace stopped after the first {0}.', limit.read);
    const description = describeCount(connections.session, count, this.listBelow(undefined));
    return { description, message: message === '' ? stopped : message };
  }

  protected override requestsBelow(parent: DeploymentsRow | undefined): ListRequests {
    const { deployments } = this.dependencies;
    if (!isOfRevisions(parent)) return deployments;
    const [id] = parent.ids;
    return {
      load: () => deployments.openRevisions(id),
      refresh: () => deployments.loadRevisions(id),
      loadMore: () => deployments.loadMoreRevisions(id),
    };
  }

  protected override close(row: DeploymentsRow): void {
    if (isOfRevisions(row)) this.dependencies.deployments.closeRevisions(row.ids[0]);
  }

  protected override look(row: DeploymentsRow): RowView | undefined {
    return viewRow(row, this.#sources());
  }

  protected override async linesOf(row: DeploymentsRow): Promise<readonly Line[]> {
    const { tooltipLines } = await this.dependencies.background();
    return tooltipLines(row, this.#sources());
  }

  /** The workspace's own deployments. A filter hides those that don't match it. */
  #own(): readonly Deployment[] {
    return this.dependencies.ownDeployments.candidates.filter(({ id }) => this.#isOwn(id));
  }

  #isOwn(deploymentId: string): boolean {
    const { deployments, workspaceDeployments } = this.dependencies;
    if (!workspaceDeployments.isOfWorkspace(deploymentId)) return false;
    return deployments.isListed(deploymentId) || Object.keys(deployments.filter).length === 0;
  }

  #sources(): RowSources {
    const { session } = this.dependencies.connections;
    return { ...this.dependencies, connection: session.kind === 'none' ? localConnection : session.connection };
  }
}

/** Whether the list below a row has revisions. Any other has deployments. */
function isOfRevisions(
  parent: DeploymentsRow | undefined,
): parent is Extract<DeploymentsRow, { kind: 'deployment' | 'revision' }> {
  return parent !== undefined && parent.kind !== 'workspace';
}
