import * as vscode from 'vscode';
import type { DeploymentRef } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import type { GitState } from '../../core/git/gitState.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { isCancelled, messageOf, UserError } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/steps.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';

/** What git says of a ref. Without a clone, or with one that git can't read, it says nothing. */
export interface GitReading {
  readonly git: GitState | undefined;
  readonly unread: readonly Finding[];
}

/** Reads the clone, as of the last fetch. */
export async function readGit(repository: WorkspaceRepository | undefined, ref: DeploymentRef): Promise<GitReading> {
  try {
    return { git: await repository?.stateOf(ref), unread: [] };
  } catch (error) {
    return {
      git: undefined,
      unread: [finding('warning', vscode.l10n.t("Git couldn't read this clone: {0}", messageOf(error)))],
    };
  }
}

/**
 * Fetches from the clone's remote.
 * @throws {UserError} git failed, or the user stopped waiting
 */
export async function fetchRemote(title: string, repository: WorkspaceRepository): Promise<void> {
  const words = vscode.l10n.t('Fetching from {0}…', withoutIcons(repository.remote));
  await waitForGit({ title, words }, repository.fetch(), (reason) => vscode.l10n.t('The fetch failed: {0}', reason));
}

/**
 * Pushes a branch.
 * @param pushed runs after the push, even if the user stopped waiting for it
 * @throws {UserError} git failed, or the user stopped waiting
 */
export async function pushToRemote(
  title: string,
  repository: WorkspaceRepository,
  branch: string,
  { pushed, failed = (reason) => vscode.l10n.t('The push failed: {0}', reason) }: PushOptions = {},
): Promise<void> {
  const words = vscode.l10n.t('Pushing {0} to {1}…', withoutIcons(branch), withoutIcons(repository.remote));
  await waitForGit({ title, words }, repository.push(branch).then(pushed), failed);
}

interface PushOptions {
  readonly pushed?: () => void;
  readonly failed?: (reason: string) => string;
}

/**
 * Shows progress. Git can't be stopped from here; canceling only stops the wait.
 * @throws {UserError} git failed, with its words
 */
export async function waitForGit(
  waiting: Parameters<typeof whileWaiting>[0],
  task: Promise<void>,
  failed: (reason: string) => string,
): Promise<void> {
  try {
    await whileWaiting(waiting, (signal) => unlessAborted(task, signal));
  } catch (error) {
    if (isCancelled(error)) throw new UserError(vscode.l10n.t('Stopped waiting. Git may still finish.'));
    throw new UserError(failed(messageOf(error)), [], { cause: error });
  }
}
