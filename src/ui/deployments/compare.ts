import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { commitListText } from '../../core/git/comparison.ts';
import { shortCommit } from '../../core/git/drift.ts';
import { comparableResource } from '../../core/resources/resourceText.ts';
import { revisionCommit } from '../../core/resources/webPages.ts';
import { revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import { shortened, withoutIcons } from '../../core/text/text.ts';
import { readRevision } from '../../state/answers/ask.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { documentUri } from '../window/documentUri.ts';
import { isCancelled, UserError, showMessage } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { waitForGit, whileWaiting } from '../window/waiting.ts';
import { codeBetween, type CodeChanges, type DiffEntry, type MissingCommits } from '../workspace/codeChanges.ts';
import type { GitRepository } from '../workspace/gitExtension.ts';
import {
  chooseDeployment,
  chooseDeploymentOfWorkspace,
  deploymentOfLink,
  deploymentOfRow,
  revisionOfRow,
  type ChoiceServices,
} from './chooseDeployment.ts';

/**
 * Shows how two revisions of a deployment differ, the older one on the left: the commits between them, their records,
 * and their code if their repository is open.
 */
export async function compareRevisions(
  services: ChoiceServices & Pick<Services, 'documents'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const { views } = services;
  const title = vscode.l10n.t('Compare Revisions');
  const deployment = await chooseDeployment(services, argument, title);
  if (deployment === undefined) return;
  const revisions = await whileWaiting({ title, words: loadingRevisions(deployment) }, (signal) =>
    services.deployments.newestRevisions(deployment.id, signal),
  );
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
  const isFirstOlder = (first.created_at ?? '') <= (second.created_at ?? '');
  const [older, newer] = isFirstOlder ? [first, second] : [second, first];
  await showDifference(services, session, deployment, { older, newer });
}

/** Shows what a revision changed: how it differs from the one before. */
export async function showRevisionChanges(
  services: Pick<Services, 'answers' | 'deployments' | 'documents' | 'views' | 'workspaceDrift'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const { deployment, revision: newer } = revisionOfRow(services, argument);
  const title = vscode.l10n.t('Show Changes of This Revision');
  const older = await whileWaiting({ title, words: loadingRevisions(deployment) }, (signal) =>
    services.deployments.revisionBefore(deployment.id, newer.id, signal),
  );
  if (older === undefined) {
    throw new UserError(vscode.l10n.t('No revision of "{0}" before this one is known.', deployment.name));
  }
  await showDifference(services, session, deployment, { older, newer });
}

async function chooseRevision(
  { clock, deployments }: Pick<Services, 'clock' | 'deployments'>,
  deployment: Deployment,
  revisions: readonly Revision[],
  placeholder: string,
): Promise<Revision | undefined> {
  const items = revisions.map((revision) => {
    const observed = deployments.observe(deployment.id, revision.id);
    const { first, later } = revisionWords(
      { ...observed, revision: observed.revision ?? revision },
      { now: clock.now() },
    );
    return {
      revision,
      label: withoutIcons(revisionTitle(revision)),
      description: withoutIcons([...first, ...later].join(' · ')),
    };
  });
  const active = items.find(({ revision }) => revision.id === deployment.active_revision_id);
  const choice = await askChoice({ title: deployment.name, placeholder, items, active });
  return choice?.revision;
}

async function showDifference(
  { documents, workspaceDrift }: Pick<Services, 'documents' | 'workspaceDrift'>,
  session: ReadySession,
  deployment: Deployment,
  { older, newer }: { readonly older: Revision; readonly newer: Revision },
): Promise<void> {
  const [from, to] = [revisionCommit(older), revisionCommit(newer)];
  const title = vscode.l10n.t(
    '{0}: {1} ↔ {2}',
    ...[deployment.name, revisionTitle(older), revisionTitle(newer)].map((part) => shortened(part)),
  );
  const records = recordEntries(session.connection.name, deployment, older, newer);
  // Without git or the repository, the records can still be compared.
  const repository =
    from === undefined || to === undefined || from === to
      ? undefined
      : await workspaceDrift.repositoryOf(deployment).catch(() => undefined);
  if (repository === undefined || from === undefined || to === undefined) {
    if (records.length > 0) await showEntries(title, records);
    else await showMessage('information', vscode.l10n.t('These revisions differ only in their IDs and dates.'));
    return;
  }
  const present = await codeBetween(repository, from, to);
  if ('missing' in present && records.length > 0) await showEntries(title, records);
  const code = await codeAfterFetch(title, repository, from, to, present);
  if (code === undefined) return;
  const names = { fromName: shortCommit(from), toName: shortCommit(to) };
  const { name: connection } = session.connection;
  await showCode({ documents, connection, deployment, title, ...names }, code, records);
}

/** The records of two revisions, if they differ in more than their ids and dates. */
function recordEntries(connection: string, { id }: Deployment, older: Revision, newer: Revision): readonly DiffEntry[] {
  const [before, after] = [older, newer].map((revision) => JSON.stringify(comparableResource(revision)));
  if (before === after) return [];
  const [left, right] = [older, newer].map((revision) =>
    documentUri({ connection, place: { kind: 'comparedRevision', ids: [id, revision.id] } }, revisionTitle(revision)),
  );
  return right === undefined ? [] : [[right, left, right]];
}

/** Shows how the open repository differs from the live commit: the commits, and the code file by file. */
export async function showChangesSinceLive(
  services: ChoiceServices & Pick<Services, 'connections' | 'documents'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const command = vscode.l10n.t('Show Changes Since Live');
  const linked = deploymentOfLink(services, argument);
  const deployment =
    linked?.deployment ?? deploymentOfRow(services, argument) ?? (await chooseDeploymentOfWorkspace(services, command));
  if (deployment === undefined) return;
  const connection = linked?.connection ?? session.connection.name;
  const { id: deploymentId, active_revision_id: revisionId } = deployment;
  const waiting = { title: command, words: loadingRevisions(deployment) };
  const active =
    revisionId === undefined
      ? undefined
      : await whileWaiting(waiting, (signal) =>
          readRevision(services, { connection, deploymentId, revisionId }, { signal }),
        );
  const commit = revisionCommit(active);
  if (commit === undefined) {
    throw new UserError(vscode.l10n.t('The service reports no live commit for "{0}".', deployment.name));
  }
  const repository = await services.workspaceDrift.repositoryOf(deployment);
  if (repository === undefined) {
    throw new UserError(vscode.l10n.t('The repository of "{0}" isn\'t open here.', deployment.name));
  }
  const title = vscode.l10n.t('{0}: live {1} ↔ HEAD', deployment.name, shortCommit(commit));
  const code = await codeAfterFetch(title, repository, commit, 'HEAD');
  if (code === undefined) return;
  if (code.fileCount === 0 && code.ahead.length === 0 && code.behind.length === 0) {
    await showMessage(
      'information',
      vscode.l10n.t(
        '"{0}" is up to date: the live commit {1} is checked out here.',
        deployment.name,
        shortCommit(commit),
      ),
    );
    return;
  }
  await showCode({ documents: services.documents, connection, deployment, title, toName: 'HEAD' }, code);
}

/**
 * The code between two commits, after offering to fetch those that the clone lacks. Undefined if the user declines.
 * @throws {UserError} the clone lacks them also after the fetch
 */
async function codeAfterFetch(
  title: string,
  repository: GitRepository,
  from: string,
  to: string,
  first?: CodeChanges | MissingCommits,
): Promise<CodeChanges | undefined> {
  const code = first ?? (await codeBetween(repository, from, to));
  if (!('missing' in code)) return code;
  const fetch = vscode.l10n.t('Fetch');
  const message = vscode.l10n.t("This clone doesn't have {0}. Fetch to compare the code.", namesOf(code));
  if ((await showMessage('warning', message, [fetch])) !== fetch) return undefined;
  const words = vscode.l10n.t('Fetching…');
  // Any of the remotes may be the one that is deployed.
  const fetching = waitForGit({ title, words }, repository.fetch({ all: true }), vscode.l10n.t('The fetch failed.'));
  const failure = await fetching.catch((error: Error) => error);
  if (isCancelled(failure)) throw failure;
  // Git goes on with the other remotes if one fails.
  const fetched = await codeBetween(repository, from, to);
  if (!('missing' in fetched)) return fetched;
  if (failure !== undefined) throw failure;
  throw new UserError(
    vscode.l10n.t(
      'This clone lacks {0} also after the fetch. It may have been removed from the remote.',
      namesOf(fetched),
    ),
  );
}

function namesOf({ missing }: MissingCommits): string {
  return missing.map(shortCommit).join(', ');
}

interface ShownCode {
  readonly documents: Services['documents'];
  readonly connection: string;
  readonly deployment: Deployment;
  readonly title: string;
  /** Missing for what is live. */
  readonly fromName?: string;
  readonly toName: string;
}

/** Shows commits, records and files in one editor. */
async function showCode(
  { documents, connection, deployment, title, fromName, toName }: ShownCode,
  { files, fileCount, ahead, behind }: CodeChanges,
  records: readonly DiffEntry[] = [],
): Promise<void> {
  const text = commitListText({ from: fromName, to: toName, ahead, behind });
  const name = `${connection}/${deployment.name}/${vscode.l10n.t('Commits')}`;
  const list = text === undefined ? undefined : documents.keepText(name, text, 'txt');
  const commits: readonly DiffEntry[] = list === undefined ? [] : [[list, undefined, list]];
  const isCut = files.length < fileCount;
  const shownTitle = isCut ? vscode.l10n.t('{0} (first {1} of {2} files)', title, files.length, fileCount) : title;
  await showEntries(shownTitle, [...commits, ...records, ...files]);
}

async function showEntries(title: string, entries: readonly DiffEntry[]): Promise<void> {
  await vscode.commands.executeCommand('vscode.changes', title, entries);
}

function loadingRevisions({ name }: Deployment): string {
  return vscode.l10n.t('Loading revisions of {0}…', withoutIcons(name));
}
