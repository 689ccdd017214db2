import { createClient, type Client } from '../../src/api/client.ts';
import type { ServiceConnection } from '../../src/state/connections/connection.ts';
import { localConnection, RemovedConnectionError } from '../../src/state/connections/connection.ts';
import type { Rename } from '../../src/state/connections/connectionMemory.ts';
import { StoppedServiceError } from '../../src/state/connections/localService.ts';
import type { Session } from '../../src/state/connections/session.ts';
import { Emitter, type Disposable } from '../../src/state/emitter.ts';
import { Activity } from '../../src/state/following/activity/activity.ts';
import type { ActivityFile } from '../../src/state/following/activity/activityFile.ts';
import { Follower, type Followed } from '../../src/state/following/follower.ts';
import { followOwn } from '../../src/state/following/followOwn.ts';
import { gatherEndings } from '../../src/state/following/gatherEndings.ts';
import { OwnDeployments } from '../../src/state/following/ownDeployments.ts';
import type { RevisionId } from '../../src/state/following/polledRevision.ts';
import { Scheduler, type Attention } from '../../src/state/following/scheduler.ts';
import { Poller } from '../../src/state/following/poller.ts';
import { recordActivity } from '../../src/state/following/activity/recordActivity.ts';
import { Deployments } from '../../src/state/lists/deployments.ts';
import type { Memory } from '../../src/state/memory.ts';
import { connectStores } from '../../src/state/wiring.ts';
import type { Network } from './network.ts';
import { OwnWorkspace, type OwnTruth } from './ownWorkspace.ts';
import type { ServiceModel } from './serviceModel.ts';
import type { DrawnBar } from './surfaces.ts';
import { SimulatedClock, type Machine } from './simulatedTime.ts';
import { InMemorySecrets } from '../support/editorStorage.ts';

/** One call of the client, in true time. A call that is under way has not ended. */
interface Call {
  readonly began: number;
  ended: number;
}

export interface Settings {
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
  readonly giveUpMilliseconds: number;
}

export interface WindowOptions {
  readonly network: Network;
  /** The configured connections: the services by name. All windows share them. */
  readonly configured: ReadonlyMap<string, ServiceModel>;
  readonly present: string;
  readonly memory: Memory;
  readonly settings: Settings;
  /** All windows of the machine write to it. */
  readonly activity: ActivityFile;
  /** Without it, the workspace's own deployments aren't followed. */
  readonly own?: OwnTruth;
  readonly onEnd: (followed: Followed, window: SimulatedWindow) => void;
  /** A message tells the endings. */
  readonly onTell?: (followed: readonly Followed[]) => void;
  /** The window follows an own deployment that moves. */
  readonly onFollowOwn?: (id: RevisionId, window: SimulatedWindow) => void;
}

/** The stores of a window as the extension connects them. Only the transport and the clock are simulated. */
export class SimulatedWindow {
  readonly clock: SimulatedClock;
  readonly connections: { readonly session: Session };
  /** As this window knows it. */
  readonly localService: { isStopped: boolean };
  readonly deployments: Deployments;
  readonly poller: Poller;
  readonly scheduler: Scheduler;
  readonly follower: Follower;
  readonly ownDeployments: OwnDeployments;
  readonly workspace: OwnWorkspace;
  readonly activity: Activity;
  /** The endings that no message has told yet. */
  untold: readonly Followed[] = [];
  /** The revisions that the person stopped following or dismissed, and those that were given up. */
  readonly left = new Set<string>();
  /** The paths of all requests that were sent, with the true time. */
  readonly requests: { readonly at: number; readonly path: string }[] = [];
  readonly memory: Memory;
  /** When it learned last whether the local service is stopped: also when it is opened. */
  heardAt: number;
  /** What its status bar shows. */
  bar: DrawnBar = { words: undefined, at: 0, focused: false };
  /** When its words were read last. */
  readAt = 0;
  /** When the followed revision of each deployment was created: a follow only goes on to newer ones. */
  readonly newest = new Map<string, number>();
  attention: Attention = { focused: false, visible: false };
  readonly #options: WindowOptions;
  readonly #rules: readonly Disposable[];
  /** What runs beside the scheduler: the message about endings, and git. */
  readonly #sideClock: SimulatedClock;
  readonly #changed = new Emitter<Session>();
  readonly #read = new Emitter<void>();
  readonly #renamed = new Emitter<Rename>();
  readonly #stopped = new Emitter<void>();
  readonly #clients = new Map<ServiceModel, { readonly client: Client; readonly running: () => number }>();
  readonly #calls: Call[] = [];
  #dirty = new Set<string>();
  #session: Session;

