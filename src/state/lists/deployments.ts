import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isUnreadable, type Page } from '../../api/resources/page.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import type { DeploymentFilter, RevisionFilter } from '../../core/resources/deploymentFilter.ts';
import { statusOf } from '../../core/status/status.ts';
import type { Answers, DeploymentId, Observed } from '../answers/answers.ts';
import { askRecord } from '../answers/ask.ts';
import { connectionNameOf } from '../connections/session.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { clientOf, ListStore, type ListStoreOptions } from './listStore.ts';
import { readableEntries, type ListEntry, type PagedListState, type PageQuery } from './pagedList.ts';
import { StoredFilters } from './storedFilters.ts';

/** A change of the store: the list itself, or the data of one deployment. */
export type DeploymentsChange =
  | { readonly kind: 'list' }
  | { readonly kind: 'deployment'; readonly deploymentId: string };

/** The loaded revisions of a deployment that match the filter. */
interface ShownRevisions extends PagedListState<Revision> {
  /** Number of loaded revisions that aren't shown. */
  readonly hidden: number;
  /** True if the service has answered and no loaded revision matches. */
  readonly noneFits: boolean;
}

interface DeploymentsDependencies extends Omit<ListStoreOptions<unknown>, 'fetchPage' | 'outlives'> {
  readonly answers: Answers;
  readonly workspaceMemory: Memory;
}

/** The place of a resource in a list. What the service said of it is in the memory of answers. */
interface Place {
  readonly id: string;
}

/**
 * The order, pages and filters of the deployments of the current connection, and of the revisions of opened ones.
 * Views read this store and listen for changes; they never call the service themselves.
 */
