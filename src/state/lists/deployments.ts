import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isUnreadable, type Page } from '../../api/resources/page.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { parseFilter, parseRevisionFilter, type DeploymentFilter } from '../../core/resources/deploymentFilter.ts';
import type { Observation } from '../../core/status/verdict.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { clientOf, ListStore, type ListStoreOptions } from './listStore.ts';
import { readableRows, type PagedListState, type PageQuery } from './pagedList.ts';

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

export interface DeploymentsDependencies extends Omit<ListStoreOptions<unknown>, 'fetchPage'> {
  readonly workspaceMemory: Memory;
}

/**
 * The deployments of the present connection and the revisions of those that were opened. Views read it and are told
 * when it changes; they never ask the service themselves.
 */
export class Deployments {
  readonly #dependencies: DeploymentsDependencies;
  readonly #changed = new Emitter<DeploymentsChange>();
  readonly #subscription: Disposable;
  readonly #deployments: ListStore<Deployment>;
  readonly #revisions: ListStore<Revision>;
  readonly #opened = new Set<string>();
  readonly #known = new Map<string, Revision>();
  /**
   * In monotonic time: when a revision was answered, and when its record was asked for. A record whose time is later was
   * written after the revision was.
   */
  readonly #times = new WeakMap<Revision | Deployment, number>();

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: DeploymentsDependencies) {
    this.#dependencies = dependencies;
    // What is told last of a change of connection is the list: nothing of the old connection is left then.
    this.#subscription = dependencies.connections.onDidChange(() => {
      this.#opened.clear();
      this.#known.clear();
    });
    this.#revisions = new ListStore<Revision>({
      ...dependencies,
      fetchPage: (client, query, signal, deploymentId) => this.#fetchRevisions(client, query, signal, deploymentId),
    });
    this.#revisions.onDidChange((deploymentId) => {
      if (deploymentId === '') return;
      for (const row of readableRows(this.#revisions.stateOf(deploymentId).rows)) this.#remember(row);
      this.#changed.fire({ kind: 'deployment', deploymentId });
    });
    this.#deployments = new ListStore<Deployment>({
      ...dependencies,
      fetchPage: async (client, query, signal) => {
        const askedAt = dependencies.clock.monotonic();
        const page = await client.deployments.list({ ...this.filter, ...query }, { signal });
        for (const row of readableRows(page.resources)) this.#times.set(row, askedAt);
        return page;
      },
    });
    this.#deployments.onDidChange(() => this.#changed.fire({ kind: 'list' }));
  }

  get state(): PagedListState<Deployment> {
    return this.#deployments.stateOf();
  }

  /** Filters belong to a connection: ids and versions of one service mean nothing to another. */
  get filter(): DeploymentFilter {
    return parseFilter(this.#dependencies.workspaceMemory.get(this.#slot('filter')));
  }

  /** The statuses of revisions that are shown; empty for all of them. */
  get revisionStatuses(): readonly string[] {
    return parseRevisionFilter(this.#dependencies.workspaceMemory.get(this.#slot('revisionFilter')));
  }

  find(deploymentId: string): Deployment | undefined {
    return this.#deployments.find(deploymentId);
  }

  /** The last answer about a revision, from whichever request brought it. */
  revision(revisionId: string): Revision | undefined {
    return this.#known.get(revisionId);
  }

  /** What is known of a revision and its deployment, and since when. */
  observe(deploymentId: string, revisionId: string | undefined): Observation {
    const deployment = this.find(deploymentId);
    const revision = this.#known.get(revisionId ?? '');
    return {
      revisionId,
      revision,
      revisionAt: revision && this.#times.get(revision),
      deployment,
      deploymentAt: deployment && this.#times.get(deployment),
      active: this.#known.get(deployment?.active_revision_id ?? ''),
    };
  }

  /** The loaded revisions with the chosen statuses; a service that cannot filter sends the others too. */
  revisionsOf(deploymentId: string): ShownRevisions {
    const state = this.#revisions.stateOf(deploymentId);
    const statuses = this.revisionStatuses;
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
    const { rows, hasMore, loadedAt } = this.#revisions.stateOf(deploymentId);
    const loaded = readableRows(rows);
    if (loadedAt !== undefined && !hasMore && this.revisionStatuses.length === 0) return loaded;
    const client = await clientOf(this.#dependencies.connections);
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
    await Promise.all([this.#deployments.refresh(), this.#refreshOpened()]);
  }

  async loadMore(): Promise<void> {
    await this.#deployments.loadMore();
  }

  /** Loads the revisions of a row that was opened, unless they were asked for before. */
  async openRevisions(deploymentId: string): Promise<void> {
    this.#opened.add(deploymentId);
    await this.#revisions.load(deploymentId);
  }

  /** Spares the revisions of a row that was closed the next refresh. */
  closeRevisions(deploymentId: string): void {
    this.#opened.delete(deploymentId);
  }

  async loadRevisions(deploymentId: string): Promise<void> {
    await this.#revisions.refresh(deploymentId);
  }

  async loadMoreRevisions(deploymentId: string): Promise<void> {
    await this.#revisions.loadMore(deploymentId);
  }

  /**
   * Replaces the filter, remembers it for this workspace, and loads the list again from its beginning. The rows of the
   * old filter stay until the service answers, also when it fails.
   */
  async setFilter(filter: DeploymentFilter): Promise<void> {
    const remembered = this.#dependencies.workspaceMemory.update(this.#slot('filter'), filter);
    await Promise.all([remembered, this.#deployments.restart()]);
  }

  /** Chooses the revisions that are shown, remembers that for this workspace, and loads the opened ones again. */
  async setRevisionStatuses(statuses: readonly string[]): Promise<void> {
    const { workspaceMemory } = this.#dependencies;
    const remembered = workspaceMemory.update(this.#slot('revisionFilter'), parseRevisionFilter(statuses));
    this.#changed.fire({ kind: 'list' });
    await Promise.all([remembered, this.#refreshOpened()]);
  }

  /** Shows all deployments and all of their revisions again; what no filter narrowed is not loaded again. */
  async clearFilters(): Promise<void> {
    const isFiltered = Object.keys(this.filter).length > 0;
    await Promise.all([
      ...(this.revisionStatuses.length > 0 ? [this.setRevisionStatuses([])] : []),
      ...(isFiltered ? [this.setFilter({})] : []),
    ]);
  }

  /** Puts a deployment that was just created at the top of the list. */
  add(deployment: Deployment): void {
    this.#deployments.put(deployment);
  }

  /** Takes up what a follow brought; a deployment that is not loaded is left out, as its place is not known. */
  update(deploymentId: string, deployment: Deployment | undefined, revision: Revision | undefined): void {
    const now = this.#dependencies.clock.monotonic();
    // Who asks for both asks for the record last.
    if (deployment !== undefined) this.#times.set(deployment, now);
    if (revision !== undefined) {
      this.#times.set(revision, now);
      this.#known.set(revision.id, revision);
      this.#putRevision(deploymentId, revision, deployment ?? this.find(deploymentId));
    }
    if (deployment !== undefined && this.find(deploymentId) !== undefined) this.#deployments.put(deployment);
    this.#changed.fire({ kind: 'deployment', deploymentId, ...(deployment === undefined ? {} : { deployment }) });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#deployments.dispose();
    this.#revisions.dispose();
    this.#changed.dispose();
  }

  /** Puts a revision into its list: in its place, or first when it is the latest; an older one has no place. */
  #putRevision(deploymentId: string, revision: Revision, deployment: Deployment | undefined): void {
    const { rows, loadedAt, loading } = this.#revisions.stateOf(deploymentId);
    // A first list that is under way may have been asked for before this was known.
    if (loadedAt === undefined && !loading) return;
    const isLoaded = rows.some(({ id }) => id === revision.id);
    if (isLoaded || deployment?.latest_revision_id === revision.id) this.#revisions.put(revision, deploymentId);
  }

  async #refreshOpened(): Promise<void> {
    const { owners } = this.#revisions;
    const isShown = (id: string): boolean => this.#opened.has(id) && this.find(id) !== undefined;
    for (const id of owners) if (!isShown(id)) this.#revisions.drop(id);
    await Promise.all(owners.filter(isShown).map((id) => this.#revisions.refresh(id)));
  }

  async #fetchRevisions(
    client: Client,
    query: PageQuery,
    signal: AbortSignal,
    deploymentId: string,
  ): Promise<Page<Revision>> {
    const statuses = this.revisionStatuses;
    const status = statuses.length > 0 ? statuses.join(',') : undefined;
    const page = await client.revisions.list(deploymentId, { ...query, status }, { signal });
    if (query.offset === 0 && status === undefined) {
      await this.#catchUp(client, deploymentId, readableRows(page.resources)[0], signal);
    }
    return page;
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
    const { connections, clock } = this.#dependencies;
    const { session } = connections;
    const askedAt = clock.monotonic();
    const present = await client.deployments.find(deploymentId, { signal }).catch(() => undefined);
    if (present === undefined || session !== connections.session) return;
    this.#times.set(present, askedAt);
    this.#deployments.put(present);
  }

  #remember(revision: Revision): void {
    if (this.#known.get(revision.id) === revision) return;
    this.#known.set(revision.id, revision);
    this.#times.set(revision, this.#dependencies.clock.monotonic());
  }

  #slot(filter: 'filter' | 'revisionFilter'): string {
    return slotOfConnection(filter, this.#dependencies.connections.session);
  }
}
