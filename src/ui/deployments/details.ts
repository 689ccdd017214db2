import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { shortCommit } from '../../core/git/drift.ts';
import { revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import { shortened, withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { documentUri, showDocument } from '../window/documents.ts';
import { UserError, showMessage } from '../window/errors.ts';
import { targetOf } from '../window/rowCommands.ts';
import { askChoice, back } from '../window/steps.ts';
import { gitStatus, openGit } from '../workspace/gitExtension.ts';
import { chooseDeployment, chooseDeploymentOfWorkspace, deploymentOfRow } from './chooseDeployment.ts';

/** Shows a row as a read-only YAML document that is updated while the resource changes. */
export async function openDetails(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const uri = await chooseDocument(services, session.connection.name, argument);
  if (uri !== undefined) await showDocument(uri);
}

async function chooseDocument(
  services: Services,
  connection: string,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  const { id, name, place } = targetOf(services, argument) ?? {};
  if (place !== undefined) return documentUri({ connection, place }, name ?? id ?? '');
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Open Details'));
  if (deployment === undefined) return undefined;
  return documentUri({ connection, place: { kind: 'deployment', ids: [deployment.id] } }, deployment.name);
}

/** Shows two revisions of a deployment side by side, the older one on the left. */
export async function compareRevisions(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const { deployments, views } = services;
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Compare Revisions'));
  if (deployment === undefined) return;
  const revisions = await views.deployments.whileLoading(() => deployments.newestRevisions(deployment.id));
  if (revisions.length < 2) {
    throw new UserError(vscode.l10n.t('"{0}" has only one revision, so there is nothing to compare.', deployment.name));
  }
  const row = views.deployments.rowOf(argument);
  const first =
    row?.kind === 'revision'
      ? revisions.find(({ id }) => id === row.ids[1])
      : await chooseRevision(services, deployment, revisions, vscode.l10n.t('Select a revision to compare'));
  if (first === undefined) return;
  const others = revisions.filter(({ id }) => id !== first.id);
  const second = await chooseRevision(services, deployment, others, vscode.l10n.t('Select a revision to compare with'));
  if (second === undefined) return;
  await showDifference(session.connection.name, deployment, first, second);
}

async function chooseRevision(
  { clock, deployments }: Services,
  deployment: Deployment,
  revisions: readonly Revision[],
  placeholder: string,
): Promise<Revision | undefined> {
  const items = revisions.map((revision) => {
    const observed = deployments.observe(deployment.id, revision.id);
    const { first, later } = revisionWords({ ...observed, revision: observed.revision ?? revision }, clock.now());
    return {
      revision,
      label: withoutIcons(revisionTitle(revision)),
      description: withoutIcons([...first, ...later].join(' · ')),
    };
  });
  const active = items.find(({ revision }) => revision.id === deployment.active_revision_id);
  const choice = await askChoice({ title: deployment.name, placeholder, items, active });
  return choice === undefined || choice === back ? undefined : choice.revision;
}

async function showDifference(connection: string, deployment: Deployment, a: Revision, b: Revision): Promise<void> {
  const [older, newer] = (a.created_at ?? '') <= (b.created_at ?? '') ? [a, b] : [b, a];
  const uriOf = (revision: Revision): vscode.Uri =>
    documentUri(
      { connection, place: { kind: 'revision', ids: [deployment.id, revision.id] } },
      revisionTitle(revision),
    );
  const title = vscode.l10n.t(
    '{0}: {1} ↔ {2}',
    ...[deployment.name, revisionTitle(older), revisionTitle(newer)].map((part) => shortened(part)),
  );
  await vscode.commands.executeCommand('vscode.diff', uriOf(older), uriOf(newer), title);
}

/** Shows how the open repository differs from the live commit, file by file, in VS Code's diff editor. */
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
    throw new UserError(vscode.l10n.t('The service reports no live commit for "{0}".', deployment.name));
  }
  const repository = await services.workspaceDrift.repositoryOf(deployment);
  if (repository === undefined) {
    throw new UserError(vscode.l10n.t('The repository of "{0}" isn\'t open here.', deployment.name));
  }
  const differences = await repository.diffBetween(commit, 'HEAD').catch((cause: unknown) => {
    services.log.debug('git diff', cause);
    throw new UserError(
      vscode.l10n.t("This clone doesn't have the live commit {0}. Fetch, then try again.", shortCommit(commit)),
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
    // The diff editor shows nothing if it gets a side that doesn't exist.
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

/** The live revision, as the list knows it or else from the service. */
async function activeRevision(
  { deployments }: Services,
  session: ReadySession,
  { id, active_revision_id: revisionId }: Deployment,
): Promise<Revision | undefined> {
  if (revisionId === undefined) return undefined;
  return deployments.revision(revisionId) ?? (await session.client()).revisions.get(id, revisionId);
}

interface NamedDeployment {
  readonly connection: string;
  readonly deploymentId: string;
  readonly name: string;
}

/**
 * Selects the row of a deployment of the current connection, or opens its details.
 * The list may lack the row because of a filter or a later page.
 */
export async function showDeployment({ deployments, views }: Services, deployment: NamedDeployment): Promise<void> {
  await deployments.load();
  const { deploymentId: id } = deployment;
  if (deployments.find(id) !== undefined) await views.deployments.reveal({ kind: 'deployment', ids: [id] });
  else await showDeploymentDocument(deployment);
}

/** Opens the details of a deployment of any connection. */
export async function showDeploymentDocument({ connection, deploymentId, name }: NamedDeployment): Promise<void> {
  await showDocument(documentUri({ connection, place: { kind: 'deployment', ids: [deploymentId] } }, name));
}
