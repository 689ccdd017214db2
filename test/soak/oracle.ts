import type { Verdict } from '../../src/core/status/verdict.ts';
import { checkDocuments } from './documentTruth.ts';
import { valuesBetween, type DeploymentTruth, type RevisionTruth, type ServiceModel } from './serviceModel.ts';
import { followsInWords, shownFollows, shownLeaving, shownRows, storedFollow, type ShownFollow } from './shown.ts';
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
  /** As of when the record is. */
  readonly recordAt: number | undefined;
}

/**
 * Compares what a window shows with what was really so at the time that it is shown for.
 * What has not changed since it was compared stays as true as it was: it is shown for a time in the past.
 */
export function checkWindow(window: SimulatedWindow, now: number, awaitsBuild: boolean, tell: Tell): void {
  const changed = window.takeChanged();
  if (changed.size > 0) checkRows(window, changed, now, tell);
  // Their words change with the time alone too, but only from minute to minute.
  if (changed.size > 0 || now - window.readAt > minute) {
    checkFollows(window, now, tell);
    checkRowsMove(window, now, tell);
  } else if (isBarOver(window.bar, window, now)) {
    window.bar = drawBar(window, now);
  }
  if (changed.size > 0) checkDocuments(window, now, tell);
  if (isTruthKnown(window)) checkBar(window.bar, window, now, tell);
  const { focused, visible } = window.attention;
  const isAwaited = awaitsBuild || shownFollows(window).some(({ outcome }) => outcome === undefined);
  const isLooking = focused && (visible || window.repositories.isOpen || window.editor.visible.length > 0);
  // What is due now ends now.
  if (!isAwaited && !isLooking && (window.clock.nextDueAt ?? now) > now) tell('a timer runs though nobody waits');
}

function checkRows(window: SimulatedWindow, changed: ReadonlySet<string>, now: number, tell: Tell): void {
  const { service } = window;
  if (service === undefined) return;
  for (const id of shownLeaving(window)) {
    const isDeleted = service.get(id)?.statuses.some(({ value }) => value !== 'READY');
    if (isDeleted !== true) tell(`${id} is said to be deleted`);
  }
  for (const row of shownRows(window, (id) => changed.has('list') || changed.has(id))) {
    checkClaim({ ...row, window, service }, now, tell);
  }
}

function checkFollows(window: SimulatedWindow, now: number, tell: Tell): void {
  window.readAt = now;
  window.bar = drawBar(window, now);
  if (isTruthKnown(window)) checkBadge(window, now, tell);
  for (const said of followsInWords(window)) {
    const { follow, found, line } = said;
    const { connection, deploymentId, revisionId, outcome, recordAt } = follow;
    const service = window.serviceOf(connection);
    if (service === undefined && outcome !== undefined) tell(`${connection} was removed, but stays`);
    if (service === undefined) continue;
    checkClaim({ surface: 'follow', window, service, deploymentId, revisionId, found, recordAt }, now, tell);
    const age = found.asOf === undefined ? 0 : now - found.asOf;
    if (outcome === undefined && age > minute && / for \d/.test(line)) {
      tell(`"${line}" although the last answer came ${Math.round(age / minute)} min ago`);
    }
    checkPhase(follow, service, window, tell);
    checkPromise(follow, service, line, tell);
    // One that no longer exists isn't the workspace's own, and one that is replaced rests only until the next answer.
    const isLatest = said.tooltip.latestId === revisionId && service.existing().some(({ id }) => id === deploymentId);
    if (!follow.isQuiet || isLatest) checkStored(follow, window, tell);
    checkTooltip(said, window, now, tell);
    const createdAt = service.revision(deploymentId, revisionId)?.createdAt ?? 0;
    if (createdAt < (window.newest.get(deploymentId) ?? 0)) tell(`the follow went back to ${revisionId}`);
    window.newest.set(deploymentId, createdAt);
  }
}

/** A commit that differs from the promised one is told with the first answer, and no other is. */
function checkPromise(follow: ShownFollow, service: ServiceModel, line: string, tell: Tell): void {
  const { deploymentId, revisionId, promised, status, outcome } = follow;
  const commit = service.revision(deploymentId, revisionId)?.commit;
  const isOther = promised !== undefined && status !== undefined && commit !== promised && outcome !== 'gone';
  if (isOther !== line.includes(' instead of ')) tell(`"${line}", though ${promised} was promised and is ${commit}`);
}

/** A window that is reloaded now shows the last answer, and tells what was not told. */
function checkStored(follow: ShownFollow, window: SimulatedWindow, tell: Tell): void {
  const { revisionId, status, outcome, isQuiet } = follow;
  const isUntold = window.untold.some((each) => each.revisionId === revisionId);
  const stored = storedFollow(window, follow);
  const isKept = outcome === undefined || isQuiet || isUntold;
  if (isKept !== (stored !== undefined)) tell(`a reload ${isKept ? 'loses' : 'keeps'} ${revisionId} ${outcome}`);
  if (stored === undefined || status === undefined) return;
  if (stored.status !== status) tell(`after a reload ${revisionId} is ${stored.status}, but it was ${status}`);
}

/** "Building for 3 m" counts from when it began to build, if the service and this machine say when. */
function checkPhase(follow: ShownFollow, service: ServiceModel, window: SimulatedWindow, tell: Tell): void {
  const { status, since, revisionId, deploymentId } = follow;
  const truth = service.revision(deploymentId, revisionId);
  if (status === undefined || truth === undefined || !service.hasRightTime || window.hasWrongTime) return;
  // A status that came back unseen counts from the first time.
  const began = truth.statuses.filter(({ value }) => value === status).map(({ at }) => at);
  if (!began.some((at) => Math.abs(since - at) <= 2 * second)) {
    tell(`${status} since ${since} and not since ${began.join()}`);
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
  const asOf = found.asOf ?? 'no time';
  tell(
    `${claim.surface} ${revisionId}: ${found.status} ${found.kind} as of ${asOf}, serving ${found.serving}. ` +
      `It was ${truth.statuses.join(', ')}; active was ${truth.active.join(', ')}.`,
  );
}

/** When an answer can have been true: while a call was under way that can have brought it. */
function spanOf(window: SimulatedWindow, at: number | undefined, now: number): { from: number; to: number } {
  if (at === undefined) return { from: 0, to: now };
  const longest = window.clients.longestCallAt(at) + 1;
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
