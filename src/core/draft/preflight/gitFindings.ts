import * as l10n from '@vscode/l10n';
import { commitCount, shortCommit } from '../../git/drift.ts';
import { formatAge } from '../../status/duration.ts';
import { pushedElsewhere } from '../../git/remotes.ts';
import type { RepositoryDraft } from '../draft.ts';
import type { DeploymentRef } from '../../git/deploymentRef.ts';
import { shortened } from '../../text/text.ts';
import { finding, type Finding, type PreflightInput } from '../findings.ts';
import type { GitState, RemoteAge, RemoteContact } from '../../git/gitState.ts';

/**
 * Describes what will be deployed: the state of the remote, not of the working copy.
 * The remote may have changed since the last fetch. Missing branches and files are errors only if the remote's state is
 * certain.
 */
export function gitFindings({ draft, git, subject, remoteAge, remoteIsCertain = false }: PreflightInput): Finding[] {
  if (draft.source !== 'repohost' || git === undefined || draft.ref.name === '') {
    return [];
  }
  const { kind, name } = draft.ref;
  if (kind !== 'branch') {
    return [fixedRef(draft.ref, git, subject, remoteIsCertain)];
  }
  const { remoteName, remoteCommit, remoteBranchExists, remotes = [] } = git;
  // If the local commits are on another remote, that one may be meant.
  const pushed = pushedElsewhere(remoteName, remotes);
  const elsewhere =
    pushed === undefined ? [] : [finding('warning', l10n.t('{0} is {1}.', name, pushed), 'repositoryUrl')];
  if (!remoteBranchExists || remoteCommit === undefined) {
    return [missingBranch(remoteName, name, remoteIsCertain), ...elsewhere];
  }
  const position = positionOf(`${remoteName}/${name}`, commitWords(remoteCommit, subject), remoteAge);
  return [...elsewhere, whatIsDeployed(position, name, git)];
}

/** Whether the ref to deploy is checked out. Then the working copy has the files to deploy. */
export function isCheckedOut({ ref }: RepositoryDraft, git: GitState): boolean {
  return ref.kind === 'branch'
    ? ref.name === git.branch
    : git.remoteCommit !== undefined && git.remoteCommit === git.headCommit;
}

/** Whether the working copy and the ref to deploy are identical. */
export function isSameAsRemote(draft: RepositoryDraft, git: GitState | undefined): boolean {
  return (
    git !== undefined &&
    git.remoteBranchExists &&
    isCheckedOut(draft, git) &&
    git.ahead === 0 &&
    (git.behind ?? 0) === 0 &&
    git.uncommittedFiles === 0
  );
}

/** A commit as people know it: the start of its ID, and what its message says first. */
function commitWords(commit: string, subject = ''): string {
  return subject === '' ? shortCommit(commit) : l10n.t('{0} "{1}"', shortCommit(commit), shortened(subject));
}

/** Describes a tag or a commit. Unlike a branch, it doesn't move. */
function fixedRef(
  { kind, name }: DeploymentRef,
  git: GitState,
  subject: string | undefined,
  remoteIsCertain: boolean,
): Finding {
  if (git.remoteCommit === undefined) {
    const message =
      kind === 'tag'
        ? l10n.t('This clone has no tag {0}. Fetch it, or check the name.', name)
        : l10n.t('This clone has no commit {0}. Fetch it, or check the ID.', shortCommit(name));
    return finding('warning', message, 'ref');
  }
  const commit = shortCommit(git.remoteCommit);
  // A service that builds from this clone knows its tags, pushed or not.
  if (!git.remoteBranchExists && !(kind === 'tag' && remoteIsCertain)) {
    const message = remoteIsCertain
      ? l10n.t('No branch of {0} has {1}. Push it first.', git.remoteName, commit)
      : l10n.t('As of the last fetch, no branch of {0} has {1}. Push it first.', git.remoteName, commit);
    return finding(remoteIsCertain ? 'error' : 'warning', message, 'ref');
  }
  const words = commitWords(git.remoteCommit, subject);
  const position = kind === 'tag' ? tagPosition(name, words, remoteIsCertain) : l10n.t('{0} will be deployed', words);
  const found = whereItIs(position, git);
  // Git notes which branches a remote has, but not which tags.
  if (kind !== 'tag' || remoteIsCertain) return found;
  const message = l10n.t("{0} Push the tag if {1} doesn't have it.", found.message, git.remoteName);
  return finding(found.severity, message, 'ref');
}

