import type { StatusBarWords } from '../../src/core/status/statusBarWords.ts';
import { localConnectionName } from '../../src/state/connections/connection.ts';
import type { Tell } from './oracle.ts';
import { valuesBetween } from './serviceModel.ts';
import {
  rowWords,
  shownBadge,
  shownBar,
  shownFollowOf,
  shownFollows,
  shownRows,
  type FollowInWords,
  mainOwn,
  type ShownFollow,
} from './shown.ts';
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
export function drawBar(window: SimulatedWindow, now: number): DrawnBar {
  return { words: shownBar(window), at: now, focused: window.attention.focused };
}

export function isBarOver({ words, at, focused }: DrawnBar, window: SimulatedWindow, now: number): boolean {
  return focused !== window.attention.focused || now - at >= (words?.lasts ?? Number.POSITIVE_INFINITY);
}

/** What is shown in the status bar is compared with the answers of the services, and not with what it was made of. */
export function checkBar({ words, at }: DrawnBar, window: SimulatedWindow, now: number, tell: Tell): void {
  const { machine } = window;
  const followed = shownFollows(window);
  if ((words === undefined) !== (followed.length === 0)) tell('the status bar is shown without a follow, or hidden');
  // Nobody sees it in sleep, and then it is drawn within the time that it lasts.
  const slack = (words?.lasts ?? 0) + second;
  if (words === undefined || machine.isAsleep || now - machine.awakeSince < slack) return;
  const running = followed.filter(({ outcome }) => outcome === undefined);
  const isFresh = ({ answeredAt, failures }: ShownFollow): boolean =>
    answeredAt !== undefined && now - answeredAt < (failures > 0 ? 10 * second : minute) + slack;
  const isFirst = ({ answeredAt, failures, isAnsweredBefore }: ShownFollow): boolean =>
    answeredAt === undefined && failures === 0 && !isAnsweredBefore;
  const isStopped = (each: ShownFollow): boolean => isStoppedFollow(each, window, now);
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
  const isUnseen = followed.some((each) => hasReallyFailed(each, window) && !each.isSeen);
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
  const { present } = window;
  const followed = shownFollows(window);
  if (/\blive$/.test(text)) {
    const isRecent = followed.some((each) => {
      const age = now - (each.recordAt ?? -Infinity);
      return age < longestLive + lasts + second && !isStoppedFollow(each, window, now);
    });
    if (!isRecent) tell(`the status bar says ${text} without its time`);
  }
  const isMoving = followed.some(
    ({ outcome, phase, isSeen }) => outcome === undefined || (outcome === 'ended' && phase === 'failed' && !isSeen),
  );
  const main = shownFollowOf(window, present ?? '', mainOwn(window) ?? '');
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
function isStoppedFollow({ connection, begunAt = 0 }: ShownFollow, window: SimulatedWindow, now: number): boolean {
  return isStoppedFor(window, { connection, begunAt }, now);
}

/** Nobody knows the truth about what is followed on a connection that is just being removed. */
export function isTruthKnown(window: SimulatedWindow): boolean {
  return shownFollows(window).every(({ connection }) => window.serviceOf(connection) !== undefined);
}

/** Whether a follow ended with an answer from when the revision had failed. */
function hasReallyFailed(
  { connection, deploymentId, revisionId, answeredAt, outcome }: ShownFollow,
  window: SimulatedWindow,
): boolean {
  const truth = window.serviceOf(connection)?.revision(deploymentId, revisionId);
  if (outcome !== 'ended' || truth === undefined || answeredAt === undefined) return false;
  const from = answeredAt - window.clients.longestCallAt(answeredAt);
  return valuesBetween(truth.statuses, from, answeredAt).at(-1)?.endsWith('_FAILED') === true;
}

/** The icon of the views counts what is being asked about, and what failed and nobody has seen. */
export function checkBadge(window: SimulatedWindow, now: number, tell: Tell): void {
  const followed = shownFollows(window);
  const deploying = followed.filter(
    (each) => each.outcome === undefined && each.refusal === undefined && !isStoppedFollow(each, window, now),
  ).length;
  const failed = followed.filter((each) => hasReallyFailed(each, window) && !each.isSeen).length;
  const shown = shownBadge(window);
  if (shown !== deploying + failed) tell(`the badge counts ${shown}, but ${deploying} deploy and ${failed} failed`);
}

/** The tooltip's times are those of answers and of a plan, and its revisions those of the record. */
export function checkTooltip(
  { follow, tooltip }: FollowInWords,
  window: SimulatedWindow,
  now: number,
  tell: Tell,
): void {
  const { clock, machine, clients } = window;
  const { revisionId, answeredAt, connection, deploymentId, outcome } = follow;
  const { checkedAt, nextCheckAt, since, latestId } = tooltip;
  if (checkedAt !== undefined && checkedAt > now && !window.hasWrongTime) {
    tell(`${revisionId} was last checked in the future`);
  }
  if (answeredAt !== undefined && checkedAt !== undefined && clients.longestCallAt(checkedAt) === 0) {
    tell(`${revisionId} was last checked at ${checkedAt}, when nothing was asked`);
  }
  if (answeredAt !== undefined && since === undefined) tell(`${revisionId} has a status since no time`);
  if (nextCheckAt !== undefined) {
    if (outcome !== undefined || (nextCheckAt > now && isStoppedFollow(follow, window, now))) {
      tell(`${revisionId} is to be checked again`);
    }
    if (nextCheckAt < now) tell(`${revisionId} was to be checked at ${nextCheckAt}`);
    // A machine whose timers wait in sleep is late once, and a busy service has its turn later.
    const isOnTime = (clock.nextDueAt ?? Number.POSITIVE_INFINITY) <= nextCheckAt;
    if (!isOnTime && machine.timersRunInSleep && clients.asking === 0) {
      tell(`${revisionId} is to be checked at ${nextCheckAt}, but nothing will do that`);
    }
  }
  const truth = window.serviceOf(connection)?.get(deploymentId);
  if (truth !== undefined && latestId !== undefined && !valuesBetween(truth.latest, 0, now).includes(latestId)) {
    tell(`${latestId} was never the latest revision`);
  }
}

/** Nothing in the list spins or counts that a stopped service or an old answer says. */
export function checkRowsMove(window: SimulatedWindow, now: number, tell: Tell): void {
  const { machine, present, attention } = window;
  if (present === undefined || machine.isAsleep || !attention.visible) return;
  for (const row of shownRows(window)) {
    if (row.surface !== 'row') continue;
    const { icon, text } = rowWords(row, window);
    if (!icon.endsWith('~spin')) continue;
    const { deploymentId, revisionId, answeredAt = now } = row;
    const followed = shownFollowOf(window, present, deploymentId);
    const isFollowed = followed?.revisionId === revisionId && followed?.outcome === undefined;
    if (!attention.focused && !isFollowed) tell(`the row of ${revisionId} spins and nobody asks for it`);
    const age = now - answeredAt;
    if (age > minute) tell(`the row of ${revisionId} spins ${age} ms after the last answer: ${text}`);
    if (isStoppedFor(window, { connection: present }, now))
      tell(`the row of ${revisionId} spins although its service is stopped`);
  }
}
