import { Person } from './person.ts';
import type { ServiceOptions } from './serviceModel.ts';
import { shownFollows } from './shown.ts';
import { runningIn, World, type Falsehood } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A thousand of these are a year. */
const hoursOfSimulation = 8.76;

/** What a simulation found. */
export interface Outcome {
  readonly falsehood: Falsehood | undefined;
  readonly requests: number;
  readonly events: number;
  readonly endings: number;
}

/** A person works with windows of the extension while services, networks and clocks do what they can do. */
export async function simulate(seed: number, options: ServiceOptions = {}): Promise<Outcome> {
  // Every failed request makes an error, and nobody reads where it was made.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const world = new World(seed, options);
  try {
    world.open(0);
    new Person(world).planDeed();
    await pass(world, hoursOfSimulation * hour);
    await comeToRest(world);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { falsehood, requests, events, endings } = world;
  return { falsehood, requests, events, endings };
}

async function pass(world: World, duration: number): Promise<void> {
  await world.time.run(
    () => world.falsehood === undefined,
    world.time.now + duration,
    () => world.check(),
  );
}

/** The person waits in front of the windows, and everything is in order: now all must show how it ended. */
async function comeToRest(world: World): Promise<void> {
  world.isResting = true;
  world.network.machine.wake();
  world.network.weather = 'good';
  world.network.refusing.clear();
  world.setLocalService(false);
  for (const window of world.windows) window.look({ focused: true, visible: false });
  await pass(world, 5 * minute);
  // Somebody pushes from elsewhere, and every window has the time to notice it.
  for (const service of world.configured.values()) {
    for (const deployment of service.changeable().slice(0, 4)) service.push(deployment);
  }
  await pass(world, 5 * minute);
  // A revision is followed only once the follow of a stuck one before it has given up.
  const end = world.time.now + 2 * world.settings.giveUpMilliseconds + world.settings.maxMilliseconds * 3 + 45 * minute;
  const isAwaited = (): boolean =>
    world.windows.some((window) => runningIn(window).length > 0 || world.isAwaiting(window));
  do await pass(world, minute);
  while (isAwaited() && world.time.now < end && world.falsehood === undefined);
  for (const window of world.windows) {
    for (const { revisionId, outcome } of shownFollows(window)) {
      if (outcome === undefined) world.tell(`the follow of ${revisionId} never ended`);
    }
    world.requests += window.clients.requests.length;
    window.close();
    await pass(world, 0);
    if (window.running > 0) world.tell('a closed window still waits for something');
  }
  world.activity.check(world.services, (what) => world.tell(what));
}
