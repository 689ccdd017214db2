import type { Deployment } from '../../api/resources/deployments.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { settlingMilliseconds } from '../../core/status/pollDelay.ts';
import type { Answers } from '../answers/answers.ts';
import type { Clock } from '../clock.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import { refusalIn } from '../following/poll.ts';
import type { Attention, Scheduler } from '../following/scheduler.ts';
import type { Deployments } from '../lists/deployments.ts';
import { clientOf, type PresentConnection } from '../lists/listStore.ts';
import { readableEntries, type ListEntry } from '../lists/pagedList.ts';
import { readTexts, type Memory } from '../memory.ts';
import type { DeploymentsFound, searchDeployments, SearchedRepository } from './searchDeployments.ts';

/** Whether the workspace's own deployments are followed. */
export interface WorkspaceFollowing {
  isOn(): boolean;
  readonly onDidChange: (listener: () => void) => Disposable;
}

interface OwnDeploymentsDependencies {
  readonly connections: PresentConnection;
  readonly answers: Answers;
  readonly deployments: Pick<Deployments, 'connection' | 'state' | 'filter' | 'isListed' | 'onDidChange'>;
  readonly workspaceMemory: Memory;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly scheduler: Scheduler;
  /** The open repositories; none in Restricted Mode. */
  readonly repositories: () => Promise<readonly SearchedRepository[]>;
  readonly search: typeof searchDeployments;
  /** Without it, remembered deployments are requested only while the list is visible. */
  readonly following: WorkspaceFollowing;
  readonly log: { debug(message: string, error: unknown): void };
}

const millisecondsUntilOld = 60_000;
const millisecondsOnReturn = 2000;

/**
 * Finds the deployments of the open repositories on the service, also those that the list doesn't contain.
 * Remembered ones are requested once a minute, with one call, while the window has the focus. Others are searched for
 * once while the list is visible.
 */
export class OwnDeployments {
  readonly #dependencies: OwnDeploymentsDependencies;
  readonly #subscriptions: readonly Disposable[];
  /** When the remembered deployments were last requested, in monotonic time. */
  #askedAt = -Infinity;
  #isAsking = false;
  /** Ends the requests once another connection counts: they would delay its own. */
  #requests = new AbortController();
  /** The user came back, and others may have deployed meanwhile. */
  #isReturning = false;
  /** The key was refused or the local service is stopped, so nothing is asked until that may have changed. */
  #isRefused = false;
  /** The last search, and what it was for. */
  #search: { readonly key: string; readonly done: Promise<void> } | undefined;
  #hasFailed = false;
  #results: readonly DeploymentsFound[] = [];
  /** Those that were found besides the remembered ones. */
  readonly #others = new Set<string>();
  #foundAt = -Infinity;
  readonly #found = new Emitter<void>();

  /** Fires when their records arrived. */
  readonly onDidFind = this.#found.event;

