import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { parseFilter, parseRevisionFilter, type DeploymentFilter } from '../../core/resources/deploymentFilter.ts';
import type { Clock } from '../clock.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { Session } from '../connections/connections.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { findDeployment } from './findDeployment.ts';
import { PagedList, readableRows, type PagedListState, type Row } from './pagedList.ts';
import { readySession } from './readySession.ts';

/** Which part of the store changed: the list itself, or what is known of one deployment. */
export type DeploymentsChange =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'deployment';
      readonly deploymentId: string;
      /** The record that another request brought, also where the list does not have it. */
      readonly deployment?: Deployment;
    };

/** The revisions of a deployment as far as the chosen statuses show them. */
export interface ShownRevisions extends PagedListState<Revision> {
  /** How many of the loaded ones are not shown. */
  readonly hidden: number;
  /** There is nothing to show although the service has answered. */
  readonly noneFits: boolean;
}

export interface DeploymentsDependencies {
  readonly connections: { readonly session: Session; readonly onDidChange: Event<Session> };
  readonly workspaceMemory: Memory;
  readonly pageSize: () => number;
  readonly clock: Clock;
}

/**
 * The deployments of the present connection and the revisions of those that were opened. Views read it and are told
 * when it changes; they never ask the service themselves. A change of connection drops everything, also answers
 * that are still under way.
 */
