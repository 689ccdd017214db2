import type { Deployment } from '../../src/api/resources/deployments.ts';
import { localConnectionName } from '../../src/state/connections/connection.ts';
import type { Weather } from './network.ts';
import { changeSomething } from './changes.ts';
import { isLeaving, type ServiceModel } from './serviceModel.ts';
import { shownFollows, shownList } from './shown.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';
import type { World } from './world.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What happens in the course of a day, and how often. */
const deeds = {
  deploy: 5,
  push: 4,
  follow: 4,
  focus: 10,
  show: 5,
  refresh: 2,
  open: 2,
  document: 4,
  editor: 3,
  ask: 1,
  stop: 1,
  choose: 2,
  reload: 3,
  window: 1,
  select: 1,
  rename: 1,
  remove: 0.3,
  sleep: 2,
  weather: 7,
  clock: 1,
  key: 1,
  restart: 0.7,
  halt: 1,
  destroy: 0.7,
  change: 5,
} as const;

/** Works with the windows, at any time and in any order, and meets with what happens to machines and services. */
export class Person {
  readonly #world: World;
  #renames = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Does something after a while, and goes on like that. */
  planDeed(): void {
    if (this.#world.isResting) return;
    this.#world.time.plan(this.#world.random.spread(500, 100 * minute), () => {
      if (this.#world.isResting) return;
      const deed = this.#world.random.weigh(deeds);
      const window = this.#world.windows[this.#world.random.between(0, this.#world.windows.length)];
      if (window !== undefined && !this.#world.network.machine.isAsleep) this.#do(deed, window);
      this.planDeed();
    });
  }

  #do(deed: keyof typeof deeds, window: SimulatedWindow): void {
    this.#world.note(deed);
    const random = this.#world.random;
    const { service, present } = window;
    const services = [...this.#world.configured.values()];
    const some = services[random.between(0, services.length)];
    const existing = some?.existing() ?? [];
    const one = existing[random.between(0, existing.length)];
    switch (deed) {
      case 'deploy':
        if (service !== undefined && present !== undefined) this.#deploy(window, service, present);
        break;
      case 'push':
        if (one === undefined || some === undefined || isLeaving(one)) break;
        some.push(one);
        // A second thought often comes soon.
        if (random.chance(0.4))
          this.#world.time.plan(random.spread(second, minute), () => {
            if (!isLeaving(one)) some.push(one);
          });
        break;
      case 'follow':
        if (present !== undefined) this.#follow(window, present);
        break;
      case 'focus':
        for (const each of this.#world.windows) each.look({ focused: false });
        this.#world.look(window);
        break;
      case 'show':
        window.look({ visible: random.chance(0.5) });
        break;
      case 'refresh':
        if (present !== undefined) window.refresh();
        break;
      case 'open': {
        const [first] = shownList(window);
        if (first !== undefined && present !== undefined) window.openRevisions(first.id);
        break;
      }
      case 'document': {
        const rows = shownList(window);
        const { id: deploymentId } = rows[random.between(0, rows.length)] ?? {};
        if (deploymentId === undefined || present === undefined) break;
        const { revisions = [] } = service?.get(deploymentId) ?? {};
        const revision = random.chance(0.5) ? revisions[random.between(0, revisions.length)] : undefined;
        void window.editor.show({ connection: present, deploymentId, revisionId: revision?.id });
        break;
      }
      case 'editor': {
        const [first] = window.editor.open;
        if (first !== undefined && random.chance(0.3)) window.editor.close(first);
        else window.editor.look(() => random.chance(0.5));
        break;
      }
      case 'ask': {
        const [first] = shownFollows(window);
        if (first !== undefined) window.askNow(first);
        break;
      }
      case 'stop': {
        const [first] = shownFollows(window);
        if (first !== undefined) window.stop(first);
        break;
      }
      case 'choose':
        this.#world.choose(window);
        break;
      case 'reload':
        this.#world.reload(window);
        break;
      case 'window':
        if (this.#world.windows.length > 1) this.#world.close(window);
        else this.#world.open(this.#world.workspaceOf(window) === 0 ? 1 : 0);
        break;
      case 'select': {
        const names = [...this.#world.configured.keys()];
        const name = names[random.between(0, names.length)];
        if (name !== undefined) window.select(name);
        break;
      }
      case 'rename':
        this.#rename();
        break;
      case 'remove':
        this.#remove(window);
        break;
      case 'sleep':
        this.#world.network.machine.sleep();
        this.#world.time.plan(random.spread(10 * second, 8 * hour), () => {
          this.#world.note('wake');
          this.#world.network.machine.wake();
        });
        break;
      case 'weather':
        this.#change(random.weigh({ good: 0, offline: 4, portal: 1, gateway: 1, flaky: 3, slow: 2 }));
        this.#world.time.plan(random.spread(5 * second, 2 * hour), () => this.#change('good'));
        break;
      case 'clock':
        this.#world.network.machine.setClock(random.pick([-1, 1]) * random.spread(minute, 30 * 24 * hour));
        break;
      case 'key':
        if (some === undefined) break;
        this.#world.network.refusing.add(some);
        this.#world.network.machine.planAwake(random.spread(10 * second, 20 * minute), () => {
          this.#world.network.refusing.delete(some);
          this.#world.note('key set');
          for (const each of this.#world.windows) each.readConnections();
        });
        break;
      case 'restart':
        some?.restart();
        break;
      case 'halt':
        this.#rehearse(window);
        break;
      case 'destroy':
        if (one !== undefined) some?.remove(one);
        break;
      case 'change':
        changeSomething(this.#world, window);
        break;
    }
  }

