import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isUnreadable, type Page } from '../../api/resources/page.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import type { DeploymentFilter, RevisionFilter } from '../../core/resources/deploymentFilter.ts';
import type { Observation } from '../../core/status/verdict.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { clientOf, ListStore, type ListStoreOptions } from './listStore.ts';
import { readableEntries, type PagedListState, type PageQuery } from './pagedList.ts';
import { StoredFilters } from './storedFilters.ts';

/** A change of the store: the list itself, or the data of one deployment. */
export type DeploymentsChange =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'deployment';
      readonly deploymentId: string;
      /** The record from another request, even if the list doesn't contain it. */
      readonly deployment?: Deployment;
    };

/** The loaded revisions of a deployment that match the filter. */
export interface ShownRevisions extends PagedListState<Revision> {
  /** Number of loaded revisions that aren't shown. */
  readonly hidden: number;
  /** True if the service has answered and no loaded revision matches. */
  readonly noneFits: boolean;
}

/** A poll's answer: a revision, the record of its deployment, or both. */
export interface PolledAnswer {
  readonly revision: Revision | undefined;
  readonly deployment: Deployment | undefined;
  /** When the revision was received, and the record was requested, in monotonic time. */
  readonly at: number;
}

export interface DeploymentsDependencies extends Omit<ListStoreOptions<unknown>, 'fetchPage'> {
  readonly workspaceMemory: Memory;
}

/**
 * The deployments of the current connection, and the revisions of opened deployments.
 * Views read this store and listen for changes; they never call the service themselves.
 */
