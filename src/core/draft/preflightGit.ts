import * as l10n from '@vscode/l10n';
import { commitCount, shortCommit } from '../git/drift.ts';
import type { DeploymentDraft } from './draft.ts';
import type { Finding, GitState, PreflightInput } from './findings.ts';

/**
 * Describes what will be deployed: the state of the remote, not of the working copy.
 * The remote may have changed since the last fetch. Missing branches and files are errors only if the remote's state is
 * certain.
 */
export function gitFindings({ draft, git, remoteIsCertain = false }: PreflightInput): Finding[] {
  if (git === undefined || draft.ref.name === '') {
    return [];
  }
  const checkedOut = git.kind === 'branch' ? git.branch : undefined;
  if (draft.ref.kind !== 'branch') {
    const place = checkedOut ?? l10n.t('no branch (detached HEAD)');
    const message = l10n.t('{0} is deployed; the working copy is on {1}.', draft.ref.name, place);
    return [{ severity: 'info', field: 'ref', message }];
  }
  if (git.remoteName === undefined) {
    const message = l10n.t('The repository has no remote, so the service may not find {0}.', draft.ref.name);
    return [{ severity: 'warning', field: 'repositoryUrl', message }];
  }
  if (!git.remoteBranchExists) {
    return [missingBranch(git.remoteName, draft.ref.name, remoteIsCertain)];
  }
  const remoteBranch = `${git.remoteName}/${draft.ref.name}`;
  const truth = whatIsDeployed(remoteBranch, draft.ref.name, checkedOut, git);
  return [...configFindings(remoteBranch, draft.configPath, git, remoteIsCertain), { ...truth, field: 'ref' }];
}

/** Whether the working copy and the remote's branch are identical. */
export function isSameAsRemote(draft: DeploymentDraft, git: GitState | undefined): boolean {
  return (
    git?.kind === 'branch' &&
    git.remoteBranchExists &&
    draft.ref.kind === 'branch' &&
    draft.ref.name === git.branch &&
    git.ahead === 0 &&
    (git.behind ?? 0) === 0 &&
    git.uncommittedFiles === 0
  );
}

function missingBranch(remote: string, branch: string, isCertain: boolean): Finding {
  const message = isCertain
    ? l10n.t('{0} has no branch {1}. Push it first, or fetch if someone else has pushed it.', remote, branch)
    : l10n.t(
        'As of the last fetch, {0} has no branch {1}. Push it first, or fetch if someone else has pushed it.',
        remote,
        branch,
      );
  return { severity: isCertain ? 'error' : 'warning', field: 'ref', message };
}

function configFindings(remoteBranch: string, configPath: string, git: GitState, isCertain: boolean): Finding[] {
  if (git.configInRemote !== false) {
    return [];
  }
  const message = isCertain
    ? l10n.t('{0} is not in {1}. Commit and push it, or choose another config file.', configPath, remoteBranch)
    : l10n.t(
        'As of the last fetch, {0} is not in {1}. Commit and push it, fetch, or choose another config file.',
        configPath,
        remoteBranch,
      );
  return [{ severity: isCertain ? 'error' : 'warning', field: 'configPath', message }];
}

function whatIsDeployed(
  remoteBranch: string,
  deployed: string,
  checkedOut: string | undefined,
  git: GitState,
): Pick<Finding, 'severity' | 'message'> {
  const position =
    git.remoteCommit === undefined
      ? l10n.t('{0} is deployed', remoteBranch)
      : l10n.t('{0} is at {1}', remoteBranch, shortCommit(git.remoteCommit));
  if (checkedOut === undefined) {
    const message = l10n.t('{0}; no branch is checked out here (detached HEAD).', position);
    return { severity: 'warning', message };
  }
  if (checkedOut !== deployed) {
    return { severity: 'info', message: l10n.t('{0}; the working copy is on {1}.', position, checkedOut) };
  }
  const left = whatStaysBehind(git.ahead, git.uncommittedFiles);
  if (left !== undefined) {
    return { severity: 'warning', message: l10n.t('{0}; {1} will not be deployed.', position, left) };
  }
  const more = git.behind ?? 0;
  if (more > 0) {
    const commits = more === 1 ? l10n.t('1 commit') : l10n.t('{0} commits', commitCount(more));
    return { severity: 'info', message: l10n.t('{0}, {1} ahead of the working copy.', position, commits) };
  }
  return { severity: 'info', message: l10n.t('{0}.', position) };
}

function whatStaysBehind(commits: number, files: number): string | undefined {
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
