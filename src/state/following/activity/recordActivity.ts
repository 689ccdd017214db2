import type { Deployment } from '../../../api/resources/deployments.ts';
import type { Revision } from '../../../api/resources/revisions.ts';
import { revisionCommit } from '../../../core/resources/webPages.ts';
import type { Clock } from '../../clock.ts';
import type { Disposable } from '../../emitter.ts';
import type { Deployments } from '../../lists/deployments.ts';
import type { Activity } from './activity.ts';
import { followFacts, type Followed, type Follower } from '../follower.ts';
import type { RevisionId } from '../polledRevision.ts';

export interface RecordedStores {
  readonly activity: Pick<Activity, 'begin' | 'end' | 'list'>;
  readonly follower: Pick<Follower, 'followed' | 'onDidChange' | 'onDidEnd'>;
  readonly deployments: Pick<Deployments, 'observe' | 'revision'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly workspaceDrift: {
    /** Whether the commit of a revision was pushed from a clone that is open here. */
    wasPushedHere(deployment: Deployment, revision: Revision): Promise<boolean>;
  };
}

/** Records what becomes of followed deployments, and which of them began with a push from here. */
export function recordActivity({ activity, follower, deployments, clock, workspaceDrift }: RecordedStores): Disposable {
  /** By revision, because each is looked up once. */
  const noted = new Map<string, Promise<void>>();
  let loaded: Promise<unknown> | undefined;
  const noteStart = async (id: RevisionId, deployment: Deployment, revision: Revision): Promise<void> => {
    const isFromHere = await workspaceDrift.wasPushedHere(deployment, revision);
    if (isFromHere) await activity.begin('pushed', id, deployment, revision);
  };
  const note = async ({ revision, deployment, isQuiet, ...id }: Followed): Promise<void> => {
    // A revision may get its commit only when its build begins. One that nobody followed ended before.
    if (isQuiet === true || deployment === undefined || revision === undefined) return;
    if (revisionCommit(revision) === undefined) return;
    const known = noted.get(revision.id) ?? noteStart(id, deployment, revision);
    noted.set(revision.id, known);
    await known;
  };
  const subscriptions = [
    follower.onDidChange(() => {
      for (const followed of follower.followed) void note(followed);
      // Usual durations are needed as soon as something is followed.
      if (follower.followed.length > 0) loaded ??= activity.list();
    }),
    follower.onDidEnd((followed) => {
      const facts = followFacts(followed, deployments, clock.monotonic());
      void note(followed).then(async () => activity.end(followed, facts));
    }),
  ];
  return {
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
