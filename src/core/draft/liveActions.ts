import * as l10n from '@vscode/l10n';
import { commitCount } from '../git/drift.ts';
import type { DeploymentRef } from '../git/deploymentRef.ts';
import { isRefName } from './fieldProblem.ts';
import { finding, type Finding } from './findings.ts';
import type { GitState, RemoteAge } from '../git/gitState.ts';
import { firstNames } from '../text/text.ts';
import { whatStaysBehind } from './preflight/gitFindings.ts';

/** A deployment that is built from the ref already. */
export interface DeployedRef {
  readonly id: string;
  readonly name: string;
  /** Whether it is another application of the ref, which only a push concerns as well. */
  readonly isOther?: boolean;
  /** Undefined if the service doesn't say. */
  readonly buildsOnPush: boolean | undefined;
  /** The commit that is live, by the verdict on its revision. Undefined if nothing is live or that isn't known. */
  readonly liveCommit: string | undefined;
  /** Whether the service has a web page for it. */
  readonly hasPage: boolean;
  /** The revision that the service can deploy again, as its title and commit. Undefined if it can't. */
  readonly again?: { readonly title: string; readonly commit: string | undefined } | undefined;
}

/** A ref that is deployed already, and what is known of it here. */
export interface DeployedSituation {
  readonly ref: DeploymentRef;
  /** The user's own choice comes first. */
  readonly deployed: readonly DeployedRef[];
  /** Undefined if the repository isn't open here or can't be read. */
  readonly git: GitState | undefined;
  /** Whether the remote has refused a push because it has commits that this clone lacks. */
  readonly refusedAsBehind?: boolean;
  /** How old the known state of the remote's branch is; undefined while that is recent or unknown. */
  readonly remoteAge?: RemoteAge | undefined;
  /** Why a build of the commit that is checked out will fail, as a phrase. Undefined if nothing says so. */
  readonly problem?: string | undefined;
}

/** Something that a user can do about a ref that is deployed already. */
export interface LiveAction {
  readonly kind: 'push' | 'pullAndPush' | 'deployAgain' | 'rebuild' | 'show' | 'openPage' | 'deployNew';
  readonly label: string;
  /** The commit to push, or the remote's commit to build again. */
  readonly commit?: string;
  /** Why it won't work, as a phrase. Such an action isn't suggested. */
  readonly problem?: string | undefined;
  /** The deployments that it is about. Empty for a new one. */
  readonly deployments: readonly DeployedRef[];
}

/**
 * What a user can do to bring a ref live that is deployed already, the likeliest first, and findings about it.
 * The interface has no request to build again, so only a push does, except where a service can do more.
 */
export function liveActions(situation: DeployedSituation): {
  readonly actions: readonly LiveAction[];
  readonly findings: readonly Finding[];
} {
  const { deployed } = situation;
  const push = pushAction(situation);
  const actionsOf = (those: readonly DeployedRef[]): readonly LiveAction[] => [
    ...those.map((one): LiveAction => ({ kind: 'show', label: showLabel(one, situation), deployments: [one] })),
    ...those.flatMap(deployAgainAction),
  ];
  const actions: readonly LiveAction[] = [
    ...(push === undefined ? [] : [push]),
    ...actionsOf(deployed.filter(({ isOther }) => isOther !== true)),
    ...rebuildActions(situation),
    ...deployed.flatMap(pageAction),
    { kind: 'deployNew', label: l10n.t('Deploy as a new deployment…'), deployments: [] },
    ...actionsOf(deployed.filter(({ isOther }) => isOther === true)),
  ];
  return { actions, findings: [...branchFindings(situation), ...deployed.flatMap(pushFindings)] };
}

function isHere({ ref, git }: DeployedSituation): boolean {
  return ref.kind === 'branch' && git?.branch === ref.name;
}

function namesOf(deployments: readonly DeployedRef[]): string {
  return firstNames(deployments.map(({ name }) => name));
}

/** A push of the commit that is checked out, after a pull if the remote has other commits. */
export function pushAction(situation: DeployedSituation): LiveAction | undefined {
  const { ref, git, deployed, problem } = situation;
  if (git?.headCommit === undefined || !isHere(situation) || !isRefName(ref.name)) return undefined;
  const commits = pushLabel(ref.name, situation, git);
  if (commits === undefined) return undefined;
  const label = git.followsTags === true ? l10n.t('{0}, with annotated tags', commits) : commits;
  const rebuilt = deployed.filter(({ buildsOnPush }) => buildsOnPush === true);
  // The reason why it will fail needs the room.
  const isShort = rebuilt.length === 0 || problem !== undefined;
  const whole = isShort ? label : l10n.t('{0} (rebuilds {1})', label, namesOf(rebuilt));
  const kind = isBehind(situation) ? 'pullAndPush' : 'push';
  const deployments = deployed.filter(({ buildsOnPush }) => buildsOnPush !== false);
  return { kind, label: whole, deployments, commit: git.headCommit, problem };
}

/** Whether a pull brings the branch that is checked out to the remote's commit, because it has none of its own. */
export function canPull(ref: DeploymentRef, git: GitState | undefined): boolean {
  if (git === undefined || ref.kind !== 'branch' || git.branch !== ref.name) return false;
  return git.tracksRemote === true && git.ahead === 0 && (git.behind ?? 0) > 0;
}

