import type { Deployment } from '../../api/resources/deployments.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import type { Clock } from '../clock.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { DeploymentsFound, SearchedRepository } from '../deploying/searchDeployments.ts';
import type { Disposable } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import { clientOf, type PresentConnection } from '../lists/listStore.ts';
import { readableEntries, type ListEntry } from '../lists/pagedList.ts';
import { readTexts, type Memory } from '../memory.ts';
import { refusalIn } from './polledRevision.ts';
import type { Attention, Scheduler } from './scheduler.ts';

/** Whether the workspace's own deployments are followed. */
export interface WorkspaceFollowing {
  isOn(): boolean;
  readonly onDidChange: (listener: () => void) => Disposable;
}

export interface OwnDeploymentsDependencies {
  readonly connections: PresentConnection;
  readonly deployments: Pick<Deployments, 'state' | 'filter' | 'find' | 'listed' | 'keep' | 'hold' | 'onDidChange'>;
  readonly workspaceMemory: Memory;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly scheduler: Scheduler;
  /** The open repositories; none in Restricted Mode. */
  readonly repositories: () => Promise<readonly SearchedRepository[]>;
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

  constructor(dependencies: OwnDeploymentsDependencies) {
    this.#dependencies = dependencies;
    const { connections, deployments, following, scheduler } = dependencies;
    this.#subscriptions = [
      following.onDidChange(() => scheduler.schedule()),
      connections.onDidChange(() => this.#restart()),
      deployments.onDidChange(({ kind }) => {
        if (kind === 'list') this.#look();
      }),
      scheduler.onDidChangeAttention((before) => this.#adapt(before)),
      scheduler.add({ dueAt: () => this.#dueAt(), run: () => void this.#ask() }),
    ];
  }

  /** Where the last search stopped, for each open repository. */
  get results(): readonly DeploymentsFound[] {
    return this.#results;
  }

  /** Asks again after a refusal, because a key or a connection may have changed, or the local service is started. */
  retry(): void {
    this.#isRefused = false;
    this.#dependencies.scheduler.schedule();
  }

  /** Remembers the deployments that belong to open repositories, and forgets known ones that don't. */
  remember(own: readonly string[]): void {
    const { deployments, workspaceMemory } = this.#dependencies;
    deployments.hold(own);
    const unknown = this.remembered.filter((id) => deployments.find(id) === undefined);
    const next = [...new Set([...own, ...unknown])].slice(0, MAX_PAGE_SIZE);
    if (JSON.stringify(next) !== JSON.stringify(this.remembered)) void workspaceMemory.update(this.#slot, next);
    // Git may have opened another repository.
    this.#look();
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
  }

  get #slot(): string {
    return slotOfConnection('ownDeployments', this.#dependencies.connections.session);
  }

  /** The ids of those that matched when the service was last asked. */
  get remembered(): readonly string[] {
    return readTexts(this.#dependencies.workspaceMemory, this.#slot);
  }

  #restart(): void {
    this.#requests.abort();
    this.#requests = new AbortController();
    this.#isAsking = false;
    this.#askedAt = -Infinity;
    this.#isRefused = false;
    this.#search = undefined;
    this.#results = [];
    this.#look();
  }

  #adapt(before: Attention): void {
    const { focused, visible } = this.#dependencies.scheduler.attention;
    if (focused && !before.focused) this.#isReturning = true;
    if (visible && !before.visible && this.#hasFailed) this.#search = undefined;
    this.#look();
  }

  #look(): void {
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
    return this.remembered.filter((id) => !scheduler.attention.visible || deployments.listed(id) === undefined);
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
      this.#take(asked, resources, askedAt);
    } catch (error) {
      if (signal.aborted) return;
      this.#isRefused = refusalIn(error) !== undefined;
      log.debug('The deployments of this workspace cannot be read.', error);
    }
    this.#isAsking = false;
    this.#dependencies.scheduler.schedule();
  }

  #take(asked: readonly string[], entries: readonly ListEntry<Deployment>[], askedAt: number): void {
    const { deployments, workspaceMemory } = this.#dependencies;
    const found = readableEntries(entries).filter(({ id }) => asked.includes(id));
    // A service without this filter sends others, which says nothing about the missing ones.
    const isFiltered = entries.every(({ id }) => id !== undefined && asked.includes(id));
    const gone = isFiltered ? asked.filter((id) => entries.every((entry) => entry.id !== id)) : [];
    const kept = this.remembered.filter((id) => !gone.includes(id));
    if (gone.length > 0) void workspaceMemory.update(this.#slot, kept);
    deployments.keep(found, { gone, askedAt });
  }

  async #searchFor(repositories: readonly SearchedRepository[]): Promise<void> {
    const { signal } = this.#requests;
    this.#hasFailed = false;
    try {
      // Loaded with the first search, to keep the start of VS Code fast.
      const { searchRepositories } = await import('../deploying/searchDeployments.ts');
      const results = await searchRepositories(this.#dependencies, repositories, { signal });
      if (!signal.aborted) this.#results = results;
    } catch (error) {
      if (signal.aborted) return;
      this.#hasFailed = true;
      // The list itself tells what's wrong with the service.
      this.#dependencies.log.debug('The deployments of this workspace cannot be searched for.', error);
    }
  }
}
