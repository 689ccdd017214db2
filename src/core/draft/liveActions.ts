import * as l10n from '@vscode/l10n';
import { commitCount } from '../git/drift.ts';
import type { DeploymentRef } from './draft.ts';
import { finding, type ExistingDeployment, type Finding } from './findings.ts';
import type { GitState } from '../git/gitState.ts';
import { whatStaysBehind } from './preflight/gitFindings.ts';

/** A deployment that is built from the ref already. */
export interface DeployedRef extends Pick<ExistingDeployment, 'id' | 'name' | 'buildsOnPush'> {
  /** The commit that is live, by the verdict on its revision. Undefined if nothing is live or that isn't known. */
  readonly liveCommit: string | undefined;
  /** Whether the service has a web page for it. */
  readonly hasPage: boolean;
}

/** A ref that is deployed already, and what is known of it here. */
export interface DeployedSituation {
  readonly ref: DeploymentRef;
  /** At least one; the user's own choice comes first. */
  readonly deployed: readonly DeployedRef[];
  /** Undefined if the repository isn't open here or can't be read. */
  readonly git: GitState | undefined;
}

/** Something that a user can do about a ref that is deployed already. */
export interface LiveAction {
  readonly kind: 'push' | 'rebuild' | 'show' | 'openPage' | 'deployNew';
  readonly label: string;
  /** The deployments that it is about. Empty for a new one. */
  readonly deployments: readonly DeployedRef[];
}

/**
 * What a user can do to bring a ref live that is deployed already, the likeliest first, and findings about it.
 * Only a push makes a service build again; the interface has no request for it.
 */
export function liveActions(situation: DeployedSituation): {
  readonly actions: readonly LiveAction[];
  readonly findings: readonly Finding[];
} {
  const { deployed } = situation;
  const paged = deployed.filter(({ buildsOnPush, hasPage }) => buildsOnPush === false && hasPage);
  const actions: readonly LiveAction[] = [
    ...pushActions(situation),
    ...deployed.map((one): LiveAction => ({ kind: 'show', label: showLabel(one, situation), deployments: [one] })),
    ...rebuildActions(situation),
    ...paged.map((one): LiveAction => ({
      kind: 'openPage',
      label: l10n.t('Open the service page of {0}', one.name),
      deployments: [one],
    })),
    { kind: 'deployNew', label: l10n.t('Deploy as a new deployment…'), deployments: [] },
  ];
  return { actions, findings: [...branchFindings(situation), ...deployed.flatMap(pushFindings)] };
}

function isHere({ ref, git }: DeployedSituation): boolean {
  return ref.kind === 'branch' && git?.kind === 'branch' && git.branch === ref.name;
}

/** Those that a push may make the service build. */
function builtOnPush({ deployed }: DeployedSituation): readonly DeployedRef[] {
  return deployed.filter(({ buildsOnPush }) => buildsOnPush !== false);
}

function namesOf(deployments: readonly DeployedRef[]): string {
  return deployments.map(({ name }) => name).join(', ');
}

/** A push of the checked-out branch, unless the remote would reject it because it has other commits. */
function pushActions(situation: DeployedSituation): readonly LiveAction[] {
  const { ref, git } = situation;
  if (git === undefined || !isHere(situation)) return [];
  const label = pushLabel(ref.name, git);
  if (label === undefined) return [];
  const rebuilt = situation.deployed.filter(({ buildsOnPush }) => buildsOnPush === true);
  const whole = rebuilt.length === 0 ? label : l10n.t('{0} (rebuilds {1})', label, namesOf(rebuilt));
  return [{ kind: 'push', label: whole, deployments: builtOnPush(situation) }];
}

function pushLabel(branch: string, { remoteBranchExists, ahead, behind = 0 }: GitState): string | undefined {
  if (!remoteBranchExists) return l10n.t('Push the branch {0}', branch);
  if (ahead === 0 || behind > 0) return undefined;
  return ahead === 1
    ? l10n.t('Push 1 commit to {0}', branch)
    : l10n.t('Push {0} commits to {1}', commitCount(ahead), branch);
}

/** An empty commit, where it can hold nothing else and the remote has all that is before it. */
function rebuildActions(situation: DeployedSituation): readonly LiveAction[] {
  const { ref, git } = situation;
  const rebuilt = situation.deployed.filter(({ buildsOnPush }) => buildsOnPush === true);
  if (rebuilt.length === 0 || !isLevel(situation) || git === undefined || git.stagedFiles > 0) return [];
  const label = l10n.t('Rebuild {0}: push an empty commit to {1}', namesOf(rebuilt), ref.name);
  return [{ kind: 'rebuild', label, deployments: rebuilt }];
}

/** Whether the branch is checked out and equals the remote's, as of the last fetch. */
function isLevel(situation: DeployedSituation): boolean {
  const { git } = situation;
  return isHere(situation) && git?.remoteBranchExists === true && git.ahead === 0 && (git.behind ?? 0) === 0;
}

function showLabel({ name, liveCommit }: DeployedRef, { ref, git }: DeployedSituation): string {
  return liveCommit !== undefined && liveCommit === git?.remoteCommit && git.ahead === 0
    ? l10n.t('Show {0}, {1} is live as it is', name, ref.name)
    : l10n.t('Show {0}', name);
}

/** Says what won't become live, and why nothing can be pushed. */
function branchFindings(situation: DeployedSituation): readonly Finding[] {
  const { ref, git } = situation;
  if (git === undefined || ref.kind !== 'branch') return [];
  if (!isHere(situation)) {
    return [finding('info', l10n.t("{0} isn't checked out, so it can't be pushed from here.", ref.name))];
  }
  const { ahead, behind = 0, remoteName = '', uncommittedFiles, stagedFiles } = git;
  const remoteBranch = `${remoteName}/${ref.name}`;
  const findings: Finding[] = [];
  if (behind > 0 && ahead > 0) {
    findings.push(finding('warning', l10n.t('{0} and {1} have diverged. Pull, then push.', ref.name, remoteBranch)));
  } else if (behind > 0) {
    const commits = behind === 1 ? l10n.t('1 commit') : l10n.t('{0} commits', commitCount(behind));
    findings.push(finding('info', l10n.t('{0} is {1} ahead of the working copy.', remoteBranch, commits)));
  }
  const left = whatStaysBehind(0, uncommittedFiles);
  if (left !== undefined) findings.push(finding('warning', l10n.t('{0} will not be deployed.', left)));
  const builds = situation.deployed.some(({ buildsOnPush }) => buildsOnPush === true);
  if (stagedFiles > 0 && builds && isLevel(situation)) {
    findings.push(
      finding('info', l10n.t('To rebuild with an empty commit, unstage or commit the staged files first.')),
    );
  }
  return findings;
}

/** Says that a push doesn't build, or that the service doesn't tell. */
function pushFindings({ name, buildsOnPush, hasPage }: DeployedRef): readonly Finding[] {
  if (buildsOnPush === true) return [];
  if (buildsOnPush === undefined) {
    return [finding('info', l10n.t("The service doesn't say whether a push rebuilds {0}.", name))];
  }
  return [
    finding(
      'info',
      hasPage
        ? l10n.t("A push doesn't rebuild {0}, and the interface can't. Rebuild it on the service's page.", name)
        : l10n.t("A push doesn't rebuild {0}, and the interface can't.", name),
    ),
  ];
}
