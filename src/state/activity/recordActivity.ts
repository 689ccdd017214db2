import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { revisionCommit } from '../../core/resources/webPages.ts';
import type { Answers, RevisionId } from '../answers/answers.ts';
import { combined, type Disposable } from '../emitter.ts';
import type { Activity } from './activity.ts';
import type { Follower } from '../following/follower.ts';

interface RecordedStores {
  readonly activity: Pick<Activity, 'begin' | 'end' | 'list'>;
  readonly follower: Pick<Follower, 'followed' | 'onDidChange' | 'onDidEnd'>;
  readonly answers: Pick<Answers, 'observe'>;
  readonly workspaceDrift: {
    /** Whether the commit of a revision was pushed from a clone that is open here. */
    wasPushedHere(deployment: Deployment, revision: Revision): Promise<boolean>;
  };
}

/** Records what becomes of followed deployments, and which of them began with a push from here. */
export function recordActivity({ activity, follower, answers, workspaceDrift }: RecordedStores): Disposable {
  /** By revision, because each is looked up once. */
  const noted = new Map<string, Promise<void>>();
  let loaded: Promise<unknown> | undefined;
  const noteStart = async (id: RevisionId, deployment: Deployment, revision: Revision): Promise<void> => {
    const isFromHere = await workspaceDrift.wasPushedHere(deployment, revision);
    if (isFromHere) await activity.begin('pushed', id, deployment, revision);
  };
  const note = async (id: RevisionId): Promise<void> => {
    const { revision, deployment } = answers.observe(id.connection, id.deploymentId, id.revisionId);
    if (deployment === undefined || revision === undefined) return;
    // A revision may get its commit only when its build begins.
    if (revisionCommit(revision) === undefined) return;
    const known = noted.get(revision.id) ?? noteStart(id, deployment, revision);
    noted.set(revision.id, known);
    await known;
  };
  return combined([
    follower.onDidChange(() => {
      for (const followed of follower.followed) void note(followed);
      // Usual durations are needed as soon as something is followed.
      if (follower.followed.length > 0) loaded ??= activity.list();
    }),
    follower.onDidEnd((followed) => {
      const observed = answers.observe(followed.connection, followed.deploymentId, followed.revisionId);
      void activity.end(followed, observed, note(followed));
    }),
  ]);
}
