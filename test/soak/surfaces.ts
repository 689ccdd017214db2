import type { FollowFacts } from '../../src/core/status/followWords.ts';
import { deploymentWords } from '../../src/core/status/rowWords.ts';
import { badgeWords, statusBarWords, type StatusBarWords } from '../../src/core/status/statusBarWords.ts';
import { localConnectionName } from '../../src/state/connections/connection.ts';
import { doubtOf } from '../../src/state/following/doubts.ts';
import { followedRecord, type Followed } from '../../src/state/following/follower.ts';
import { followTimes } from '../../src/state/following/followTimes.ts';
import { refusalIn } from '../../src/state/following/polledRevision.ts';
import { readableEntries } from '../../src/state/lists/pagedList.ts';
import type { Tell } from './oracle.ts';
import { valuesBetween } from './serviceModel.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';

const second = 1_000;
const minute = 60 * second;

/** The words that a window shows in its status bar, from when it drew them on. */
export interface DrawnBar {
  readonly words: StatusBarWords | undefined;
  readonly at: number;
  readonly focused: boolean;
}

/** Draws the status bar as the window does: when something changes, and when its words have lasted. */
export function drawBar(window: SimulatedWindow, all: readonly FollowFacts[], now: number): DrawnBar {
  const { focused } = window.attention;
  return { words: statusBarWords(all, focused), at: now, focused };
}

export function isBarOver({ words, at, focused }: DrawnBar, window: SimulatedWindow, now: number): boolean {
  return focused !== window.attention.focused || now - at >= (words?.lasts ?? Number.POSITIVE_INFINITY);
}

/** What is shown in the status bar is compared with the answers of the services, and not with what it was made of. */
export function checkBar({ words, at }: DrawnBar, window: SimulatedWindow, now: number, tell: Tell): void {
  const { machine } = window;
  const { followed } = window.follower;
  if ((words === undefined) !== (followed.length === 0)) tell('the status bar is shown without a follow, or hidden');
  // Nobody sees it in sleep, and then it is drawn within the time that it lasts.
  const slack = (words?.lasts ?? 0) + second;
  if (words === undefined || machine.isAsleep || now - machine.awakeSince < slack) return;
  const running = followed.filter(({ outcome }) => outcome === undefined);
  const isFresh = ({ revisionAt, failures }: Followed): boolean =>
    revisionAt !== undefined && now - window.clock.toTrue(revisionAt) < (failures > 0 ? 10 * second : minute) + slack;
  const isFirst = ({ revisionAt, failures, lastAnswer }: Followed): boolean =>
    revisionAt === undefined && failures === 0 && lastAnswer === undefined;
  const isStopped = (each: Followed): boolean => isStoppedFollow(each, window, now);
  if (words.icon.endsWith('~spin') && !running.some((each) => !isStopped(each) && (isFresh(each) || isFirst(each)))) {
    tell(`the status bar spins without an answer: ${words.text}`);
  }
  if (/ \d+ [smhd]$/.test(words.text) && !running.some((each) => isFresh(each) && !isStopped(each))) {
    tell(`the status bar counts without an answer: ${words.text}, drawn at ${at}`);
  }
  if (running.length > 0 && running.every(isStopped) && !words.spoken.includes('the local service is stopped')) {
    const hasFailed = followed.some((each) => hasReallyFailed(each, window));
    if (!hasFailed) tell(`the local service is stopped, and the status bar says ${words.text}`);
  }
  checkRest(words, window, now, tell);
  const isUnseen = followed.some((each) => hasReallyFailed(each, window) && each.isSeen !== true);
  if (words.isFailure && !isUnseen) tell(`the status bar shows a failure that nobody has to see: ${words.text}`);
}

/** How long "is live" may be shown without the time of the answer. */
const longestLive = 2 * minute;

/** What is shown while nothing moves: what was chosen for the workspace, and "is live" only as of a recent answer. */
function checkRest(
  { text, spoken, lasts = 0 }: StatusBarWords,
  window: SimulatedWindow,
  now: number,
  tell: Tell,
): void {
  const { deployments, follower, present, workspace } = window;
  if (/\blive$/.test(text)) {
    const isRecent = follower.followed.some((followed) => {
      const { deploymentAt = 0, connection, deploymentId } = followed;
      const listed = connection === present ? (deployments.observe(deploymentId, undefined).deploymentAt ?? 0) : 0;
      const at = window.clock.toTrue(Math.max(deploymentAt, listed));
      return now - at < longestLive + lasts + second && !isStoppedFollow(followed, window, now);
    });
    if (!isRecent) tell(`the status bar says ${text} without its time`);
  }
  const isMoving = follower.followed.some(({ outcome, phase, isSeen }) => {
    return outcome === undefined || (outcome === 'ended' && phase === 'failed' && isSeen !== true);
  });
  const main = follower.find(present ?? '', workspace.main ?? '');
  if (isMoving || main === undefined || spoken.includes(` name of ${main.deploymentId}:`)) return;
  tell(`${main.deploymentId} is chosen, but the status bar says ${text}`);
}

/** Whether a window must know that the local service is stopped: within two seconds in which it was awake. */
function isStoppedFor(
  window: SimulatedWindow,
  { connection, begunAt = 0 }: { readonly connection: string; readonly begunAt?: number },
  now: number,
): boolean {
  const { machine, heardAt } = window;
  if (connection !== localConnectionName || window.serviceOf(connection)?.isStopped !== true) return false;
  return !machine.isAsleep && now - Math.max(heardAt, machine.awakeSince, begunAt) >= 2 * second;
}

