import type { Followed } from '../../src/state/following/follower.ts';
import { notificationWords } from '../../src/core/status/followWords.ts';
import type { Verdict } from '../../src/core/status/verdict.ts';
import { followFacts } from '../../src/state/following/follower.ts';
import type { Tell } from './oracle.ts';
import { valuesBetween } from './serviceModel.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';

const second = 1_000;

/** Compares the message about the end of a follow with what really happened. */
export function checkEnding(followed: Followed, window: SimulatedWindow, now: number, tell: Tell): void {
  const service = window.serviceOf(followed.connection);
  const deployment = service?.get(followed.deploymentId);
  const revision = service?.revision(followed.deploymentId, followed.revisionId);
  if (service === undefined || deployment === undefined || revision === undefined) {
    return tell(`${followed.revisionId} was told as ${followed.outcome}, but never existed there`);
  }
  const facts = followFacts(followed, window.deployments, window.clock.monotonic());
  const { message, severity } = notificationWords([{ facts, resumed: followed.resumed }]);
  const isGood = severity === 'information';
  const call = window.longestCallAt(now) + second;
  const status = revision.statuses.at(-1)?.value ?? '';
  switch (followed.outcome) {
    case 'gone':
      if (!valuesBetween(deployment.exists, now - call, now).includes(false)) tell(`"${message}", but it exists`);
      break;
    case 'ended': {
      // The record is requested after the revision, so the words are as of an answer that may be a call older.
      const at = followed.revisionAt === undefined ? now : window.clock.toTrue(followed.revisionAt);
      if (now - at > call) tell(`"${message}" as of ${now - at} ms ago`);
      const statuses = valuesBetween(revision.statuses, at - call, at);
      if (!statuses.includes(followed.revision?.status)) tell(`"${message}", but it was ${statuses.join(', ')}`);
      if (isGood !== (status === 'DEPLOYED')) tell(`"${message}" is good news: ${isGood}, but it is ${status}`);
      const latest = valuesBetween(deployment.latest, now - call - service.recordLag, now);
      if (status === 'SKIPPED' && !latest.includes(revision.id)) tell(`"${message}", but ${latest.join()} followed it`);
      if (window.hasWrongTime || !service.hasRightTime) break;
      // A status that came back unseen counts from the first time.
      const lasted = now - (revision.statuses.find(({ value }) => value === status)?.at ?? now);
      if (lasted < patience(facts.verdict)) tell(`"${message}" after ${lasted} ms, which is too early to say`);
      break;
    }
    case 'gaveUp':
      if (status !== followed.revision?.status) tell(`"${message}", but it was ${status}`);
      break;
    case undefined:
      tell(`"${message}", but the follow goes on`);
      break;
  }
}

/** How long a status must have lasted before it is told as the end, in milliseconds. */
function patience({ kind }: Verdict): number {
  switch (kind) {
    case 'stopped':
      return 290 * second;
    // Another one took its place, or it is about to go live.
    case 'skipped':
    case 'deployed':
    case 'notActive':
      return 110 * second;
    case 'notKnown':
    case 'working':
    case 'live':
    case 'replaced':
    case 'failed':
    case 'unknown':
      return 0;
  }
}
