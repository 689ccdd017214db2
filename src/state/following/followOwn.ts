import { revisionStatusView } from '../../core/status/status.ts';
import type { FollowFacts } from '../../core/status/followWords.ts';
import type { Clock } from '../clock.ts';
import { localConnectionName } from '../connections/connection.ts';
import type { LocalService } from '../connections/localService.ts';
import type { Disposable, Event } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import { followFacts, resting, type Follower } from './follower.ts';
import type { OwnDeployments, WorkspaceFollowing } from './ownDeployments.ts';
import { millisecondsSinceChange, statusOf, type RevisionId } from './polledRevision.ts';
import type { Poller } from './poller.ts';

/** What git has read of the open repositories. */
export interface OpenWorkspace {
  /** The ids of the workspace's own deployments. Undefined until git has been asked. */
  readonly own: ReadonlySet<string> | undefined;
  /** The one to show while none changes. Undefined if several fit equally. */
  readonly main: string | undefined;
  readonly onDidMark: Event<void>;
}

export interface FollowOwnDependencies {
  readonly connections: PresentConnection;
  readonly deployments: Pick<Deployments, 'observe' | 'onDidChange'>;
  readonly ownDeployments: Pick<OwnDeployments, 'remembered'>;
  readonly follower: Pick<Follower, 'find' | 'follow' | 'followed' | 'onDidChange' | 'present' | 'stop'>;
  readonly poller: Pick<Poller, 'setShown'>;
  readonly workspace: OpenWorkspace;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly following: WorkspaceFollowing;
}

/**
 * Follows the workspace's own deployments as soon as they change. While none does, shows the main one silently, or all.
 * What the user stopped or dismissed stays so until the deployment has a newer revision.
 */
export function followOwn(dependencies: FollowOwnDependencies): Disposable {
  const { connections, deployments, ownDeployments, follower, poller, workspace, clock, following } = dependencies;
  /** The revisions that were followed since the window opened. */
  const followedOnce = new Set<string>();
  /** The revisions that were shown silently, also after the user dismissed them. */
  const presented = new Set<string>();

  const look = (): void => {
    const { session } = connections;
    const connection = session.kind === 'ready' && following.isOn() ? session.connection.name : undefined;
    // Until git has been asked, those of the last window count.
    const candidates = connection === undefined ? [] : (workspace.own ?? ownDeployments.remembered);
    const shown = new Set(workspace.main === undefined ? candidates : [workspace.main]);
    for (const { connection: its, deploymentId, revisionId, isQuiet } of follower.followed) {
      if (isQuiet !== true) followedOnce.add(revisionId);
      else if (its !== connection || !shown.has(deploymentId)) withdraw(its, deploymentId, revisionId);
    }
    const own = connection === undefined ? [] : [...(workspace.own ?? [])];
    poller.setShown(
      own.flatMap((id) => revisionsOf(connection ?? '', id)),
      'workspace',
    );
    if (connection !== undefined) for (const id of own) lookAt(connection, id, shown.has(id));
  };
  const revisionsOf = (connection: string, deploymentId: string): readonly RevisionId[] => {
    const { deployment } = deployments.observe(deploymentId, undefined);
    const ids = [deployment?.active_revision_id, deployment?.latest_revision_id];
    return ids.flatMap((revisionId) => (revisionId === undefined ? [] : [{ connection, deploymentId, revisionId }]));
  };
  const withdraw = (connection: string, deploymentId: string, revisionId: string): void => {
    presented.delete(revisionId);
    void follower.stop(connection, deploymentId);
  };
  const lookAt = (connection: string, deploymentId: string, isShownAtRest: boolean): void => {
    const latest = deployments.observe(deploymentId, undefined).deployment?.latest_revision_id;
    const { deployment, revision, revisionAt, deploymentAt } = deployments.observe(deploymentId, latest);
    if (deployment === undefined || revision === undefined || followedOnce.has(revision.id)) return;
    const id = { connection, deploymentId, revisionId: revision.id };
    const followed = follower.find(connection, deploymentId);
    const { phase } = revisionStatusView(statusOf(revision));
    if (phase === 'working') {
      // A running follow continues with the newer revision.
      if (followed === undefined || followed.outcome !== undefined) void follower.follow(id, { deployment });
      return;
    }
    const isDismissed = followed === undefined && presented.has(revision.id);
    const isShown = followed?.revision === revision && followed.deployment === deployment;
    if (!isShownAtRest || isDismissed || isShown || (followed !== undefined && followed.isQuiet !== true)) return;
    if (revisionAt === undefined || deploymentAt === undefined) return;
    presented.add(revision.id);
    const phaseSince = clock.monotonic() - millisecondsSinceChange(revision, clock.now());
    const known = { deploymentName: deployment.name, deployment, deploymentAt, revision, revisionAt };
    void follower.present({ ...id, ...known, ...resting, phase, phaseSince, waited: 0, failures: 0 });
  };

  const subscriptions = [
    following.onDidChange(look),
    connections.onDidChange(look),
    deployments.onDidChange(look),
    workspace.onDidMark(look),
    follower.onDidChange(look),
  ];
  return {
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

export interface ShownSources {
  readonly connections: Pick<PresentConnection, 'session'>;
  readonly deployments: Pick<Deployments, 'observe' | 'revision'>;
  readonly follower: Pick<Follower, 'followed'>;
  readonly localService: Pick<LocalService, 'isStopped'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** The facts about all follows, and which of them are the workspace's own deployments. */
export function allFacts(
  { connections, deployments, follower, localService, clock }: ShownSources,
  { own, main }: Pick<OpenWorkspace, 'own' | 'main'>,
): readonly FollowFacts[] {
  const { session } = connections;
  const now = clock.monotonic();
  return follower.followed.map((followed): FollowFacts => {
    const { connection, deploymentId, outcome } = followed;
    const facts = followFacts(followed, deployments, now);
    const isHere = session.kind !== 'none' && session.connection.name === connection;
    const place = deploymentId === main ? 'main' : 'other';
    // Nothing polls what has ended, so no failed poll says that the service is stopped.
    const isStopped = outcome !== undefined && connection === localConnectionName && localService.isStopped;
    return {
      ...facts,
      ...(isHere && own?.has(deploymentId) === true ? { own: place } : {}),
      ...(isStopped ? { refusal: 'stopped' } : {}),
    };
  });
}
