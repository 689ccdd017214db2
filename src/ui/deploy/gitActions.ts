import * as vscode from 'vscode';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { canPull, pushAction, type LiveAction } from '../../core/draft/liveActions.ts';
import { remoteAgeOf } from '../../core/draft/preflight/gitFindings.ts';
import type { GitState, RemoteAge } from '../../core/git/gitState.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { messageOf, UserError } from '../window/errors.ts';
import { waitForGit } from '../window/waiting.ts';
import { lastContact } from '../workspace/lastFetch.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';
import { buildProblemAt } from './deployedConfig.ts';

/** What git says of a ref. Without a clone, or with one that git can't read, it says nothing. */
export interface GitReading {
  readonly git: GitState | undefined;
  readonly unread: readonly Finding[];
}

/**
 * Reads the clone, as of the last fetch.
 * @param readsAgain whether to look for changed files, which VS Code's git may know only a moment later
 */
export async function readGit(
  repository: WorkspaceRepository | undefined,
  ref: DeploymentRef,
  readsAgain = false,
): Promise<GitReading> {
  try {
    if (readsAgain) await repository?.readAgain();
    return { git: await repository?.stateOf(ref), unread: [] };
  } catch (error) {
    return {
      git: undefined,
      unread: [finding('warning', vscode.l10n.t("Git couldn't read this clone: {0}", messageOf(error)))],
    };
  }
}

/** How old the known state of the remote's branch is; undefined for another ref, and while it is recent or unknown. */
export async function readRemoteAge(
  { root, remote, fetchUrl }: WorkspaceRepository,
  { kind, name }: DeploymentRef,
  now: number,
): Promise<RemoteAge | undefined> {
  if (kind !== 'branch') return undefined;
  return remoteAgeOf(await lastContact({ root: root.fsPath, remote, remoteUrl: fetchUrl, branch: name }), now);
}

/** Fetches from the clone's remote. Fails as `waitForGit` does. */
export async function fetchRemote(title: string, repository: WorkspaceRepository): Promise<void> {
  const words = vscode.l10n.t('Fetching from {0}…', withoutIcons(repository.remote));
  await waitForGit({ title, words }, repository.fetch(), vscode.l10n.t('The fetch failed.'));
}

async function pullBranch(title: string, repository: WorkspaceRepository, branch: string): Promise<void> {
  const words = vscode.l10n.t('Pulling from {0}…', withoutIcons(repository.remote));
  await waitForGit({ title, words }, repository.pull(branch), vscode.l10n.t('The pull failed.'));
}

/** Pulls a branch that has no commits of its own. Fails as `waitForGit` does. */
export async function runPull({ title, repository, ref }: Omit<Pushable, 'configPath'>): Promise<void> {
  const { git } = await readGit(repository, ref);
  if (!canPull(ref, git)) {
    throw new UserError(vscode.l10n.t('{0} changed in the meantime, so nothing was pulled.', ref.name));
  }
  await pullBranch(title, repository, ref.name);
}

/** What to push, and where it is built from. */
interface Pushable {
  /** The title of the progress. */
  readonly title: string;
  readonly repository: WorkspaceRepository;
  readonly ref: DeploymentRef;
  readonly configPath: string;
}

/**
 * Pushes exactly the commit of an action, or pulls first and pushes what is checked out then. Fails as `waitForGit` does.
 * @param done runs after the push, even if the user stopped waiting for it
 * @returns false if what was pulled has to be looked at before it is pushed
 */
export async function runPush(
  { title, repository, ref, configPath }: Pushable,
  action: Pick<LiveAction, 'kind' | 'commit'>,
  done: (commit: string) => void = () => undefined,
): Promise<boolean> {
  const remote = withoutIcons(repository.remote);
  let { commit } = action;
  const toPush = async (): Promise<string | undefined> => {
    const { git } = await readGit(repository, ref);
    return git === undefined ? undefined : pushAction({ ref, git, deployed: [], refusedAsBehind: true })?.commit;
  };
  if (action.kind === 'pullAndPush') {
    if ((await toPush()) !== commit) {
      throw new UserError(vscode.l10n.t('{0} changed in the meantime, so nothing was pulled or pushed.', ref.name));
    }
    await pullBranch(title, repository, ref.name);
    commit = await toPush();
    if (commit !== undefined && (await buildProblemAt(repository, { commit, configPath })) !== undefined) return false;
  }
  if (commit === undefined) return false;
  const pushed = { branch: ref.name, commit };
  const words = vscode.l10n.t('Pushing {0} to {1}…', withoutIcons(ref.name), remote);
  const push = async (): Promise<void> => {
    await repository.push(pushed);
    done(pushed.commit);
  };
  await waitForGit({ title, words }, push(), vscode.l10n.t('The push failed.'));
  return true;
}
