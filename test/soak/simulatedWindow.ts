import type { Deployment } from '../../src/api/resources/deployments.ts';
import type { RevisionId } from '../../src/state/answers/answers.ts';
import { localConnection } from '../../src/state/connections/connection.ts';
import type { Session } from '../../src/state/connections/session.ts';
import { Emitter, type Disposable, type Event } from '../../src/state/emitter.ts';
import { Activity } from '../../src/state/activity/activity.ts';
import type { ActivityFile } from '../../src/state/activity/activityFile.ts';
import { recordActivity } from '../../src/state/activity/recordActivity.ts';
import type { Followed, FollowSettings } from '../../src/state/following/follower.ts';
import { gatherEndings } from '../../src/state/following/gatherEndings.ts';
import type { PollSettings } from '../../src/state/following/poll.ts';
import {
  longestWait,
  PushedBuilds,
  type AwaitedBuild,
  type PushOutcome,
} from '../../src/state/following/pushedBuilds.ts';
import type { Attention } from '../../src/state/following/scheduler.ts';
import { ShownDeployments } from '../../src/state/following/shownDeployments.ts';
import { Agents } from '../../src/state/lists/agents.ts';
import { createListenerStore } from '../../src/state/lists/listStore.ts';
import { Repositories } from '../../src/state/lists/repositories.ts';
import type { Memory } from '../../src/state/memory.ts';
import { connectStores } from '../../src/state/wiring.ts';
import { WorkspaceDeployments } from '../../src/state/workspace/workspaceDeployments.ts';
import type { DocumentSubject } from '../../src/ui/window/documentPlace.ts';
import { updatedDocuments } from '../../src/ui/documents/documentUpdates.ts';
import { InMemorySecrets } from '../support/editorStorage.ts';
import { followingStores, type FollowingStores } from '../support/followingStores.ts';
import { TestConnections, work } from '../support/testConnections.ts';
import { Clients } from './clients.ts';
import { Editor } from './editor.ts';
import type { Network } from './network.ts';
import { OpenRepositories, type IsOwn } from './openRepositories.ts';
import type { ServiceModel } from './serviceModel.ts';
import { documentWriter, readDocument, shownEnding, type ShownEnding, type ShownPlace } from './shown.ts';
import type { DrawnBar } from './surfaces.ts';
import { SimulatedClock, type Machine } from './simulatedTime.ts';

export interface Settings extends PollSettings, FollowSettings {}

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
  readonly isOwn?: IsOwn;
  readonly onEnd: (ending: ShownEnding, window: SimulatedWindow) => void;
  /** A message tells the endings. */
  readonly onTell?: (endings: readonly ShownEnding[]) => void;
  /** The window follows an own deployment that moves. */
  readonly onFollowOwn?: (place: RevisionId, window: SimulatedWindow) => void;
  /** The window follows a build that a push started. */
  readonly onFollowPushed?: (place: RevisionId, window: SimulatedWindow) => void;
}

/** The stores that a window is made of. Only `shown.ts` reads them. */
interface Stores extends FollowingStores {
  readonly connections: TestConnections;
  /** As this window knows it. */
  readonly localService: { isStopped: boolean };
  readonly shown: ShownDeployments;
  readonly workspaceDeployments: WorkspaceDeployments;
  readonly activity: Activity;
  readonly clock: SimulatedClock;
}

/** The stores of a window as the extension connects them. Only the transport and the clock are simulated. */
export class SimulatedWindow {
  readonly clock: SimulatedClock;
  readonly stores: Stores;
  readonly onDidChangeFollows: Event<void>;
  readonly repositories: OpenRepositories;
  readonly clients: Clients;
  readonly editor: Editor;
  readonly #pushedBuilds: PushedBuilds;
  /** The endings that no message has told yet. */
  untold: readonly ShownEnding[] = [];
  /** The revisions that the person stopped following or dismissed, and those that were given up. */
  readonly left = new Set<string>();
  readonly memory: Memory;
  /** When it learned last whether the local service is stopped: also when it is opened. */
  heardAt: number;
  /** When its connection was changed last. */
  presentSince: number;
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
  readonly #read = new Emitter<void>();
  readonly #stopped = new Emitter<void>();
  /** When the window began to follow a revision, in true time. */
  readonly followedSince = new Map<string, number>();
  readonly #endings = new WeakMap<Followed, ShownEnding>();
  #dirty = new Set<string>();