/** Whether the remote has commits that the branch here lacks, as of the last fetch or push. */
function isBehind({ git, refusedAsBehind = false }: DeployedSituation): boolean {
  return refusedAsBehind || (git?.behind ?? 0) > 0;
}

function pushLabel(branch: string, situation: DeployedSituation, git: GitState): string | undefined {
  const { remoteBranchExists, ahead, tracksRemote = false } = git;
  if (!remoteBranchExists) return l10n.t('Push the branch {0}', branch);
  if (ahead === 0) return undefined;
  if (!isBehind(situation)) {
    return ahead === 1
      ? l10n.t('Push 1 commit to {0}', branch)
      : l10n.t('Push {0} commits to {1}', commitCount(ahead), branch);
  }
  if (!tracksRemote) return undefined;
  return ahead === 1
    ? l10n.t('Pull, then push 1 commit to {0}', branch)
    : l10n.t('Pull, then push {0} commits to {1}', commitCount(ahead), branch);
}

function deployAgainAction(deployed: DeployedRef): readonly LiveAction[] {
  const { name, again } = deployed;
  if (again === undefined) return [];
  return [{ kind: 'deployAgain', label: l10n.t('Deploy {0} again: {1}', name, again.title), deployments: [deployed] }];
}

function pageAction(deployed: DeployedRef): readonly LiveAction[] {
  const { name, buildsOnPush, hasPage } = deployed;
  if (buildsOnPush !== false || !hasPage) return [];
  return [{ kind: 'openPage', label: l10n.t('Open the service page of {0}', name), deployments: [deployed] }];
}

/**
 * An empty commit on top of what the remote has, where there is nothing else to push.
 * The service may have missed a push. Otherwise, it can deploy the remote's commit again if it can do that at all.
 */
function rebuildActions({ ref, git, deployed }: DeployedSituation): readonly LiveAction[] {
  const isMissed = ({ again }: DeployedRef): boolean =>
    again === undefined || (again.commit !== undefined && again.commit !== git?.remoteCommit);
  const rebuilt = deployed.filter((one) => one.buildsOnPush === true && isMissed(one));
  const isThere = ref.kind === 'branch' && isRefName(ref.name) && git?.remoteBranchExists === true;
  if (rebuilt.length === 0 || !isThere || git.remoteCommit === undefined || git.ahead > 0) return [];
  const label = l10n.t('Rebuild {0}: push an empty commit to {1}', namesOf(rebuilt), ref.name);
  return [{ kind: 'rebuild', label, deployments: rebuilt, commit: git.remoteCommit }];
}

function showLabel({ name, liveCommit }: DeployedRef, { ref, git }: DeployedSituation): string {
  return liveCommit !== undefined && liveCommit === git?.remoteCommit && git.ahead === 0
    ? l10n.t('{0} is up to date. Show {1}', ref.name, name)
    : l10n.t('Show {0}', name);
}

/** Says what won't become live, and why nothing can be pushed. */
function branchFindings(situation: DeployedSituation): readonly Finding[] {
  const { ref, git, remoteAge } = situation;
  if (git === undefined || ref.kind !== 'branch') return [];
  if (!isHere(situation)) {
    return [finding('info', l10n.t("{0} isn't checked out, so it can't be pushed from here.", ref.name))];
  }
  const { behind = 0, remoteName, uncommittedFiles } = git;
  const remoteBranch = `${remoteName}/${ref.name}`;
  const findings: Finding[] = [];
  if (isBehind(situation)) findings.push(finding('warning', newCommits(remoteBranch, behind)));
  else if (remoteAge !== undefined) findings.push(finding('info', ageWords(remoteBranch, remoteAge)));
  const left = whatStaysBehind(0, uncommittedFiles);
  if (left !== undefined) findings.push(finding('warning', l10n.t('{0} will not be deployed.', left)));
  return findings;
}

/** Says when the remote was heard of last, because it may be ahead by now. */
function ageWords(remoteBranch: string, { kind, age }: RemoteAge): string {
  return kind === 'fetched'
    ? l10n.t('{0} was last fetched {1}.', remoteBranch, age)
    : l10n.t('{0} was last updated here {1}.', remoteBranch, age);
}

/** Says that the remote is ahead. Zero commits: it refused a push, so their number isn't known. */
function newCommits(remoteBranch: string, count: number): string {
  if (count === 0) return l10n.t('{0} has new commits.', remoteBranch);
  return count === 1
    ? l10n.t('{0} has 1 new commit.', remoteBranch)
    : l10n.t('{0} has {1} new commits.', remoteBranch, commitCount(count));
}

/** Says that a push doesn't build, or that the service doesn't tell. */
function pushFindings({ name, buildsOnPush, hasPage, again }: DeployedRef): readonly Finding[] {
  if (buildsOnPush === true) return [];
  if (buildsOnPush === undefined) {
    return [finding('info', l10n.t("The service doesn't say whether a push rebuilds {0}.", name))];
  }
  if (again !== undefined) return [finding('info', l10n.t('Build on push is off for {0}.', name))];
  return [
    finding(
      'info',
      hasPage
        ? l10n.t("Build on push is off for {0}, and the service has no rebuild. Use the service's page.", name)
        : l10n.t('Build on push is off for {0}, and the service has no rebuild.', name),
    ),
  ];
}