/** Says where the working copy is, compared with a tag or a commit. */
function whereItIs(position: string, git: GitState): Finding {
  if (git.headCommit !== git.remoteCommit) {
    const place = git.branch ?? l10n.t('no branch (detached HEAD)');
    return finding('info', l10n.t('{0}; the working copy is on {1}.', position, place), 'ref');
  }
  const left = whatStaysBehind(0, git.uncommittedFiles);
  return left === undefined
    ? finding('info', l10n.t('{0}.', position), 'ref')
    : finding('warning', l10n.t('{0}; {1} will not be deployed.', position, left), 'ref');
}

function tagPosition(tag: string, commit: string, remoteIsCertain: boolean): string {
  return remoteIsCertain ? l10n.t('{0} is at {1}', tag, commit) : l10n.t('{0} is at {1} in this clone', tag, commit);
}

function missingBranch(remote: string, branch: string, isCertain: boolean): Finding {
  const message = isCertain
    ? l10n.t('{0} has no branch {1}. Push it first, or fetch if someone else has pushed it.', remote, branch)
    : l10n.t(
        'As of the last fetch, {0} has no branch {1}. Push it first, or fetch if someone else has pushed it.',
        remote,
        branch,
      );
  return finding(isCertain ? 'error' : 'warning', message, 'ref');
}

/** Time after which the remote may well have moved, in milliseconds. */
const longestFresh = 5 * 60_000;

/** How old the known state of the remote's branch is. Undefined while that is recent. */
export function remoteAgeOf(contact: RemoteContact | undefined, now: number): RemoteAge | undefined {
  if (contact === undefined || now - contact.time <= longestFresh) return undefined;
  return { kind: contact.kind, age: formatAge(contact.time, now) };
}

function positionOf(remoteBranch: string, commit: string, known: RemoteAge | undefined): string {
  if (known === undefined) return l10n.t('{0} is at {1}', remoteBranch, commit);
  return known.kind === 'fetched'
    ? l10n.t('{0} was at {1} when last fetched {2}', remoteBranch, commit, known.age)
    : l10n.t('{0} was at {1} when last updated here {2}', remoteBranch, commit, known.age);
}

function whatIsDeployed(position: string, deployed: string, git: GitState): Finding {
  const { branch, ahead, behind = 0, uncommittedFiles } = git;
  if (branch === undefined) {
    return finding('warning', l10n.t('{0}; no branch is checked out here (detached HEAD).', position), 'ref');
  }
  if (branch !== deployed) {
    return finding('info', l10n.t('{0}; the working copy is on {1}.', position, branch), 'ref');
  }
  const left = whatStaysBehind(ahead, uncommittedFiles);
  if (left !== undefined) {
    return finding('warning', l10n.t('{0}; {1} will not be deployed.', position, left), 'ref');
  }
  if (behind > 0) {
    const commits = behind === 1 ? l10n.t('1 commit') : l10n.t('{0} commits', commitCount(behind));
    return finding('info', l10n.t('{0}, {1} ahead of the working copy.', position, commits), 'ref');
  }
  return finding('info', l10n.t('{0}.', position), 'ref');
}

/** The local commits and files that the remote lacks, in words. Undefined if there are none. */
export function whatStaysBehind(commits: number, files: number): string | undefined {
  const commitWords = commits === 1 ? l10n.t('1 local commit') : l10n.t('{0} local commits', commitCount(commits));
  const fileWords = files === 1 ? l10n.t('1 uncommitted file') : l10n.t('{0} uncommitted files', files);
  if (commits > 0 && files > 0) {
    return l10n.t('{0} and {1}', commitWords, fileWords);
  }
  if (commits > 0) {
    return commitWords;
  }
  return files > 0 ? fileWords : undefined;
}