  constructor(options: WindowOptions) {
    this.#options = options;
    const { network, memory } = options;
    this.memory = memory;
    const clock = new SimulatedClock(network.machine);
    this.clock = clock;
    this.heardAt = network.machine.time.now;
    this.localService = { isStopped: this.serviceOf(localConnection.name)?.isStopped === true };
    this.#session = this.#sessionOf(options.present);
    const session = (): Session => this.#session;
    const connections = {
      get session() {
        return session();
      },
      onDidChange: this.#changed.event,
      onDidRead: this.#read.event,
      onDidRename: this.#renamed.event,
      clientNamed: async (name: string) => this.#clientNamed(name),
      find: (name: string) => (options.configured.has(name) ? { ...localConnection } : undefined),
      isNameTaken: (name: string) => options.configured.has(name),
    };
    this.connections = connections;
    const settings = () => options.settings;
    this.deployments = new Deployments({ connections, workspaceMemory: memory, pageSize: () => 20, clock });
    const { deployments } = this;
    this.scheduler = new Scheduler(clock);
    const { scheduler } = this;
    this.poller = new Poller({ connections, deployments, settings, clock, scheduler });
    const { poller } = this;
    this.follower = new Follower({ poller, settings, workspaceMemory: memory, clock });
    this.activity = new Activity({ file: options.activity, clock, log: { warn: () => undefined } });
    const { follower } = this;
    this.#sideClock = new SimulatedClock(network.machine);
    const following = { isOn: () => options.own !== undefined, onDidChange: new Emitter<void>().event };
    this.ownDeployments = new OwnDeployments({
      connections,
      deployments,
      workspaceMemory: memory,
      clock,
      scheduler,
      repositories: async () => [],
      following,
      log: { debug: () => undefined },
    });
    const { ownDeployments } = this;
    this.workspace = new OwnWorkspace(options.own, deployments, ownDeployments, this.#sideClock);
    connections.onDidChange(() => this.workspace.forget());
    const stores = { deployments, follower, poller, connections, clock, activity: this.activity };
    this.#rules = [
      connectStores({
        ...stores,
        localService: { onDidChange: this.#stopped.event },
        ownDeployments,
        secrets: new InMemorySecrets(),
      }),
      recordActivity({ ...stores, workspaceDrift: { wasPushedHere: async () => true } }),
      gatherEndings(
        {
          follower: {
            onDidEnd: follower.onDidEnd,
            find: (...id) => follower.find(...id),
            forgetEnded: async () => {
              this.untold = [];
              await follower.forgetEnded();
            },
          },
          clock: this.#sideClock,
        },
        (ended) => options.onTell?.(ended),
      ),
      followOwn({
        ...stores,
        ownDeployments,
        follower: {
          find: (...id) => follower.find(...id),
          get followed() {
            return follower.followed;
          },
          onDidChange: follower.onDidChange,
          follow: async (id, known) => {
            options.onFollowOwn?.(id, this);
            await follower.follow(id, known);
          },
          present: (resting) => follower.present(resting),
          stop: (...id) => follower.stop(...id),
        },
        workspace: this.workspace,
        following,
      }),
    ];
    deployments.onDidChange((change) => this.#dirty.add(change.kind === 'list' ? 'list' : change.deploymentId));
    follower.onDidChange(() => this.#dirty.add('follows'));
    this.workspace.onDidMark(() => this.#dirty.add('follows'));
    follower.onDidEnd((followed) => {
      this.untold = [...this.untold, followed];
      if (followed.outcome === 'gaveUp') this.left.add(followed.revisionId);
      options.onEnd(followed, this);
    });
    scheduler.setAttention(this.attention);
    this.follower.resume();
  }

  /** The connection of this window; undefined without one. */
  get present(): string | undefined {
    return this.#session.kind === 'ready' ? this.#session.connection.name : undefined;
  }

  get service(): ServiceModel | undefined {
    return this.serviceOf(this.present ?? '');
  }

  serviceOf(connection: string): ServiceModel | undefined {
    return this.#options.configured.get(connection);
  }

  /** What is under way: requests and timers. */
  get running(): number {
    const timers = this.clock.pending + this.#sideClock.pending;
    return [...this.#clients.values()].reduce((sum, { running }) => sum + running(), timers);
  }

  get machine(): Machine {
    return this.#options.network.machine;
  }

  /** How many calls are under way, with their pauses before repetitions. */
  asking = 0;

  /** Whether the wall time was ever wrong. */
  get hasWrongTime(): boolean {
    return this.#options.network.machine.wasShifted;
  }

  /** Looks or looks away, as `ui/attention.ts` reports it. */
  look(attention: Partial<Attention>): void {
    this.attention = { ...this.attention, ...attention };
    this.scheduler.setAttention(this.attention);
    if (this.attention.focused) this.#read.fire();
    if (this.attention.visible && this.present !== undefined) void this.deployments.load();
  }

  select(name: string): void {
    this.#session = this.#sessionOf(name);
    this.#changed.fire(this.#session);
    this.#read.fire();
    if (this.attention.visible) void this.deployments.load();
  }

  /** Learns that somebody stopped or started the local service. */
  hearOfLocalService(): void {
    this.heardAt = this.#now;
    this.localService.isStopped = this.serviceOf(localConnection.name)?.isStopped === true;
    this.#stopped.fire();
    this.#dirty.add('follows');
  }

  /** Learns that the connections were changed. */
  readConnections(): void {
    if (this.present !== undefined && this.service === undefined) {
      this.#session = { kind: 'none' };
      this.#changed.fire(this.#session);
    }
    this.#read.fire();
  }

  /** Stops a follow or dismisses what is shown. */
  stop({ connection, deploymentId, revisionId }: RevisionId): void {
    this.left.add(revisionId);
    void this.follower.stop(connection, deploymentId);
  }

  rename(from: string, to: string): void {
    const isPresent = this.present === from;
    this.#renamed.fire({ from, to });
    if (isPresent) this.select(to);
    else this.#read.fire();
  }

  /** What has changed since the last call: deployments by id, the list, the follows. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#dirty;
    if (changed.size > 0) this.#dirty = new Set();
    return changed;
  }

  /** How long the longest call took that was under way at a true time, with what it repeated. */
  longestCallAt(at: number): number {
    let longest = 0;
    for (const { began, ended } of this.#calls) {
      if (began <= at + 1 && ended >= at - 1) longest = Math.max(longest, Math.min(ended, this.#now) - began);
    }
    return longest;
  }

  close(): void {
    this.ownDeployments.dispose();
    this.workspace.dispose();
    this.follower.dispose();
    this.poller.dispose();
    this.deployments.dispose();
    for (const rule of this.#rules) rule.dispose();
  }

  get #now(): number {
    return this.#options.network.machine.time.now;
  }

  #sessionOf(name: string): Session {
    const configured: ServiceConnection = {
      kind: 'service',
      name,
      baseUrl: 'https://service.test',
      flavor: 'standard',
    };
    const connection = name === localConnection.name ? localConnection : configured;
    return { kind: 'ready', connection, client: async () => this.#clientNamed(name) };
  }

  #clientNamed(name: string): Client {
    const service = this.serviceOf(name);
    if (service === undefined) throw new RemovedConnectionError(name);
    if (service.isStopped) throw new StoppedServiceError();
    const existing = this.#clients.get(service);
    if (existing !== undefined) return existing.client;
    const transport = this.#options.network.transportTo(service, (path) => {
      this.requests.push({ at: this.#now, path });
    });
    const client = createClient({
      baseUrl: 'https://service.test',
      auth: async () => 'key',
      transport,
      wait: (_milliseconds, signal) => this.#wait(signal),
    });
    const timed = this.#timed(client);
    this.#clients.set(service, { client: timed, running: transport.running });
    return timed;
  }

  /** The pause before a repetition, without the jitter that differs from run to run. */
  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#options.network.machine.time.plan(400, resolve);
      signal?.addEventListener('abort', () => {
        timer.dispose();
        reject(new Error('aborted'));
      });
    });
  }

  #timed(client: Client): Client {
    const { deployments, revisions } = client;
    return {
      ...client,
      deployments: {
        ...deployments,
        list: (query, options) => this.#time(deployments.list(query, options)),
        find: (id, options) => this.#time(deployments.find(id, options)),
      },
      revisions: {
        ...revisions,
        list: (id, query, options) => this.#time(revisions.list(id, query, options)),
        get: (id, revision, options) => this.#time(revisions.get(id, revision, options)),
      },
    };
  }

  #time<T>(answer: Promise<T>): Promise<T> {
    const call: Call = { began: this.#now, ended: Number.POSITIVE_INFINITY };
    this.#calls.push(call);
    this.asking += 1;
    return answer.finally(() => {
      call.ended = this.#now;
      this.asking -= 1;
    });
  }
}
