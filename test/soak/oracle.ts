import { followLine, type FollowFacts } from '../../src/core/status/followWords.ts';
import { verdict, type Verdict } from '../../src/core/status/verdict.ts';
import type { Followed } from '../../src/state/following/follower.ts';
import { allFacts } from '../../src/state/following/followOwn.ts';
import { readFollows } from '../../src/state/following/storedFollows.ts';
import { readableEntries } from '../../src/state/lists/pagedList.ts';
import { valuesBetween, type DeploymentTruth, type RevisionTruth, type ServiceModel } from './serviceModel.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';
import { checkBadge, checkBar, checkRowsMove, checkTooltip, drawBar, isBarOver, isTruthKnown } from './surfaces.ts';

const second = 1_000;
const minute = 60 * second;

/** Tells that something shown was false. */
export type Tell = (what: string) => void;

interface Claim {
  readonly surface: string;
  readonly window: SimulatedWindow;
  readonly service: ServiceModel;
  readonly deploymentId: string;
  readonly revisionId: string | undefined;
  readonly found: Verdict;
  /** As of when the record is, in the window's monotonic time. */
  readonly recordAt: number | undefined;
}

/**
 * Compares what a window shows with what was really so at the time that it is shown for.
 * What has not changed since it was compared stays as true as it was: it is shown for a time in the past.
 */
export function checkWindow(window: SimulatedWindow, now: number, tell: Tell): void {
  const changed = window.takeChanged();
  if (changed.size > 0) checkRows(window, changed, now, tell);
  // Their words change with the time alone too, but only from minute to minute.
  if (changed.size > 0 || now - window.readAt > minute) {
    checkFollows(window, now, tell);
    checkRowsMove(window, now, tell);
  } else if (isBarOver(window.bar, window, now)) {
    window.bar = drawBar(window, factsOf(window), now);
  }
  if (isTruthKnown(window)) checkBar(window.bar, window, now, tell);
  const { focused, visible } = window.attention;
  const isAwaited = window.follower.followed.some(({ outcome }) => outcome === undefined);
  const isLooking = focused && (visible || window.workspace.isOn);
  if (!isAwaited && !isLooking && window.clock.pending > 0) tell('a timer runs though nobody waits');
}

function checkRows(window: SimulatedWindow, changed: ReadonlySet<string>, now: number, tell: Tell): void {
  const { deployments, service } = window;
  if (service === undefined) return;
  for (const deployment of readableEntries(deployments.state.entries)) {
    const { id: deploymentId, latest_revision_id: latestId } = deployment;
    if (!changed.has('list') && !changed.has(deploymentId)) continue;
    const observed = deployments.observe(deploymentId, latestId);
    const found = verdict({ ...observed, deployment });
    const recordAt = observed.deploymentAt;
    checkClaim({ surface: 'row', window, service, deploymentId, revisionId: latestId, found, recordAt }, now, tell);
    for (const { id: revisionId } of readableEntries(deployments.revisionsOf(deploymentId).entries)) {
      const seen = deployments.observe(deploymentId, revisionId);
      const claim = { surface: 'revision row', window, service, deploymentId, revisionId };
      checkClaim({ ...claim, found: verdict(seen), recordAt: seen.deploymentAt }, now, tell);
    }
  }
}

function factsOf(window: SimulatedWindow): readonly FollowFacts[] {
  return allFacts(window, window.workspace);
}

function checkFollows(window: SimulatedWindow, now: number, tell: Tell): void {
  const { follower, clock } = window;
  window.readAt = now;
  const all = factsOf(window);
  window.bar = drawBar(window, all, now);
  if (isTruthKnown(window)) checkBadge(all, window, now, tell);
  for (const [index, followed] of follower.followed.entries()) {
    const service = window.serviceOf(followed.connection);
    const facts = all[index];
    if (service === undefined && followed.outcome !== undefined) tell(`${followed.connection} was removed, but stays`);
    if (service === undefined || facts === undefined) continue;
    const { deploymentId, revisionId, outcome } = followed;
    const claim = { surface: 'follow', window, service, deploymentId, revisionId, found: facts.verdict };
    checkClaim({ ...claim, recordAt: recordAtOf(window, followed) }, now, tell);
    const { asOf } = facts.verdict;
    const age = asOf === undefined ? 0 : clock.monotonic() - asOf;
    const line = outcome === undefined && age > minute ? followLine(facts) : '';
    if (/ for \d/.test(line)) {
      tell(`"${line}" although the last answer came ${Math.round(age / minute)} min ago`);
    }
    checkPhase(followed, service, window, tell);
    checkStored(followed, window, tell);
    checkTooltip(followed, window, now, tell);
    const createdAt = service.revision(deploymentId, revisionId)?.createdAt ?? 0;
    if (createdAt < (window.newest.get(deploymentId) ?? 0)) tell(`the follow went back to ${revisionId}`);
    window.newest.set(deploymentId, createdAt);
  }
}

/** A window that is reloaded now shows the last answer, and tells what was not told. */
function checkStored(followed: Followed, { memory, untold }: SimulatedWindow, tell: Tell): void {
  const { revisionId, revision, outcome, isQuiet } = followed;
  const isUntold = untold.some((each) => each.revisionId === revisionId);
  const stored = readFollows(memory).find((each) => each.revisionId === revisionId);
  const isKept = outcome === undefined || isQuiet === true || isUntold;
  if (isKept !== (stored !== undefined)) tell(`a reload ${isKept ? 'loses' : 'keeps'} ${revisionId} ${outcome}`);
  if (stored === undefined || revision === undefined) return;
  const { status } = stored.lastAnswer ?? {};
  if (status !== revision.status) tell(`after a reload ${revisionId} is ${status}, but it was ${revision.status}`);
}

