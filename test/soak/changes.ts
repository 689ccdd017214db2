import type { Deployment } from '../../src/api/resources/deployments.ts';
import { isUnfinished, type DeploymentTruth, type ServiceModel } from './serviceModel.ts';
import { shownFollowOf, shownList } from './shown.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';
import type { World } from './world.ts';

/** A deployment that a window lists, and where it is changed. */
interface Changed {
  readonly window: SimulatedWindow;
  readonly service: ServiceModel;
  readonly connection: string;
  readonly truth: DeploymentTruth;
  readonly listed: Deployment;
}

/** Deploys a revision again, stops one, updates a deployment or deletes it, from a window or from elsewhere. */
export function changeSomething(world: World, window: SimulatedWindow): void {
  const { random, network } = world;
  const { service, present: connection } = window;
  if (service === undefined || connection === undefined) return;
  const changeable = service.changeable();
  const truth = changeable[random.between(0, changeable.length)];
  if (truth === undefined) return;
  const what = random.weigh({ redeploy: 5, stop: 3, update: 3, delete: 1 });
  // Windows don't update a deployment.
  const isHere = what !== 'update' && random.chance(0.6) && network.reaches(service);
  const listed = isHere ? shownList(window).find(({ id }) => id === truth.id) : undefined;
  world.note(`${what} of ${truth.id} from ${listed === undefined ? 'elsewhere' : 'here'}`);
  if (listed === undefined) changeElsewhere(world, service, truth, what);
  else if (what !== 'update') change(world, { window, service, connection, truth, listed }, what);
}

type Change = 'redeploy' | 'stop' | 'delete';

function changeElsewhere(
  { random }: World,
  service: ServiceModel,
  truth: DeploymentTruth,
  what: Change | 'update',
): void {
  const revision = truth.revisions[random.between(0, truth.revisions.length)];
  const [latest] = truth.revisions;
  if (what === 'redeploy' && revision !== undefined) service.redeploy(truth, revision);
  if (what === 'stop' && latest !== undefined) service.stop(latest);
  if (what === 'update') service.update(truth);
  if (what === 'delete') service.delete(truth);
}

/** What the commands do once the service has answered. */
function change(world: World, { window, service, connection, truth, listed }: Changed, what: Change): void {
  const deploymentId = truth.id;
  const [latest] = truth.revisions;
  // What the service answers is as of now, unlike what the window lists.
  const present = { ...listed, active_revision_id: truth.active.at(-1)?.value, updated_at: undefined };
  if (what === 'delete') {
    service.delete(truth);
    void window.forgetDeleted({ ...present, latest_revision_id: latest?.id });
  } else if (what === 'stop') {
    if (latest === undefined || !isUnfinished(latest)) return;
    service.stop(latest);
    const followed = shownFollowOf(window, connection, deploymentId);
    if (followed?.revisionId === latest.id) void window.endStopped(followed);
  } else {
    const ended = truth.revisions.filter((revision) => !isUnfinished(revision));
    const target = ended[world.random.between(0, ended.length)];
    if (target === undefined) return;
    const { id: revisionId } = service.redeploy(truth, target);
    const made = { ...present, latest_revision_id: revisionId };
    world.begin(window, { connection, deploymentId, revisionId }, made, target.commit);
    window.put(made);
  }
}