export class Deployments {
  readonly #dependencies: DeploymentsDependencies;
  readonly #changed = new Emitter<DeploymentsChange>();
  readonly #subscription: Disposable;
  readonly #revisions = new Map<string, PagedList<Revision>>();
  readonly #opened = new Set<string>();
  readonly #known = new Map<string, Revision>();
  #indexed: { readonly rows: readonly Row<Deployment>[]; readonly byId: ReadonlyMap<string, Deployment> } = {
    rows: [],
    byId: new Map(),
  };
  #deployments: PagedList<Deployment>;
  /** What was shown before the filter changed, until the first answer to the new one. */
  #before: PagedListState<Deployment> | undefined;
  #filter: DeploymentFilter = {};
  #revisionStatuses: readonly string[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: DeploymentsDependencies) {
    this.#dependencies = dependencies;
    this.#deployments = this.#createList();
    this.#subscription = dependencies.connections.onDidChange(() => this.#reset());
  }

  get state(): PagedListState<Deployment> {
    const { state } = this.#deployments;
    if (this.#before === undefined || state.loadedAt !== undefined) return state;
    const { rows, loadedAt, monotonicLoadedAt } = this.#before;
    return {
      ...state,
      rows,
      ...(loadedAt === undefined ? {} : { loadedAt }),
      ...(monotonicLoadedAt === undefined ? {} : { monotonicLoadedAt }),
    };
  }

  get filter(): DeploymentFilter {
    return this.#filter;
  }

  /** The statuses of revisions that are shown; empty for all of them. */
  get revisionStatuses(): readonly string[] {
    return this.#revisionStatuses;
  }

  find(deploymentId: string): Deployment | undefined {
    const { rows } = this.state;
    // Each row is looked up for each drawing: with hundreds of rows a search through all of them would be felt.
    if (this.#indexed.rows !== rows) {
      this.#indexed = { rows, byId: new Map(readableRows(rows).map((row) => [row.id, row])) };
    }
    return this.#indexed.byId.get(deploymentId);
  }

  /** The last answer about a revision, from whichever request brought it. */
  revision(revisionId: string): Revision | undefined {
    return this.#known.get(revisionId);
  }

  /** The loaded revisions with the chosen statuses; a service that cannot filter sends the others too. */
  revisionsOf(deploymentId: string): ShownRevisions {
    const { state } = this.#revisionList(deploymentId);
    const statuses = this.#revisionStatuses;
    if (statuses.length === 0) return { ...state, hidden: 0, noneFits: false };
    const rows = state.rows.filter((row) => isUnreadable(row) || statuses.includes(row.status ?? 'UNKNOWN'));
    const noneFits = rows.length === 0 && state.loadedAt !== undefined && state.error === undefined;
    return { ...state, rows, hidden: state.rows.length - rows.length, noneFits };
  }

  /**
   * The newest revisions, newest first, also those that the filter does not show: a service that filters does not send
   * them to the list.
   */
  async newestRevisions(deploymentId: string): Promise<readonly Revision[]> {
    const { rows = [], hasMore = true } = this.#revisions.get(deploymentId)?.state ?? {};
    const loaded = readableRows(rows);
    if (!hasMore && this.#revisionStatuses.length === 0) return loaded;
    const client = await readySession(this.#dependencies.connections.session).client();
    const { resources } = await client.revisions.list(deploymentId, { limit: MAX_PAGE_SIZE });
    const newest = readableRows(resources);
    await this.#catchUp(client, deploymentId, newest[0]);
    const ids = new Set(newest.map(({ id }) => id));
    return [...newest, ...loaded.filter(({ id }) => !ids.has(id))];
  }

  /** Loads the list unless it was asked for before. */
  async load(): Promise<void> {
    await this.#deployments.load();
  }

  /** Loads again what is shown: the list, and the revisions of open rows. Those of closed rows wait to be opened. */
  async refresh(): Promise<void> {
    this.#dropClosed();
    await Promise.all([this.#deployments.refresh(), ...[...this.#revisions.values()].map((list) => list.refresh())]);
  }

  async loadMore(): Promise<void> {
    await this.#deployments.loadMore();
  }

  /** Loads the revisions of a row that was opened, unless they were asked for before. */
  async openRevisions(deploymentId: string): Promise<void> {
    this.#opened.add(deploymentId);
    await this.#revisionList(deploymentId).load();
  }

  /** Spares the revisions of a row that was closed the next refresh. */
  closeRevisions(deploymentId: string): void {
    this.#opened.delete(deploymentId);
  }

  async loadRevisions(deploymentId: string): Promise<void> {
    await this.#revisionList(deploymentId).refresh();
  }

  async loadMoreRevisions(deploymentId: string): Promise<void> {
    await this.#revisionList(deploymentId).loadMore();
  }

  /**
   * Replaces the filter, remembers it for this workspace, and loads the list again from its beginning. The rows of the
   * old filter stay until the service answers, also when it fails.
   */
  async setFilter(filter: DeploymentFilter): Promise<void> {
    this.#before = this.state;
    this.#filter = filter;
    this.#deployments.dispose();
    this.#deployments = this.#createList();
    await Promise.all([
      this.#dependencies.workspaceMemory.update(this.#slot('filter'), filter),
      this.#deployments.refresh(),
    ]);
  }

  /** Chooses the revisions that are shown, remembers that for this workspace, and loads the opened ones again. */
  async setRevisionStatuses(statuses: readonly string[]): Promise<void> {
    this.#revisionStatuses = parseRevisionFilter(statuses);
    this.#dropClosed();
    this.#changed.fire({ kind: 'list' });
    await Promise.all([
      this.#dependencies.workspaceMemory.update(this.#slot('revisionFilter'), this.#revisionStatuses),
      ...[...this.#revisions.values()].map((list) => list.refresh()),
    ]);
  }

  /** Shows all deployments and all of their revisions again; what no filter narrowed is not loaded again. */
  async clearFilters(): Promise<void> {
    const isFiltered = Object.keys(this.#filter).length > 0;
    await Promise.all([
      ...(this.#revisionStatuses.length > 0 ? [this.setRevisionStatuses([])] : []),
      ...(isFiltered ? [this.setFilter({})] : []),
    ]);
  }

  /** Puts a deployment that was just created at the top of the list. */
  add(deployment: Deployment): void {
    this.#deployments.put(deployment);
  }

  /** Takes up what a follow brought; a deployment that is not loaded is left out, as its place is not known. */
  update(deploymentId: string, deployment: Deployment | undefined, revision: Revision | undefined): void {
    if (revision !== undefined) {
      this.#known.set(revision.id, revision);
      this.#putRevision(deploymentId, revision, deployment ?? this.find(deploymentId));
    }
    if (deployment !== undefined && this.find(deploymentId) !== undefined) this.#deployments.put(deployment);
    this.#changed.fire({ kind: 'deployment', deploymentId, ...(deployment === undefined ? {} : { deployment }) });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#deployments.dispose();
    for (const list of this.#revisions.values()) list.dispose();
    this.#changed.dispose();
  }

  /** Puts a revision into its loaded list: in its place, or first when it is the latest; an older one has no place. */
  #putRevision(deploymentId: string, revision: Revision, deployment: Deployment | undefined): void {
    const list = this.#revisions.get(deploymentId);
    if (list?.state.loadedAt === undefined) return;
    const isLoaded = list.state.rows.some(({ id }) => id === revision.id);
    if (isLoaded || deployment?.latest_revision_id === revision.id) list.put(revision);
  }

  #dropClosed(): void {
    for (const [deploymentId, list] of this.#revisions) {
      if (this.#opened.has(deploymentId) && this.find(deploymentId) !== undefined) continue;
      list.dispose();
      this.#revisions.delete(deploymentId);
    }
  }

  #reset(): void {
    this.#deployments.dispose();
    for (const list of this.#revisions.values()) list.dispose();
    this.#revisions.clear();
    this.#opened.clear();
    this.#known.clear();
    const { workspaceMemory } = this.#dependencies;
    this.#filter = parseFilter(workspaceMemory.get(this.#slot('filter')));
    this.#revisionStatuses = parseRevisionFilter(workspaceMemory.get(this.#slot('revisionFilter')));
    this.#before = undefined;
    this.#deployments = this.#createList();
    this.#changed.fire({ kind: 'list' });
  }

  #createList(): PagedList<Deployment> {
    const filter = this.#filter;
    return new PagedList<Deployment>({
      fetchPage: async (query, signal) => {
        const client = await readySession(this.#dependencies.connections.session).client();
        return client.deployments.list({ ...filter, ...query }, { signal });
      },
      pageSize: this.#dependencies.pageSize,
      clock: this.#dependencies.clock,
      onChange: () => this.#changed.fire({ kind: 'list' }),
    });
  }

  #revisionList(deploymentId: string): PagedList<Revision> {
    const existing = this.#revisions.get(deploymentId);
    if (existing !== undefined) return existing;
    const list = new PagedList<Revision>({
      fetchPage: async (query, signal) => {
        const client = await readySession(this.#dependencies.connections.session).client();
        const isFiltered = this.#revisionStatuses.length > 0;
        const status = isFiltered ? this.#revisionStatuses.join(',') : undefined;
        const page = await client.revisions.list(deploymentId, { ...query, status }, { signal });
        if (query.offset === 0 && !isFiltered) {
          await this.#catchUp(client, deploymentId, readableRows(page.resources)[0], signal);
        }
        return page;
      },
      pageSize: this.#dependencies.pageSize,
      clock: this.#dependencies.clock,
      onChange: () => {
        for (const row of list.state.rows) this.#remember(row);
        this.#changed.fire({ kind: 'deployment', deploymentId });
      },
    });
    this.#revisions.set(deploymentId, list);
    return list;
  }

  /**
   * Asks for a record of the list that does not know of the newest revision: it is older than that one, and would name
   * another as the live one. Without an answer it stays as it is.
   */
  async #catchUp(
    client: Client,
    deploymentId: string,
    newest: Revision | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const latest = this.find(deploymentId)?.latest_revision_id;
    if (latest === undefined || newest === undefined || latest === newest.id) return;
    const list = this.#deployments;
    const present = await findDeployment(client, deploymentId, { signal }).catch(() => undefined);
    if (present !== undefined && list === this.#deployments) list.put(present);
  }

  #remember(row: Row<Revision>): void {
    if (!isUnreadable(row)) this.#known.set(row.id, row);
  }

  /** Filters belong to a connection: ids and versions of one service mean nothing to another. */
  #slot(filter: 'filter' | 'revisionFilter'): string {
    return slotOfConnection(filter, this.#dependencies.connections.session);
  }
}
