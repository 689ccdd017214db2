import * as vscode from 'vscode';
import type { Deployment } from '../../api/deployments.ts';
import type { Revision } from '../../api/revisions.ts';
import { shortCommit } from '../../core/drift.ts';
import type { ReadySession } from '../../state/connections.ts';
import { deploymentOfRow, chooseDeploymentOfWorkspace } from '../chooseDeployment.ts';
import { UserError } from '../errors.ts';
import { gitStatus, openGit } from '../gitExtension.ts';
import { showMessage } from '../message.ts';
import type { Services } from '../services.ts';

/** Shows what the open repository has that is not live, file by file, in the editor's own difference view. */
export async function showChangesSinceLive(
  services: Services,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const deployment =
    deploymentOfRow(services, argument) ??
    (await chooseDeploymentOfWorkspace(services, vscode.l10n.t('Show Changes Since Live')));
  if (deployment === undefined) return;
  const active = await activeRevision(services, session, deployment);
  const commit = active?.source_revision_config?.repo_commit_sha;
  if (commit === undefined) {
    throw new UserError(vscode.l10n.t('The service names no commit that is live for "{0}".', deployment.name));
  }
  const repository = await services.workspaceDrift.repositoryOf(deployment);
  if (repository === undefined) {
    throw new UserError(vscode.l10n.t('The repository of "{0}" is not open here.', deployment.name));
  }
  const differences = await repository.diffBetween(commit, 'HEAD').catch((cause: unknown) => {
    services.log.debug('git diff', cause);
    throw new UserError(
      vscode.l10n.t('This clone does not have the live commit {0}. Fetch, then try again.', shortCommit(commit)),
      [{ title: vscode.l10n.t('Fetch'), run: () => vscode.commands.executeCommand('git.fetch', repository) }],
    );
  });
  if (differences.length === 0) {
    await showMessage(
      'information',
      vscode.l10n.t('"{0}" serves the commit that is checked out here ({1}).', deployment.name, shortCommit(commit)),
    );
    return;
  }
  const git = await openGit();
  const files = differences.map(({ status, uri, originalUri, renameUri }) => {
    const changed = renameUri ?? uri;
    // The difference view shows nothing at all where it is given a side that does not exist.
    const isNew = status === gitStatus.added || status === gitStatus.untracked;
    const isGone = status === gitStatus.deleted || status === gitStatus.deletedInIndex;
    return [
      changed,
      isNew ? undefined : git.toGitUri(originalUri, commit),
      isGone ? undefined : git.toGitUri(changed, 'HEAD'),
    ];
  });
  const title = vscode.l10n.t('{0}: live {1} ↔ HEAD', deployment.name, shortCommit(commit));
  await vscode.commands.executeCommand('vscode.changes', title, files);
}

/** What is live; the list knows it of rows that were on the screen. */
async function activeRevision(
  { deployments }: Services,
  session: ReadySession,
  { id, active_revision_id: revisionId }: Deployment,
): Promise<Revision | undefined> {
  if (revisionId === undefined) return undefined;
  return deployments.revision(revisionId) ?? (await session.client()).revisions.get(id, revisionId);
}
