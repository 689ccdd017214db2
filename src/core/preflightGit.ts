import * as l10n from '@vscode/l10n';
import type { DeploymentDraft } from './deploymentDraft.ts';
import { shortCommit } from './drift.ts';
import type { Finding, GitState } from './preflightInput.ts';

/** Says what will be deployed in truth: what the remote has, not what the working copy has. */
export function gitFindings(draft: DeploymentDraft, git: GitState | undefined): Finding[] {
  if (git === undefined || draft.ref.name === '') {
    return [];
  }
  if (git.kind === 'detached') {
    const message = l10n.t('No branch is checked out (detached HEAD). What is deployed is {0}.', draft.ref.name);
    return [{ severity: 'warning', field: 'ref', message }];
  }
  if (draft.ref.kind !== 'branch' || draft.ref.name !== git.branch) {
    const message = l10n.t(
      '{0} is deployed; the working copy is on {1}.',
      draft.ref.name,
      git.branch ?? l10n.t('no branch'),
    );
    return [{ severity: 'info', field: 'ref', message }];
  }
  if (git.remoteName === undefined) {
    const message = l10n.t('The repository has no remote, so the service may not find {0}.', git.branch);
    return [{ severity: 'warning', field: 'repositoryUrl', message }];
  }
  if (!git.remoteBranchExists) {
    const message = l10n.t(
      '{0} does not have the branch {1}. Push it first, or fetch when somebody else has pushed it.',
      git.remoteName,
      git.branch,
    );
    return [{ severity: 'error', field: 'ref', message }];
  }
  const findings: Finding[] = [];
  const remoteBranch = `${git.remoteName}/${git.branch}`;
  if (git.configInRemote === false) {
    const message = l10n.t(
      '{0} is not in {1}. Commit and push it, or choose another config file.',
      draft.configPath,
      remoteBranch,
    );
    findings.push({ severity: 'error', field: 'configPath', message });
  }
  const left = whatStaysBehind(git.ahead, git.uncommittedFiles);
  const position =
    git.remoteCommit === undefined
      ? l10n.t('{0} is deployed', remoteBranch)
      : l10n.t('{0} is at {1}', remoteBranch, shortCommit(git.remoteCommit));
  findings.push(
    left === undefined
      ? { severity: 'info', field: 'ref', message: l10n.t('{0}.', position) }
      : { severity: 'warning', field: 'ref', message: l10n.t('{0}; {1} will not be deployed.', position, left) },
  );
  return findings;
}

function whatStaysBehind(commits: number, files: number): string | undefined {
  const commitWords = commits === 1 ? l10n.t('1 local commit') : l10n.t('{0} local commits', commits);
  const fileWords = files === 1 ? l10n.t('1 uncommitted file') : l10n.t('{0} uncommitted files', files);
  if (commits > 0 && files > 0) {
    return l10n.t('{0} and {1}', commitWords, fileWords);
  }
  if (commits > 0) {
    return commitWords;
  }
  return files > 0 ? fileWords : undefined;
}
