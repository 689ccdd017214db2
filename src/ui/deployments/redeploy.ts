import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { revisionCommit } from '../../core/resources/webPages.ts';
import { redeployQuestion, type NamedRevision, type Redeployment } from '../../core/status/redeployWords.ts';
import { revisionAction } from '../../core/status/revisionActions.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { Observed } from '../../state/answers/answers.ts';
import { askRevision, type AskingStores } from '../../state/answers/ask.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { confirm, UserError } from '../window/errors.ts';
import { readingWords, unlessAborted, whileAsking, whileWaiting } from '../window/waiting.ts';
import { commitsBetween } from '../workspace/codeChanges.ts';
import { chooseDeployment, revisionOfRow, type ChoiceServices } from './chooseDeployment.ts';
import { readRecord, requireCapability, sendChange, type ChangeServices } from './sendChange.ts';

type RedeployServices = ChangeServices & Pick<Services, 'activity' | 'follower' | 'views' | 'workspaceDrift'>;

/** What to deploy again, and from which state on. */
interface Redeployed {
  readonly kind: Redeployment['kind'];
  readonly title: string;
  readonly record: Deployment;
  readonly target: Revision;
  readonly live: Revision | undefined;
  /** The latest revision, if it is in progress. */
  readonly moving: Revision | undefined;
}

/** Deploys a revision again, or a deployment from its latest revision. */
export async function deployAgain(
  services: ChoiceServices & RedeployServices,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Deploy Again');
  const row = services.views.deployments.rowOf(argument);
  if (row?.kind === 'revision') {
    const { deployment, revision } = revisionOfRow(services, argument);
    return redeploy(services, session, { kind: 'deployAgain', title, deployment, revisionId: revision.id });
  }
  const deployment = await chooseDeployment(services, argument, title);
  if (deployment === undefined) return undefined;
  return redeploy(services, session, { kind: 'deployAgain', title, deployment });
}

/** Goes back to a revision that was live. */
export async function rollBack(services: RedeployServices, session: ReadySession, argument: unknown): Promise<void> {
  const { deployment, revision } = revisionOfRow(services, argument);
  const title = vscode.l10n.t('Roll Back');
  await redeploy(services, session, { kind: 'rollBack', title, deployment, revisionId: revision.id });
}

/** Asks once, has the service make the new revision, and follows it. */
async function redeploy(
  services: RedeployServices,
  session: ReadySession,
  asked: Pick<Redeployed, 'kind' | 'title'> & { readonly deployment: Deployment; readonly revisionId?: string },
): Promise<void> {
  const { deployment, title } = asked;
  requireCapability(services, session, 'redeploy');
  const { name: connection } = session.connection;
  const reading = { title, words: readingWords(deployment.name) };
  const redeployed = await whileAsking(session, reading, (client, signal) =>
    readState(services, session, asked, client, signal),
  );
  const { record, target } = redeployed;
  const names = await whileWaiting(reading, (signal) => unlessAborted(readCommits(services, redeployed), signal));
  const { kind, moving } = redeployed;
  const { question, detail, button } = redeployQuestion({
    kind,
    deployment: record.name,
    connection,
    moving,
    ...names,
  });
  if (!(await confirm(question, button, detail))) return;
  const made = await sendChange(services, session, {
    capability: 'redeploy',
    deployment: record,
    revisionId: target.id,
    waiting: { title, words: vscode.l10n.t('Starting a revision of {0}…', withoutIcons(record.name)) },
    send: async (client, signal) => {
      const {
        active_revision_id: active,
        latest_revision_id: latest,
        name,
      } = await readRecord(services, session, record, client, signal);
      if (active !== record.active_revision_id || latest !== record.latest_revision_id) {
        throw new UserError(vscode.l10n.t('{0} changed in the meantime, so nothing was deployed.', name));
      }
      return client.changes.redeploy(record.id, target, { latest, signal });
    },
  });
  await followRedeployed(services, session, redeployed, made);
}

/**
 * Asks for the state that the user decides on.
 * @throws {UserError} the revision's state doesn't allow it
 */
async function readState(
  services: AskingStores,
  session: ReadySession,
  { kind, title, deployment, revisionId }: Parameters<typeof redeploy>[2],
  client: Client,
  signal: AbortSignal,
): Promise<Redeployed> {
  const { name: connection } = session.connection;
  const record = await readRecord(services, session, deployment, client, signal);
  const { active_revision_id: activeId, latest_revision_id: latestId } = record;
  const targetId = revisionId ?? latestId;
  const ids = [...new Set([targetId, activeId, latestId])].filter((id) => id !== undefined);
  await Promise.all(
    ids.map((id) => askRevision(services, client, { connection, deploymentId: record.id, revisionId: id }, { signal })),
  );
  const observe = (id: string | undefined): Observed => services.answers.observe(connection, record.id, id);
  const target = observe(targetId);
  if (target.revision === undefined || revisionAction(target) !== kind) {
    throw new UserError(vscode.l10n.t('The state of {0} has changed. Refresh the list and try again.', record.name));
  }
  const latest = observe(latestId);
  const moving = revisionAction(latest) === 'stopBuild' ? latest.revision : undefined;
  return { kind, title, record, target: target.revision, live: target.active, moving };
}

/** The two revisions with what git says of their commits, if their repository is open here. */
async function readCommits(
  { workspaceDrift }: Pick<Services, 'workspaceDrift'>,
  { record, target, live }: Redeployed,
): Promise<Pick<Redeployment, 'live' | 'target' | 'commits'>> {
  const to = revisionCommit(target);
  const from = revisionCommit(live) ?? to;
  const ofLive: NamedRevision | undefined = live && { revision: live };
  const unread = { live: ofLive, target: { revision: target } };
  if (from === undefined || to === undefined) return unread;
  try {
    // Restricted Mode and a window without git have none.
    const repository = await workspaceDrift.repositoryOf(record);
    const commits = repository && (await commitsBetween(repository, from, to));
    if (commits === undefined) return unread;
    return {
      live: ofLive && { ...ofLive, message: commits.from.message },
      target: { revision: target, message: commits.to.message },
      commits,
    };
  } catch {
    return unread;
  }
}

/** Stores the answer and follows the new revision, like any other that was deployed from this window. */
async function followRedeployed(
  { connections, answers, activity, follower, views, clock }: RedeployServices,
  { connection: { name: connection } }: ReadySession,
  { kind, record, target }: Redeployed,
  made: Deployment,
): Promise<void> {
  const { latest_revision_id: revisionId } = made;
  const isNew = revisionId !== undefined && revisionId !== record.latest_revision_id;
  const id = isNew ? { connection, deploymentId: made.id, revisionId } : undefined;
  // Before the row changes, because a new revision of this workspace starts a follow of its own, as a push.
  if (id !== undefined) void activity.begin(kind === 'rollBack' ? 'rolledBack' : 'redeployed', id, made);
  const at = clock.monotonic();
  answers.put({ connection, deploymentId: made.id, record: made, askedAt: at, receivedAt: at });
  if (id !== undefined) await follower.follow(id, revisionCommit(target));
  const { session } = connections;
  if (session.kind === 'none' || session.connection.name !== connection) return;
  await views.deployments.reveal({ kind: 'deployment', ids: [made.id] });
}