  constructor(options: WindowOptions) {
    this.#options = options;
    const { network, memory } = options;
    this.memory = memory;
    const clock = new SimulatedClock(network.machine);
    this.clock = clock;
    this.clients = new Clients(network, options.configured);
    this.heardAt = network.machine.time.now;
    this.presentSince = network.machine.time.now;
    const named = async (name: string) => this.clients.named(name);
    const connections = Object.assign(new TestConnections(this.#sessionOf(options.present), named), {
      onDidRead: this.#read.event,
      find: (name: string) => (options.configured.has(name) ? localConnection : undefined),
      isNameTaken: (name: string) => options.configured.has(name),
    });
    const activity = new Activity({ file: options.activity, clock, log: { warn: () => undefined } });
    this.#sideClock = new SimulatedClock(network.machine);
    const following = { isOn: () => options.isOwn !== undefined, onDidChange: new Emitter<void>().event };
    const { settings } = options;
    const asking = followingStores({ connections, clock, workspaceMemory: memory, settings, following });
    const { answers, deployments, ownDeployments, scheduler, poller, follower, renamed } = asking;
    this.#pushedBuilds = new PushedBuilds({
      answers,
      poller,
      follower: {
        find: (...place) => follower.find(...place),
        follow: async (place) => {
          options.onFollowPushed?.(place, this);
          await follower.follow(place);
        },
      },
      workspaceMemory: memory,
      clock: this.#sideClock,
    });
    const workspaceDrift = { of: () => undefined, onDidChange: new Emitter<string>().event };
    const { documents, subscriptions } = updatedDocuments(
      {
        connections,
        answers,
        deployments,
        listeners: createListenerStore({ connections, pageSize: () => 20, clock }),
        repositories: new Repositories({ connections, clock }),
        agents: new Agents({ connections, workspaceMemory: memory, clock }),
        poller,
        clock,
        workspaceDrift,
      },
      {
        write: documentWriter({
          connections,
          capabilities: { has: () => true },
          answers,
          workspaceDrift,
          clock,
          workspaceMemory: memory,
        }),
        onChange: (key) => void this.editor.redraw(JSON.parse(key) as ShownPlace),
      },
    );
    this.editor = new Editor(
      {
        read: async (place) => readDocument(await documents.read(JSON.stringify(place), subjectOf(place))),
        setVisible: (places) => void documents.setVisible(new Set(places.map((place) => JSON.stringify(place)))),
        close: (place) => documents.close(JSON.stringify(place)),
      },
      () => this.#now,
      () => this.#dirty.add('documents'),
    );
    const workspaceDeployments = new WorkspaceDeployments({ connections, ownDeployments, workspaceMemory: memory });
    const readStores = { connections, ownDeployments, workspaceDeployments, clock: this.#sideClock };
    this.repositories = new OpenRepositories(options.isOwn, readStores);
    deployments.onDidChange(() => this.repositories.read());
    ownDeployments.onDidFind(() => this.repositories.read());
    const localService = { isStopped: this.serviceOf(localConnection.name)?.isStopped === true };
    const shown = new ShownDeployments({
      connections,
      answers,
      ownDeployments,
      follower: {
        find: (...id) => follower.find(...id),
        get followed() {
          return follower.followed;
        },
        onDidChange: follower.onDidChange,
        follow: async (id) => {
          options.onFollowOwn?.(id, this);
          await follower.follow(id);
        },
        stop: (...id) => follower.stop(...id),
      },
      poller,
      workspaceDeployments,
      localService,
      clock,
      following,
    });
    this.stores = { ...asking, connections, shown, activity, workspaceDeployments, clock, localService };
    this.onDidChangeFollows = shown.onDidChange;
    this.#rules = [
      ...subscriptions,
      connectStores({
        ...this.stores,
        connections: Object.assign(connections, { onDidRename: renamed.event }),
        pushedBuilds: this.#pushedBuilds,
        localService: { onDidChange: this.#stopped.event },
        secrets: new InMemorySecrets(),
      }),
      recordActivity({ ...this.stores, workspaceDrift: { wasPushedHere: async () => true } }),
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
        (ended) => options.onTell?.(ended.flatMap((each) => this.#endings.get(each) ?? [])),
      ),
      shown,
    ];
    deployments.onDidChange((change) => this.#dirty.add(change.kind === 'list' ? 'list' : change.deploymentId));
    shown.onDidChange(() => this.#dirty.add('follows'));
    follower.onDidChange(() => {
      const begun = follower.followed.map(({ revisionId }) => revisionId);
      for (const id of this.followedSince.keys()) if (!begun.includes(id)) this.followedSince.delete(id);
      for (const id of begun) if (!this.followedSince.has(id)) this.followedSince.set(id, this.#now);
    });
    follower.onDidEnd((followed) => {
      const ending = shownEnding(followed, this);
      this.#endings.set(followed, ending);
      this.untold = [...this.untold, ending];
      if (followed.outcome === 'gaveUp') this.left.add(followed.revisionId);
      options.onEnd(ending, this);
    });
    scheduler.setAttention(this.attention);
    follower.resume();
  }

  /** The connection of this window; undefined without one. */
  get present(): string | undefined {
    const { session } = this.stores.connections;
    return session.kind === 'ready' ? session.connection.name : undefined;
  }

  get service(): ServiceModel | undefined {
    return this.serviceOf(this.present ?? '');
  }

  get services(): readonly ServiceModel[] {
    return [...this.#options.configured.values()];
  }

  serviceOf(connection: string): ServiceModel | undefined {
    return this.#options.configured.get(connection);
  }

  /** What is under way: requests and timers. */
  get running(): number {
    return this.clock.pending + this.#sideClock.pending + this.clients.running;
  }

  get machine(): Machine {
    return this.#options.network.machine;
  }

  /** Whether the wall time was ever wrong. */
  get hasWrongTime(): boolean {
    return this.#options.network.machine.wasShifted;
  }

  /** Looks or looks away, as `ui/attention.ts` reports it. */
  look(attention: Partial<Attention>): void {
    this.attention = { ...this.attention, ...attention };
    this.stores.scheduler.setAttention(this.attention);
    if (this.attention.focused) this.#read.fire();
    if (this.attention.visible && this.present !== undefined) void this.stores.deployments.load();
  }

  select(name: string): void {
    this.presentSince = this.#now;
    this.stores.connections.connect(this.#sessionOf(name));
    this.#read.fire();
    if (this.attention.visible) void this.stores.deployments.load();
  }

  /** Learns that somebody stopped or started the local service. */
  hearOfLocalService(): void {
    this.heardAt = this.#now;
    this.stores.localService.isStopped = this.serviceOf(localConnection.name)?.isStopped === true;
    this.#stopped.fire();
    this.#dirty.add('follows');
  }

  /** Learns that the connections were changed, and which one was removed. */
  readConnections(removed?: string): void {
    if (removed !== undefined) this.stores.replaced.fire(removed);
    if (this.present !== undefined && this.service === undefined) this.stores.connections.connect({ kind: 'none' });
    this.#read.fire();
  }

  /** Stops a follow or dismisses what is shown. */
  stop({ connection, deploymentId, revisionId }: RevisionId): void {
    this.left.add(revisionId);
    const { shown } = this.stores;
    const found = shown.find(connection, deploymentId);
    if (found !== undefined) void shown.dismiss(found);
  }

  /** Follows a revision that the person deployed, or any other. One that was deployed again was promised a commit. */
  async follow(place: RevisionId, deployment: Deployment, promised?: string): Promise<void> {
    this.followedSince.set(place.revisionId, this.#now);
    const { follower, activity } = this.stores;
    this.left.delete(place.revisionId);
    this.newest.delete(place.deploymentId);
    const kind = promised === undefined ? 'created' : 'redeployed';
    await Promise.all([follower.follow(place, promised), activity.begin(kind, place, deployment)]);
  }

  /** What the command does after the service has accepted a deletion. */
  async forgetDeleted(deployment: Deployment): Promise<void> {
    const { follower, workspaceDeployments, deployments, activity } = this.stores;
    const { connection } = deployments;
    const { id: deploymentId, name, latest_revision_id: latest } = deployment;
    if (latest !== undefined) this.left.add(latest);
    this.put({ ...deployment, status: 'AWAITING_DELETE' });
    await Promise.all([
      follower.stop(connection, deploymentId),
      workspaceDeployments.forget(deploymentId),
      activity.noteChange({ kind: 'deleted', connection, name, title: undefined }),
    ]);
  }

  /** What the command does after the service has stopped a build: it reads the revision, and ends its follow. */
  async endStopped(place: RevisionId): Promise<void> {
    const { answers, connections, follower } = this.stores;
    const { connection, deploymentId, revisionId } = place;
    const askedAt = this.clock.monotonic();
    try {
      const revision = await (await connections.clientNamed(connection)).revisions.get(deploymentId, revisionId);
      answers.put({ connection, deploymentId, revision, askedAt, receivedAt: this.clock.monotonic() });
    } catch {
      return;
    }
    await follower.endSilently(place);
  }

  /** Waits for the build that a push starts. */
  async awaitBuild(pushed: Omit<AwaitedBuild, 'until'>): Promise<PushOutcome> {
    return this.#pushedBuilds.follow({ ...pushed, until: this.clock.now() + longestWait });
  }

  /** Asks about a followed revision at once. */
  askNow(place: RevisionId): void {
    this.stores.poller.askNow(place);
  }

  /** Drops what is followed on a connection that is being removed. */
  forget(connection: string): void {
    void this.stores.follower.forget(connection);
  }

  /** Puts a deployment that was just created into the list. */
  add(deployment: Deployment): void {
    this.put(deployment);
    this.stores.deployments.add(deployment.id);
  }

  /** Takes the record that a change was answered with. */
  put(deployment: Deployment): void {
    const at = this.clock.monotonic();
    const { answers, deployments } = this.stores;
    const { connection } = deployments;
    answers.put({ connection, deploymentId: deployment.id, record: deployment, askedAt: at, receivedAt: at });
  }

  refresh(): void {
    void this.stores.deployments.refresh();
  }

  openRevisions(deploymentId: string): void {
    void this.stores.deployments.openRevisions(deploymentId);
  }

  /** Chooses one of the own deployments. */
  choose(deploymentId: string): void {
    void this.stores.workspaceDeployments.choose(deploymentId);
  }

  rename(from: string, to: string): void {
    const isPresent = this.present === from;
    this.stores.renamed.fire({ from, to });
    if (isPresent) this.select(to);
    else this.#read.fire();
  }

  /** What has changed since the last call: deployments by id, the list, the follows. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#dirty;
    if (changed.size > 0) this.#dirty = new Set();
    return changed;
  }

  close(): void {
    const { workspaceDeployments } = this.stores;
    const ended = [this.#pushedBuilds, this.editor, this.repositories, workspaceDeployments, this.stores];
    for (const each of [...ended, ...this.#rules]) each.dispose();
  }

  get #now(): number {
    return this.#options.network.machine.time.now;
  }

  #sessionOf(name: string): Session {
    const connection = name === localConnection.name ? localConnection : { ...work, name };
    return { kind: 'ready', connection, client: async () => this.clients.named(name) };
  }
}

function subjectOf({ connection, deploymentId, revisionId }: ShownPlace): DocumentSubject {
  if (revisionId === undefined) return { connection, place: { kind: 'deployment', ids: [deploymentId] } };
  return { connection, place: { kind: 'revision', ids: [deploymentId, revisionId] } };
}