/** Whether a followed revision must be shown as one of the stopped local service. A new follow is asked about first. */
function isStoppedFollow(
  { connection, revisionAt, phaseSince }: Followed,
  window: SimulatedWindow,
  now: number,
): boolean {
  const begunAt = revisionAt === undefined ? window.clock.toTrue(phaseSince) : 0;
  return isStoppedFor(window, { connection, begunAt }, now);
}

/** Nobody knows the truth about what is followed on a connection that is just being removed. */
export function isTruthKnown(window: SimulatedWindow): boolean {
  return window.follower.followed.every(({ connection }) => window.serviceOf(connection) !== undefined);
}

/** Whether a follow ended with an answer from when the revision had failed. */
function hasReallyFailed(
  { connection, deploymentId, revisionId, revisionAt, outcome }: Followed,
  window: SimulatedWindow,
): boolean {
  const truth = window.serviceOf(connection)?.revision(deploymentId, revisionId);
  if (outcome !== 'ended' || truth === undefined || revisionAt === undefined) return false;
  const at = window.clock.toTrue(revisionAt);
  return (
    valuesBetween(truth.statuses, at - window.longestCallAt(at), at)
      .at(-1)
      ?.endsWith('_FAILED') === true
  );
}

/** The icon of the views counts what is being asked about, and what failed and nobody has seen. */
export function checkBadge(all: readonly FollowFacts[], window: SimulatedWindow, now: number, tell: Tell): void {
  const { followed } = window.follower;
  const deploying = followed.filter(
    (each) => each.outcome === undefined && refusalIn(each.error) === undefined && !isStoppedFollow(each, window, now),
  ).length;
  const failed = followed.filter((each) => hasReallyFailed(each, window) && each.isSeen !== true).length;
  const shown = badgeWords(all)?.value ?? 0;
  if (shown !== deploying + failed) tell(`the badge counts ${shown}, but ${deploying} deploy and ${failed} failed`);
}

/** The tooltip's times are those of answers and of a plan, and its revisions those of the record. */
export function checkTooltip(followed: Followed, window: SimulatedWindow, now: number, tell: Tell): void {
  const { clock, deployments, machine, poller } = window;
  const { revisionId, revisionAt, connection, deploymentId, outcome } = followed;
  const { checkedAt, nextCheckAt, since } = followTimes(followed, { poller, clock });
  const toTrue = (wall: number): number => now + wall - clock.now();
  if (checkedAt !== undefined && checkedAt > clock.now() && !window.hasWrongTime) {
    tell(`${revisionId} was last checked in the future`);
  }
  if (revisionAt !== undefined && checkedAt !== undefined && window.longestCallAt(toTrue(checkedAt)) === 0) {
    tell(`${revisionId} was last checked at ${toTrue(checkedAt)}, when nothing was asked`);
  }
  if (revisionAt !== undefined && since === undefined) tell(`${revisionId} has a status since no time`);
  if (nextCheckAt !== undefined) {
    const isPlanned = toTrue(nextCheckAt) > now;
    if (outcome !== undefined || (isPlanned && isStoppedFollow(followed, window, now))) {
      tell(`${revisionId} is to be checked again`);
    }
    if (nextCheckAt < clock.now()) tell(`${revisionId} was to be checked at ${toTrue(nextCheckAt)}`);
    // A machine whose timers wait in sleep is late once, and a busy service has its turn later.
    const isOnTime = (clock.nextDueAt ?? Number.POSITIVE_INFINITY) <= toTrue(nextCheckAt);
    if (!isOnTime && machine.timersRunInSleep && window.asking === 0) {
      tell(`${revisionId} is to be checked at ${toTrue(nextCheckAt)}, but nothing will do that`);
    }
  }
  const truth = window.serviceOf(connection)?.get(deploymentId);
  const record = followedRecord(followed, deployments);
  const latest = record?.latest_revision_id;
  if (truth !== undefined && latest !== undefined && !valuesBetween(truth.latest, 0, now).includes(latest)) {
    tell(`${latest} was never the latest revision`);
  }
}

/** Nothing in the list spins or counts that a stopped service or an old answer says. */
export function checkRowsMove(window: SimulatedWindow, now: number, tell: Tell): void {
  const { deployments, poller, follower, scheduler, clock, machine, present, attention } = window;
  if (present === undefined || machine.isAsleep || !window.attention.visible) return;
  for (const deployment of readableEntries(deployments.state.entries)) {
    const { id: deploymentId, latest_revision_id: revisionId = '' } = deployment;
    const observed = deployments.observe(deploymentId, revisionId);
    const doubt = (): string | undefined =>
      doubtOf({ connection: present, deploymentId, revisionId }, { deployments, poller, follower, scheduler, clock });
    const { icon, first } = deploymentWords(deployment, observed, { now: clock.now(), latestFor: 5 * second, doubt });
    if (!icon.endsWith('~spin')) continue;
    const age = observed.revisionAt === undefined ? 0 : now - clock.toTrue(observed.revisionAt);
    const followed = follower.find(present, deploymentId);
    const isFollowed = followed?.revisionId === revisionId && followed.outcome === undefined;
    if (!attention.focused && !isFollowed) tell(`the row of ${revisionId} spins and nobody asks for it`);
    if (age > minute) tell(`the row of ${revisionId} spins ${age} ms after the last answer: ${first.join(' · ')}`);
    if (isStoppedFor(window, { connection: present }, now))
      tell(`the row of ${revisionId} spins although its service is stopped`);
  }
}