export class Deployments {
  readonly #dependencies: DeploymentsDependencies;
  readonly filters: StoredFilters;
  readonly #changed = new Emitter<DeploymentsChange>();
  readonly #subscriptions: readonly Disposable[];
  readonly #deployments: ListStore<Place>;
  readonly #revisions: ListStore<Place>;
  readonly #opened = new Set<string>();
  #isLoading = false;
  /** The ids on the pages of the last load, which the list may not have yet. */
  #received: readonly string[] = [];
  /** The state of the list with its records, as of a version of the answers. */
  #resolved: { readonly of: unknown; readonly version: number; readonly state: PagedListState<Deployment> } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: DeploymentsDependencies) {
    this.#dependencies = dependencies;
    const { answers, connections, clock, workspaceMemory } = dependencies;
    this.filters = new StoredFilters(connections, workspaceMemory);
    // Subscribed before the lists, which say that they have changed: nothing of the old connection may be left then.
    const opened = connections.onDidChange(() => this.#opened.clear());
    const options = { ...dependencies, outlives: answers.onDidDrop };
    this.#revisions = new ListStore<Place>({
      ...options,
      fetchPage: (client, query, signal, deploymentId) => this.#fetchRevisions(client, query, signal, deploymentId),
    });
    this.#deployments = new ListStore<Place>({
      ...options,
      fetchPage: async (client, query, signal) => {
        const { connection } = this;
        const askedAt = clock.monotonic();
        const page = await client.deployments.list({ ...this.filter, ...query }, { signal });
        const times = { askedAt, receivedAt: clock.monotonic() };
        if (signal.aborted) return page;
        const records = readableEntries(page.resources);
        // The list itself says when it has changed.
        if (query.offset === 0) this.#received = [];
        this.#received = [...this.#received, ...records.map(({ id }) => id)];
        this.#hold();
        this.#isLoading = true;
        answers.put(...records.map((record) => ({ connection, deploymentId: record.id, record, ...times })));
        this.#isLoading = false;
        return placesOf(page);
      },
    });
    this.#subscriptions = [
      opened,
      this.#revisions.onDidChange((deploymentId) => {
        if (deploymentId === '') return;
        this.#hold();
        this.#changed.fire({ kind: 'deployment', deploymentId });
      }),
      this.#deployments.onDidChange(() => {
        this.#hold();
        this.#changed.fire({ kind: 'list' });
      }),
      answers.onDidChange(({ connection, deploymentIds }) => {
        if (connection !== this.connection || this.#isLoading) return;
        for (const deploymentId of deploymentIds) this.#showAnswer(deploymentId);
      }),
    ];
  }

  /** The name of the current connection; empty without one. */
  get connection(): string {
    return connectionNameOf(this.#dependencies.connections.session);
  }

  get state(): PagedListState<Deployment> {
    const { answers } = this.#dependencies;
    const of = this.#deployments.of().state;
    if (this.#resolved?.of !== of || this.#resolved.version !== answers.version) {
      const entries = this.#read(of.entries, (id) => answers.record(this.connection, id));
      this.#resolved = { of, version: answers.version, state: { ...of, entries } };
    }
    return this.#resolved.state;
  }

  get filter(): DeploymentFilter {
    return this.filters.deployments;
  }

  /** The newest record of a deployment of the current connection, listed or not. */
  find(deploymentId: string): Deployment | undefined {
    return this.#dependencies.answers.record(this.connection, deploymentId);
  }

  isListed(deploymentId: string): boolean {
    return this.#deployments.of().find(deploymentId) !== undefined && this.find(deploymentId) !== undefined;
  }

  /** The last answer about a revision of the current connection, from any request. */
  revision(revisionId: string | undefined): Revision | undefined {
    return this.#dependencies.answers.revision(this.connection, revisionId);
  }

  /** What is known of a deployment of the current connection and of one of its revisions, by default the latest. */
  observe(deploymentId: string, revisionId?: string): Observed {
    return this.#dependencies.answers.observe(this.connection, deploymentId, revisionId);
  }

  /** The loaded revisions that match; statuses are filtered here too, because not every service filters. */
  revisionsOf(deploymentId: string): ShownRevisions {
    const state = this.#revisionsOf(deploymentId);
    if (!this.filters.hidesRevisions) return { ...state, hidden: 0, noneFits: false };
    const { status: statuses } = this.filters.revisions;
    const entries = state.entries.filter(
      (entry) => isUnreadable(entry) || statuses.length === 0 || statuses.includes(statusOf(entry)),
    );
    const noneFits = entries.length === 0 && state.loadedAt !== undefined && state.error === undefined;
    return { ...state, entries, hidden: state.entries.length - entries.length, noneFits };
  }

  /**
   * The newest revisions, newest first, including those hidden by the filter.
   * A service that filters doesn't send the hidden ones to the list, so they may be requested here.
   */
  async newestRevisions(deploymentId: string, signal: AbortSignal): Promise<readonly Revision[]> {
    const { entries, hasMore, loadedAt } = this.#revisionsOf(deploymentId);
    const loaded = readableEntries(entries);
    if (loadedAt !== undefined && !hasMore && !this.filters.hidesRevisions) return loaded;
    // The connection may change while its client is awaited.
    const id = { connection: this.connection, deploymentId };
    const client = await clientOf(this.#dependencies.connections);
    const newest = await this.#askForRevisions(client, id, { limit: MAX_PAGE_SIZE, offset: 0 }, signal);
    const known = readableEntries(newest.resources);
    const ids = new Set(known.map(({ id }) => id));
    return [...known, ...loaded.filter(({ id }) => !ids.has(id))];
  }

  /** The revision before another one; undefined if none is known. */
  async revisionBefore(deploymentId: string, revisionId: string, signal: AbortSignal): Promise<Revision | undefined> {
    const known = await this.newestRevisions(deploymentId, signal);
    const offset = known.findIndex(({ id }) => id === revisionId) + 1;
    if (offset === 0 || offset < known.length) return offset === 0 ? undefined : known[offset];
    const id = { connection: this.connection, deploymentId };
    const client = await clientOf(this.#dependencies.connections);
    const { resources } = await this.#askForRevisions(client, id, { limit: 1, offset }, signal);
    return readableEntries(resources)[0];
  }

  /** Loads the list unless it was requested before, or again if that was before another connection. */
  async load(): Promise<void> {
    await this.#deployments.of().load();
  }

  /** Reloads the list and the revisions of opened deployments. Closed ones load theirs when they are opened. */
  async refresh(): Promise<void> {
    await Promise.all([this.#deployments.of().refresh(), this.#refreshOpened()]);
  }

  async loadMore(): Promise<void> {
    await this.#deployments.of().loadMore();
  }

  /** Loads the revisions of an opened deployment, unless they were requested before. */
  async openRevisions(deploymentId: string): Promise<void> {
    this.#opened.add(deploymentId);
    await this.#revisions.of(deploymentId).load();
  }

  /** Excludes the revisions of a closed deployment from the next refresh. */
  closeRevisions(deploymentId: string): void {
    this.#opened.delete(deploymentId);
  }

  async loadRevisions(deploymentId: string): Promise<void> {
    await this.#revisions.of(deploymentId).refresh();
  }

  async loadMoreRevisions(deploymentId: string): Promise<void> {
    await this.#revisions.of(deploymentId).loadMore();
  }

  /**
   * Sets and remembers the filter, then loads the list from its start.
   * The entries of the old filter stay until the service answers, and also if it fails.
   */
  async setFilter(filter: DeploymentFilter): Promise<void> {
    await Promise.all([this.filters.setDeployments(filter), this.#deployments.of().restart()]);
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

  /** Puts a deployment at the top of the list, because it is new. */
  add(deploymentId: string): void {
    this.#deployments.of().put({ id: deploymentId });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#deployments.dispose();
    this.#revisions.dispose();
    this.#changed.dispose();
  }

  #revisionsOf(deploymentId: string): PagedListState<Revision> {
    const state = this.#revisions.of(deploymentId).state;
    return { ...state, entries: this.#read(state.entries, (id) => this.revision(id)) };
  }

  #read<T>(places: readonly ListEntry<Place>[], read: (id: string) => T | undefined): readonly ListEntry<T>[] {
    return places.flatMap((place) => {
      const said = isUnreadable(place) ? place : read(place.id);
      return said === undefined ? [] : [said];
    });
  }

  /** Has the memory keep everything that the lists show, however much that is. */
  #hold(): void {
    const records = readableEntries(this.state.entries);
    const opened = this.#revisions.owners.flatMap((id) => this.#revisions.of(id).state.entries);
    const ids = [
      ...records.flatMap((record) => [record.id, record.active_revision_id, record.latest_revision_id]),
      ...opened.map(({ id }) => id),
      ...this.#received,
    ];
    this.#dependencies.answers.hold(
      `list of ${this.connection}`,
      ids.filter((id) => id !== undefined),
    );
  }

  /** Shows an answer, and the latest revision first in its list. A deployment that is gone leaves the list. */
  #showAnswer(deploymentId: string): void {
    if (this.#dependencies.answers.goneAt(this.connection, deploymentId) !== undefined) {
      this.#changed.fire({ kind: 'list' });
      return;
    }
    const isOpened = this.#revisions.owners.includes(deploymentId);
    const { entries, loadedAt, loading } = isOpened ? this.#revisions.of(deploymentId).state : noEntries;
    const { revisionId = '', revision } = this.observe(deploymentId);
    // A first load that is running may be older than this answer, so put the revision then too.
    const isLoaded = loadedAt !== undefined || loading;
    if (isLoaded && revision !== undefined && entries.every(({ id }) => id !== revisionId)) {
      this.#revisions.of(deploymentId).put({ id: revisionId });
    } else this.#changed.fire({ kind: 'deployment', deploymentId });
  }

  async #refreshOpened(): Promise<void> {
    const { owners } = this.#revisions;
    const isShown = (id: string): boolean => this.#opened.has(id) && this.find(id) !== undefined;
    for (const id of owners) if (!isShown(id)) this.#revisions.drop(id);
    await Promise.all(owners.filter(isShown).map((id) => this.#revisions.of(id).refresh()));
  }

  async #fetchRevisions(
    client: Client,
    query: PageQuery,
    signal: AbortSignal,
    deploymentId: string,
  ): Promise<Page<Place>> {
    const id = { connection: this.connection, deploymentId };
    return placesOf(await this.#askForRevisions(client, id, { ...query, ...this.filters.revisions }, signal));
  }

  async #askForRevisions(
    client: Client,
    { connection, deploymentId }: DeploymentId,
    { status = [], ...query }: PageQuery & Partial<RevisionFilter>,
    signal: AbortSignal,
  ): Promise<Page<Revision>> {
    const { answers, clock } = this.#dependencies;
    const askedAt = clock.monotonic();
    const statuses = status.length > 0 ? status.join(',') : undefined;
    const page = await client.revisions.list(deploymentId, { ...query, status: statuses }, { signal });
    if (signal.aborted) return page;
    const times = { askedAt, receivedAt: clock.monotonic() };
    const revisions = readableEntries(page.resources);
    answers.put(...revisions.map((revision) => ({ connection, deploymentId, revision, ...times })));
    const isNewest = query.offset === 0 && statuses === undefined && query.remote_reconciled === undefined;
    const latest = answers.record(connection, deploymentId)?.latest_revision_id;
    const [newest] = revisions;
    if (!isNewest || latest === undefined || newest === undefined || newest.id === latest) return page;
    // The record is older than the newest revision, and may name the wrong live one. If the request fails, it stays.
    await askRecord({ answers, clock }, client, { connection, deploymentId }, { signal }).catch(() => undefined);
    return page;
  }
}

const noEntries: PagedListState<Place> = { entries: [], hasMore: false, loading: false };

function placesOf({ resources, offset }: Page<Place>): Page<Place> {
  return { resources: resources.map((entry) => (isUnreadable(entry) ? entry : { id: entry.id })), offset };
}