export class Deployments {
  readonly #dependencies: DeploymentsDependencies;
  readonly filters: StoredFilters;
  readonly #changed = new Emitter<DeploymentsChange>();
  readonly #subscription: Disposable;
  readonly #deployments: ListStore<Deployment>;
  readonly #revisions: ListStore<Revision>;
  readonly #opened = new Set<string>();
  readonly #known = new Map<string, Revision>();
  /** The records that other requests found, which the list may not contain, and when, in monotonic time. */
  readonly #found = new Map<string, Deployment>();
  #foundAt = -Infinity;
  /**
   * When a revision was received and when a record was requested, in monotonic time.
   * A record with a later time is newer than the revision.
   */
  readonly #times = new WeakMap<Revision | Deployment, number>();

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: DeploymentsDependencies) {
    this.#dependencies = dependencies;
    this.filters = new StoredFilters(dependencies.connections, dependencies.workspaceMemory);
    // Subscribe before the lists: when the list event fires, no data of the old connection may be left.
    this.#subscription = dependencies.connections.onDidChange(() => {
      this.#opened.clear();
      this.#known.clear();
      this.#found.clear();
    });
    this.#revisions = new ListStore<Revision>({
      ...dependencies,
      fetchPage: (client, query, signal, deploymentId) => this.#fetchRevisions(client, query, signal, deploymentId),
    });
    this.#revisions.onDidChange((deploymentId) => {
      if (deploymentId === '') return;
      for (const entry of readableEntries(this.#revisions.stateOf(deploymentId).entries)) this.#remember(entry);
      this.#changed.fire({ kind: 'deployment', deploymentId });
    });
    this.#deployments = new ListStore<Deployment>({
      ...dependencies,
      fetchPage: async (client, query, signal) => {
        const askedAt = dependencies.clock.monotonic();
        const page = await client.deployments.list({ ...this.filter, ...query }, { signal });
        for (const entry of readableEntries(page.resources)) this.#times.set(entry, askedAt);
        return page;
      },
    });
    this.#deployments.onDidChange(() => this.#changed.fire({ kind: 'list' }));
  }

  get state(): PagedListState<Deployment> {
    return this.#deployments.stateOf();
  }

  get filter(): DeploymentFilter {
    return this.filters.deployments;
  }

  /** The newest record, listed or found by another request. */
  find(deploymentId: string): Deployment | undefined {
    return this.listed(deploymentId) ?? this.#found.get(deploymentId);
  }

  listed(deploymentId: string): Deployment | undefined {
    return this.#deployments.find(deploymentId);
  }

  /** The records that can be read: the listed ones, then those found by other requests. */
  get records(): readonly Deployment[] {
    const others = [...this.#found.values()].filter(({ id }) => this.listed(id) === undefined);
    return [...readableEntries(this.state.entries), ...others];
  }

  /** Keeps these records also if the list no longer contains them, because of a filter. */
  hold(ids: readonly string[]): void {
    for (const record of ids.flatMap((id) => this.listed(id) ?? [])) this.#found.set(record.id, record);
  }

  /** When records last arrived, in monotonic time. */
  get recordsAt(): number {
    return Math.max(this.state.monotonicLoadedAt ?? -Infinity, this.#foundAt);
  }

  /** Keeps records that another request found, and forgets those that are gone. `askedAt` is in monotonic time. */
  keep(found: readonly Deployment[], { gone = [], askedAt }: { gone?: readonly string[]; askedAt: number }): void {
    this.#foundAt = this.#dependencies.clock.monotonic();
    for (const id of gone) this.#found.delete(id);
    for (const deployment of found) {
      this.#found.set(deployment.id, deployment);
      this.#putRecord(deployment, askedAt);
    }
    this.#changed.fire({ kind: 'list' });
  }

  /** The last answer about a revision, from any request. */
  revision(revisionId: string): Revision | undefined {
    return this.#known.get(revisionId);
  }

  /** The known state of a revision and its deployment, with the times of their answers. */
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

  /** The loaded revisions that match; statuses are filtered here too, because not every service filters. */
  revisionsOf(deploymentId: string): ShownRevisions {
    const state = this.#revisions.stateOf(deploymentId);
    if (!this.filters.hidesRevisions) return { ...state, hidden: 0, noneFits: false };
    const { status: statuses } = this.filters.revisions;
    const entries = state.entries.filter(
      (entry) => isUnreadable(entry) || statuses.length === 0 || statuses.includes(entry.status ?? 'UNKNOWN'),
    );
    const noneFits = entries.length === 0 && state.loadedAt !== undefined && state.error === undefined;
    return { ...state, entries, hidden: state.entries.length - entries.length, noneFits };
  }

  /**
   * The newest revisions, newest first, including those hidden by the filter.
   * A service that filters doesn't send the hidden ones to the list, so they may be requested here.
   */
  async newestRevisions(deploymentId: string, signal: AbortSignal): Promise<readonly Revision[]> {
    const { entries, hasMore, loadedAt } = this.#revisions.stateOf(deploymentId);
    const loaded = readableEntries(entries);
    if (loadedAt !== undefined && !hasMore && !this.filters.hidesRevisions) return loaded;
    const client = await clientOf(this.#dependencies.connections);
    const { resources } = await client.revisions.list(deploymentId, { limit: MAX_PAGE_SIZE }, { signal });
    const newest = readableEntries(resources);
    await this.#catchUp(client, deploymentId, newest[0], signal);
    const ids = new Set(newest.map(({ id }) => id));
    return [...newest, ...loaded.filter(({ id }) => !ids.has(id))];
  }

  /** The revision before another one; undefined if none is known. */
  async revisionBefore(deploymentId: string, revisionId: string, signal: AbortSignal): Promise<Revision | undefined> {
    const known = await this.newestRevisions(deploymentId, signal);
    const offset = known.findIndex(({ id }) => id === revisionId) + 1;
    if (offset === 0 || offset < known.length) return offset === 0 ? undefined : known[offset];
    const client = await clientOf(this.#dependencies.connections);
    const { resources } = await client.revisions.list(deploymentId, { limit: 1, offset }, { signal });
    return readableEntries(resources)[0];
  }

  /** Loads the list unless it was requested before. */
  async load(): Promise<void> {
    await this.#deployments.load();
  }

  /** Reloads the list and the revisions of opened deployments. Closed ones load theirs when they are opened. */
  async refresh(): Promise<void> {
    await Promise.all([this.#deployments.refresh(), this.#refreshOpened()]);
  }

  async loadMore(): Promise<void> {
    await this.#deployments.loadMore();
  }

  /** Loads the revisions of an opened deployment, unless they were requested before. */
  async openRevisions(deploymentId: string): Promise<void> {
    this.#opened.add(deploymentId);
    await this.#revisions.load(deploymentId);
  }

  /** Excludes the revisions of a closed deployment from the next refresh. */
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
   * Sets and remembers the filter, then loads the list from its start.
   * The entries of the old filter stay until the service answers, and also if it fails.
   */
  async setFilter(filter: DeploymentFilter): Promise<void> {
    await Promise.all([this.filters.setDeployments(filter), this.#deployments.restart()]);
  }

  /** Sets and remembers which revisions to show, then reloads the revisions of opened deployments. */
  async setRevisionFilter(filter: RevisionFilter): Promise<void> {
    const remembered = this.filters.setRevisions(filter);
    this.#changed.fire({ kind: 'list' });
    await Promise.all([remembered, this.#refreshOpened()]);
  }

  /** Clears both filters; a list that wasn't filtered isn't loaded again. */
  async clearFilters(): Promise<void> {
    const isFiltered = Object.keys(this.filter).length > 0;
    await Promise.all([
      ...(this.filters.hidesRevisions ? [this.setRevisionFilter({ status: [] })] : []),
      ...(isFiltered ? [this.setFilter({})] : []),
    ]);
  }

  /** Puts a newly created deployment at the top of the list. */
  add(deployment: Deployment): void {
    this.#deployments.put(deployment);
  }

  /** Applies an answer of the poller. A deployment that isn't loaded is left out, because its place is unknown. */
  update(deploymentId: string, { deployment, revision, at }: PolledAnswer): void {
    if (revision !== undefined) {
      this.#times.set(revision, at);
      this.#known.set(revision.id, revision);
      this.#putRevision(deploymentId, revision, deployment ?? this.find(deploymentId));
    }
    if (deployment !== undefined) this.#putRecord(deployment, at);
    this.#changed.fire({ kind: 'deployment', deploymentId, ...(deployment === undefined ? {} : { deployment }) });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#deployments.dispose();
    this.#revisions.dispose();
    this.#changed.dispose();
  }

  /** Puts a revision in its place, or first if it is the latest; leaves out an older one that isn't listed. */
  #putRevision(deploymentId: string, revision: Revision, deployment: Deployment | undefined): void {
    const { entries, loadedAt, loading } = this.#revisions.stateOf(deploymentId);
    // A first load that is running may be older than this answer, so put the revision then too.
    if (loadedAt === undefined && !loading) return;
    const isLoaded = entries.some(({ id }) => id === revision.id);
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
    const { revisions: filter, hidesRevisions } = this.filters;
    const status = filter.status.length > 0 ? filter.status.join(',') : undefined;
    const page = await client.revisions.list(deploymentId, { ...query, ...filter, status }, { signal });
    const at = this.#dependencies.clock.monotonic();
    for (const entry of readableEntries(page.resources)) this.#times.set(entry, at);
    if (query.offset === 0 && !hidesRevisions) {
      await this.#catchUp(client, deploymentId, readableEntries(page.resources)[0], signal);
    }
    return page;
  }

  /**
   * Requests the record again if it doesn't name the newest revision as the latest one.
   * Such a record is older than that revision and may name the wrong live one. If the request fails, the record stays.
   */
  async #catchUp(
    client: Client,
    deploymentId: string,
    newest: Revision | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const latest = this.find(deploymentId)?.latest_revision_id;
    if (latest === undefined || newest === undefined || latest === newest.id) return;
    const { connections, clock } = this.#dependencies;
    const { session } = connections;
    const askedAt = clock.monotonic();
    const present = await client.deployments.find(deploymentId, { signal }).catch(() => undefined);
    if (present === undefined || session !== connections.session) return;
    this.#putRecord(present, askedAt);
  }

  /** Puts a record where an older one is. The list may have been requested after it, and answered before it. */
  #putRecord(deployment: Deployment, at: number): void {
    this.#times.set(deployment, at);
    const { id } = deployment;
    const [listed, found] = [this.listed(id), this.#found.get(id)];
    if (listed !== undefined && this.#timeOf(listed) <= at) this.#deployments.put(deployment);
    if (found !== undefined && this.#timeOf(found) <= at) this.#found.set(id, deployment);
  }

  #timeOf(answer: Revision | Deployment): number {
    return this.#times.get(answer) ?? -Infinity;
  }

  #remember(revision: Revision): void {
    const known = this.#known.get(revision.id);
    const isOlder = known !== undefined && this.#timeOf(revision) < this.#timeOf(known);
    if (!isOlder) this.#known.set(revision.id, revision);
  }
}
