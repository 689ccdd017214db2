import * as vscode from 'vscode';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { revisionAction } from '../../core/status/revisionActions.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { Observed } from '../../state/answers/answers.ts';
import { askRevision } from '../../state/answers/ask.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { confirm, UserError } from '../window/errors.ts';
import { revisionOfRow } from './chooseDeployment.ts';
import { requireCapability, sendChange, type ChangeServices } from './sendChange.ts';

/** Stops a revision that is in progress, once the user has confirmed it. */
export async function stopBuild(
  services: ChangeServices & Pick<Services, 'activity' | 'follower' | 'views'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const { answers, activity, follower } = services;
  requireCapability(services, session, 'interrupt');
  const { deployment, revision } = revisionOfRow(services, argument);
  const { name: connection } = session.connection;
  const { id: deploymentId, name } = deployment;
  const id = { connection, deploymentId, revisionId: revision.id };
  const title = revisionTitle(revision);
  const observe = (): Observed => answers.observe(connection, deploymentId, revision.id);
  const { active } = observe();
  const serving =
    active === undefined
      ? vscode.l10n.t('The live revision, if there is one, keeps serving.')
      : vscode.l10n.t('{0} stays live.', revisionTitle(active));
  const freed = vscode.l10n.t('The service stops working on this revision and goes on with the next one in its queue.');
  const question = vscode.l10n.t('Stop the build of {0} for {1} on {2}?', title, name, connection);
  const button = vscode.l10n.t('Stop This Build');
  if (!(await confirm(question, button, `${freed} ${serving}`))) return;
  await sendChange(services, session, {
    capability: 'interrupt',
    deployment,
    revisionId: revision.id,
    waiting: { title: button, words: vscode.l10n.t('Stopping the build of {0}…', withoutIcons(name)) },
    send: async (client, signal) => {
      await askRevision(services, client, id, { signal });
      if (revisionAction(observe()) !== 'stopBuild') {
        throw new UserError(vscode.l10n.t('{0} is no longer in progress, so there is nothing to stop.', title));
      }
      await client.changes.interrupt(deploymentId, revision.id, { signal });
    },
  });
  await activity.noteChange({ kind: 'stopped', connection, name, title });
  // The service is polled as well, so a failure costs a few seconds.
  await askRevision(services, await session.client(), id).then(
    () => follower.endSilently(id),
    () => undefined,
  );
}