  /** Deploys to the local service, stops it some time later, and starts it again. */
  #rehearse(window: SimulatedWindow): void {
    const { configured, random, network } = this.#world;
    const { machine } = network;
    const local = configured.get(localConnectionName);
    if (local === undefined || local.isStopped) return;
    window.select(localConnectionName);
    window.look({ visible: random.chance(0.7) });
    if (random.chance(0.8)) this.#deploy(window, local, localConnectionName);
    machine.planAwake(random.spread(5 * second, 5 * minute), () => {
      if (this.#world.isResting) return;
      this.#world.setLocalService(true);
      machine.planAwake(random.spread(5 * second, 2 * hour), () => this.#world.setLocalService(false));
    });
  }

  #change(weather: Weather): void {
    this.#world.note(weather);
    this.#world.network.weather = weather;
  }

  /** What deploying does once the service has answered: it creates a deployment, or pushes to one that is listed. */
  #deploy(window: SimulatedWindow, service: ServiceModel, connection: string): void {
    if (!this.#world.network.reaches(service)) return;
    const listed = shownList(window).filter(({ id }) => service.changeable().some((each) => each.id === id));
    const again = listed[this.#world.random.between(0, listed.length)];
    if (again !== undefined && this.#world.random.chance(0.5)) {
      return this.#world.pushFrom(window, service, { connection, deployment: again });
    }
    const truth = service.create();
    const [revision] = truth.revisions;
    if (revision === undefined) return;
    const { id } = truth;
    const deployment: Deployment = {
      id,
      name: `name of ${id}`,
      source_config: { resource_spec: { cpu: 1 } },
      latest_revision_id: revision.id,
    };
    window.add(deployment);
    this.#world.note(`deploys ${revision.id}`);
    this.#world.begin(window, { connection, deploymentId: truth.id, revisionId: revision.id }, deployment);
  }

  #follow(window: SimulatedWindow, connection: string): void {
    const rows = shownList(window);
    const deployment = rows[this.#world.random.between(0, rows.length)];
    const revisionId = deployment?.latest_revision_id;
    if (deployment === undefined || revisionId === undefined) return;
    this.#world.note(`follows ${revisionId}`);
    this.#world.begin(window, { connection, deploymentId: deployment.id, revisionId }, deployment);
  }

  #rename(): void {
    const names = this.#named();
    const from = names[this.#world.random.between(0, names.length)];
    const service = this.#world.configured.get(from ?? '');
    if (from === undefined || service === undefined) return;
    this.#renames += 1;
    const to = `Name ${this.#renames}`;
    this.#world.configured.delete(from);
    this.#world.configured.set(to, service);
    for (const each of this.#world.windows) each.rename(from, to);
  }

  /** The connections that somebody configured. The local one has always its name. */
  #named(): readonly string[] {
    return [...this.#world.configured.keys()].filter((name) => name !== localConnectionName);
  }

  #remove(window: SimulatedWindow): void {
    const [name, another] = this.#named();
    if (name === undefined || another === undefined) return;
    this.#world.configured.delete(name);
    window.forget(name);
    for (const each of this.#world.windows) each.readConnections(name);
  }
}
