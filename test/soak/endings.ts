import type { Verdict } from '../../src/core/status/verdict.ts';
import type { Tell } from './oracle.ts';
import { valuesBetween } from './serviceModel.ts';
import type { ShownEnding } from './shown.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';

const second = 1_000;

/** Compares the message about the end of a follow with what really happened. */
export function checkEnding(ending: ShownEnding, window: SimulatedWindow, now: number, tell: Tell): void {
  const service = window.serviceOf(ending.connection);
  const deployment = service?.get(ending.deploymentId);
  const revision = service?.revision(ending.deploymentId, ending.revisionId);
  if (service === undefined || deployment === undefined || revision === undefined) {
    return tell(`${ending.revisionId} was told as ${ending.outcome}, but never existed there`);
  }
  const { message, isGood, found } = ending;
  const call = window.clients.longestCallAt(now) + second;
  const status = revision.statuses.at(-1)?.value ?? '';
  switch (ending.outcome) {
    case 'gone':
      if (!valuesBetween(deployment.exists, now - call, now).includes(false)) tell(`"${message}", but it exists`);
      break;
    case 'ended': {
      // The record is requested after the revision, so the words are as of an answer that may be a call older. Someone
      // else may have been answered during that call.
      const at = ending.answeredAt ?? now;
      if (now - at > Math.max(call, window.clients.longestCallAt(at))) tell(`"${message}" as of ${now - at} ms ago`);
      const statuses = valuesBetween(revision.statuses, at - call, at);
      if (!statuses.includes(ending.status)) tell(`"${message}", but it was ${statuses.join(', ')}`);
      const isPromised = ending.promised === undefined || ending.promised === revision.commit;
      if (isGood !== (status === 'DEPLOYED' && isPromised))
        tell(`"${message}" is good news: ${isGood}, but it is ${status}`);
      const latest = valuesBetween(deployment.latest, now - call - service.recordLag, now);
      if (status === 'SKIPPED' && !latest.includes(revision.id)) tell(`"${message}", but ${latest.join()} followed it`);
      if (window.hasWrongTime || !service.hasRightTime) break;
      // A status that came back unseen counts from the first time.
      const lasted = now - (revision.statuses.find(({ value }) => value === status)?.at ?? now);
      if (lasted < patience(found)) tell(`"${message}" after ${lasted} ms, which is too early to say`);
      break;
    }
    case 'gaveUp':
      if (status !== ending.status) tell(`"${message}", but it was ${status}`);
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