/** The list's record takes part if it is newer than the follow's own. */
function recordAtOf({ deployments }: SimulatedWindow, { deploymentId, deploymentAt }: Followed): number | undefined {
  const listed = deployments.observe(deploymentId, undefined).deploymentAt;
  if (listed === undefined || deploymentAt === undefined) return listed ?? deploymentAt;
  return Math.max(listed, deploymentAt);
}

/** "Building for 3 m" counts from when it began to build, if the service and this machine say when. */
function checkPhase(followed: Followed, service: ServiceModel, window: SimulatedWindow, tell: Tell): void {
  const { revision, phaseSince, revisionId, revisionAt, deploymentId } = followed;
  const truth = service.revision(deploymentId, revisionId);
  if (revision === undefined || revisionAt === undefined || truth === undefined || !service.hasRightTime) return;
  if (window.hasWrongTime) return;
  // A status that came back unseen counts from the first time.
  const shown = window.clock.toTrue(phaseSince);
  const began = truth.statuses.filter(({ value }) => value === revision.status).map(({ at }) => at);
  if (!began.some((at) => Math.abs(shown - at) <= 2 * second)) {
    tell(`${revision.status} since ${shown} and not since ${began.join()}`);
  }
}

function checkClaim(claim: Claim, now: number, tell: Tell): void {
  const { window, service, deploymentId, revisionId, found, recordAt } = claim;
  const deployment = service.get(deploymentId);
  const revision = revisionId === undefined ? undefined : service.revision(deploymentId, revisionId);
  if (deployment === undefined || (revisionId !== undefined && revision === undefined)) {
    return tell(`${claim.surface} ${deploymentId} ${revisionId}: there never was such a thing`);
  }
  if (found.asOf === undefined && found.kind !== 'notKnown' && found.kind !== 'live') {
    return tell(`${claim.surface} ${revisionId}: ${found.kind}, as of no time`);
  }
  const kindSpan = spanOf(window, found.asOf, now);
  const recordSpan = spanOf(window, recordAt, now);
  const truth = {
    deployment,
    revision,
    statuses: valuesBetween(revision?.statuses ?? [], kindSpan.from, kindSpan.to),
    // What a record says may be a little older than the record.
    activeThen: valuesBetween(deployment.active, kindSpan.from - service.recordLag, kindSpan.to),
    active: valuesBetween(deployment.active, recordSpan.from - service.recordLag, recordSpan.to),
  };
  if (isKindTrue(found, truth) && isServingTrue(found, truth)) return;
  const asOf = found.asOf === undefined ? 'no time' : window.clock.toTrue(found.asOf);
  tell(
    `${claim.surface} ${revisionId}: ${found.status} ${found.kind} as of ${asOf}, serving ${found.serving}. ` +
      `It was ${truth.statuses.join(', ')}; active was ${truth.active.join(', ')}.`,
  );
}

/** When an answer can have been true: while a call was under way that can have brought it. */
function spanOf(window: SimulatedWindow, asOf: number | undefined, now: number): { from: number; to: number } {
  if (asOf === undefined) return { from: 0, to: now };
  const at = window.clock.toTrue(asOf);
  const longest = window.longestCallAt(at) + 1;
  return { from: at - longest, to: Math.min(now, at + longest) };
}

interface Truth {
  readonly deployment: DeploymentTruth;
  readonly revision: RevisionTruth | undefined;
  readonly statuses: readonly (string | undefined)[];
  readonly activeThen: readonly (string | undefined)[];
  readonly active: readonly (string | undefined)[];
}

function isKindTrue({ kind, status }: Verdict, { revision, deployment, statuses, activeThen }: Truth): boolean {
  if (revision === undefined) return kind === 'notKnown';
  const createdAt = (id: string | undefined): number =>
    deployment.revisions.find((each) => each.id === id)?.createdAt ?? 0;
  switch (kind) {
    case 'notKnown':
      return true;
    case 'live':
      return activeThen.includes(revision.id);
    case 'replaced':
      // A newer active revision stays newer, so this may have been deployed later than the record was asked for.
      return (
        revision.statuses.at(-1)?.value === 'DEPLOYED' && activeThen.some((id) => createdAt(id) > revision.createdAt)
      );
    case 'notActive':
      return statuses.includes('DEPLOYED') && activeThen.some((id) => id !== revision.id);
    case 'working':
    case 'deployed':
    case 'failed':
    case 'skipped':
    case 'stopped':
    case 'unknown':
      return statuses.includes(status) && meaningOf(status) === kind;
  }
}

/** What a status means, said once more: the code under test must not be its own judge. */
export function meaningOf(status: string | undefined): string {
  if (status === 'DEPLOYED') return 'deployed';
  if (status === 'SKIPPED') return 'skipped';
  if (status === 'INTERRUPTED') return 'stopped';
  if (status?.endsWith('_FAILED') === true) return 'failed';
  return status === 'UNKNOWN' || status === 'PROVISIONING' ? 'unknown' : 'working';
}

function isServingTrue({ serving }: Verdict, { revision, active }: Truth): boolean {
  switch (serving) {
    case 'notKnown':
      return true;
    case 'this':
      return active.includes(revision?.id);
    case 'nothing':
      return active.includes(undefined);
    case 'another':
      return active.some((id) => id !== undefined && id !== revision?.id);
  }
}