  constructor(dependencies: OwnDeploymentsDependencies) {
    this.#dependencies = dependencies;
    const { connections, deployments, following, scheduler } = dependencies;
    this.#subscriptions = [
      following.onDidChange(() => scheduler.schedule()),
      connections.onDidChange(() => this.#restart()),
      deployments.onDidChange(({ kind }) => {
        if (kind === 'list') this.#update();
      }),
      scheduler.onDidChangeAttention((before) => this.#adapt(before)),
      scheduler.add({ dueAt: () => this.#dueAt(), run: () => void this.#ask() }),
    ];
    this.#hold();
  }

  /** Where the last search stopped, for each open repository. */
  get results(): readonly DeploymentsFound[] {
    return this.#results;
  }

  /** When their records last arrived, in monotonic time. */
  get foundAt(): number {
    return this.#foundAt;
  }

  /** All known records of the connection: the listed ones, then those that are the workspace's own, or may be. */
  get candidates(): readonly Deployment[] {
    const { answers, deployments } = this.#dependencies;
    const others = [...new Set([...this.remembered, ...this.#others])].filter((id) => !deployments.isListed(id));
    return [
      ...readableEntries(deployments.state.entries),
      ...others.flatMap((id) => answers.record(deployments.connection, id) ?? []),
    ];
  }

  /** Takes records that a search found. `askedAt` is in monotonic time. */
  add(records: readonly Deployment[], askedAt: number): void {
    for (const { id } of records) this.#others.add(id);
    this.#put(records, askedAt);
  }

  /** Asks again after a refusal, because a key or a connection may have changed, or the local service is started. */
  retry(): void {
    this.#isRefused = false;
    this.#dependencies.scheduler.schedule();
  }

  /** Remembers the deployments that belong to open repositories, and forgets known ones that don't. */
  remember(own: readonly string[]): void {
    const { answers, deployments } = this.#dependencies;
    const { connection } = deployments;
    const isUnknown = (id: string): boolean =>
      answers.record(connection, id) === undefined && answers.goneAt(connection, id) === undefined;
    const unknown = this.remembered.filter(isUnknown);
    const next = [...new Set([...own, ...unknown])].slice(0, MAX_PAGE_SIZE);
    this.#store(next);
    // Git may have opened another repository.
    this.#update();
  }

  /** Searches the service for deployments of the open repositories, once unless it's done again at the user's request. */
  async search({ again = false } = {}): Promise<void> {
    const { connections, repositories } = this.#dependencies;
    const { session } = connections;
    const searched = await repositories();
    if (session.kind !== 'ready' || session !== connections.session) return;
    const key = JSON.stringify([session.connection.name, searched.map(({ usualNames }) => usualNames)]);
    if (again || this.#search?.key !== key) this.#search = { key, done: this.#searchFor(searched) };
    await this.#search?.done;
  }

  dispose(): void {
    this.#requests.abort();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#found.dispose();
  }

  get #slot(): string {
    return slotOfConnection('ownDeployments', this.#dependencies.connections.session);
  }

  /** The ids of those that matched when the service was last asked. */
  get remembered(): readonly string[] {
    return readTexts(this.#dependencies.workspaceMemory, this.#slot);
  }

  #store(own: readonly string[]): void {
    const { workspaceMemory } = this.#dependencies;
    if (JSON.stringify(own) !== JSON.stringify(this.remembered)) void workspaceMemory.update(this.#slot, own);
    this.#hold();
  }

  /** Has the memory keep the answers about them, also for the next window. */
  #hold(): void {
    const { answers, deployments } = this.#dependencies;
    answers.hold(`own of ${deployments.connection}`, this.remembered);
  }

  #restart(): void {
    this.#requests.abort();
    this.#requests = new AbortController();
    this.#isAsking = false;
    this.#askedAt = -Infinity;
    this.#isRefused = false;
    this.#search = undefined;
    this.#results = [];
    this.#others.clear();
    this.#hold();
    this.#update();
  }

  #adapt(before: Attention): void {
    const { focused, visible } = this.#dependencies.scheduler.attention;
    if (focused && !before.focused) this.#isReturning = true;
    if (visible && !before.visible && this.#hasFailed) this.#search = undefined;
    this.#update();
  }

  #update(): void {
    // A search before the first answer could find only what the list is about to have.
    const { deployments, scheduler } = this.#dependencies;
    if (scheduler.attention.visible && deployments.state.loadedAt !== undefined) void this.search();
    scheduler.schedule();
  }

  /** When the remembered deployments are requested next; `Infinity` while nobody looks or the list has them all. */
  #dueAt(): number {
    const { connections, deployments, following, scheduler } = this.#dependencies;
    const { focused, visible } = scheduler.attention;
    const isWanted = focused && (visible || following.isOn()) && connections.session.kind === 'ready';
    if (!isWanted || this.#isAsking || this.#isRefused || this.#asked.length === 0) return Infinity;
    const { loadedAt, error } = deployments.state;
    // The list may have them when its first answer comes.
    if (visible && loadedAt === undefined && error === undefined) return Infinity;
    return this.#askedAt + (this.#isReturning ? millisecondsOnReturn : millisecondsUntilOld);
  }

  /** The remembered deployments that aren't requested with the visible list. */
  get #asked(): readonly string[] {
    const { deployments, scheduler } = this.#dependencies;
    return this.remembered.filter((id) => !scheduler.attention.visible || !deployments.isListed(id));
  }

  async #ask(): Promise<void> {
    const { connections, clock, log } = this.#dependencies;
    const { signal } = this.#requests;
    const asked = this.#asked;
    const askedAt = clock.monotonic();
    this.#askedAt = askedAt;
    this.#isAsking = true;
    this.#isReturning = false;
    try {
      const client = await clientOf(connections);
      const query = { deployment_ids: asked.join(','), limit: MAX_PAGE_SIZE };
      const { resources } = await client.deployments.list(query, { signal });
      if (signal.aborted) return;
      this.#apply(asked, resources, askedAt);
    } catch (error) {
      if (signal.aborted) return;
      this.#isRefused = refusalIn(error) !== undefined;
      log.debug('The deployments of this workspace cannot be read.', error);
    }
    this.#isAsking = false;
    this.#dependencies.scheduler.schedule();
  }

  #apply(asked: readonly string[], entries: readonly ListEntry<Deployment>[], askedAt: number): void {
    const found = readableEntries(entries).filter(({ id }) => asked.includes(id));
    // A service without this filter sends others, which says nothing about the missing ones.
    const isFiltered = entries.every(({ id }) => id !== undefined && asked.includes(id));
    const missing = isFiltered ? asked.filter((id) => entries.every((entry) => entry.id !== id)) : [];
    const { answers, deployments } = this.#dependencies;
    const { connection } = deployments;
    // A new deployment may not be listed yet.
    for (const deploymentId of missing) answers.remove({ connection, deploymentId, askedAt }, settlingMilliseconds);
    const gone = missing.filter((id) => answers.goneAt(connection, id) !== undefined);
    this.#store(this.remembered.filter((id) => !gone.includes(id)));
    for (const id of gone) this.#others.delete(id);
    this.#put(found, askedAt);
  }

  #put(records: readonly Deployment[], askedAt: number): void {
    const { answers, clock, deployments } = this.#dependencies;
    const { connection } = deployments;
    this.#foundAt = clock.monotonic();
    const times = { askedAt, receivedAt: this.#foundAt };
    answers.put(...records.map((record) => ({ connection, deploymentId: record.id, record, ...times })));
    this.#found.fire();
  }

  async #searchFor(repositories: readonly SearchedRepository[]): Promise<void> {
    const { connections, clock, deployments, search, log } = this.#dependencies;
    const { signal } = this.#requests;
    const { hasMore, loadedAt } = deployments.state;
    const isWhole = loadedAt !== undefined && !hasMore && Object.keys(deployments.filter).length === 0;
    this.#hasFailed = false;
    try {
      const results: DeploymentsFound[] = [];
      // A whole list has them already.
      for (const repository of isWhole ? [] : repositories) {
        const client = await clientOf(connections);
        const askedAt = clock.monotonic();
        const result = await search(client, { ...repository, loaded: [] }, { signal });
        if (signal.aborted) return;
        results.push(result);
        this.add(result.deployments, askedAt);
      }
      this.#results = results;
    } catch (error) {
      if (signal.aborted) return;
      this.#hasFailed = true;
      // The list itself tells what's wrong with the service.
      log.debug('The deployments of this workspace cannot be searched for.', error);
    }
  }
}
