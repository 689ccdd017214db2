import * as vscode from 'vscode';
import { withoutIcons } from '../../core/text/text.ts';
import type { AwaitedBuild, PushOutcome } from '../../state/following/pushedBuilds.ts';
import { showDeploymentDocument } from '../deployments/showDeployment.ts';
import type { Stores } from '../stores.ts';
import { messageOf, showError, showMessage } from '../window/errors.ts';

/**
 * Follows what a push makes the service build, and shows in the status bar that it is awaited.
 * A deployment without a new revision is reported, because the service may not have heard of the push, and so is one
 * whose service can't be asked.
 */
export function awaitBuilds(
  { pushedBuilds, log }: Pick<Stores, 'pushedBuilds' | 'log'>,
  builds: readonly AwaitedBuild[],
): void {
  if (builds.length === 0) return;
  const title = vscode.l10n.t('Waiting for a build of {0}…', withoutIcons(namesOf(builds)));
  const wait = async (): Promise<void> => {
    const outcomes = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      Promise.all(builds.map((build) => pushedBuilds.follow(build))),
    );
    const those = (kind: PushOutcome['kind']): readonly AwaitedBuild[] =>
      builds.filter((_, place) => outcomes[place]?.kind === kind);
    const [reason = ''] = outcomes.flatMap((outcome) => ('error' in outcome ? [messageOf(outcome.error)] : []));
    await Promise.all([
      warn(those('none'), (names) => vscode.l10n.t('No new revision of {0} within five minutes of the push.', names)),
      warn(those('unknown'), (names) =>
        vscode.l10n.t("Couldn't check whether the push started a build of {0}: {1}", names, reason),
      ),
    ]);
  };
  void wait().catch((error: unknown) => showError(error, log));
}

/** Warns about deployments, if there are any, and offers their details. */
async function warn(builds: readonly AwaitedBuild[], message: (names: string) => string): Promise<void> {
  if (builds.length === 0) return;
  const details = vscode.l10n.t('Open Details');
  if ((await showMessage('warning', message(namesOf(builds)), [details])) !== details) return;
  for (const build of builds) await showDeploymentDocument(build);
}

function namesOf(builds: readonly AwaitedBuild[]): string {
  return builds.map(({ name }) => name).join(', ');
}
