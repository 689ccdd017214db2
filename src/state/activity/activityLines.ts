import { hideValues } from '../../api/redaction/hideValues.ts';
import { safeText } from '../../api/redaction/redact.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { isRecord } from '../../api/schema/json.ts';
import { applicationUrl } from '../../core/resources/webPages.ts';
import {
  ACTIVITY_CHANGES,
  ACTIVITY_STARTS,
  type ActivityChange,
  type ActivityEnd,
  type ActivityList,
  type ActivityStart,
} from '../../core/status/activityWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import { shortened } from '../../core/text/text.ts';
import { isStoredText } from '../memory.ts';
import type { Followed } from '../following/follower.ts';
import type { Observed, RevisionId } from '../answers/answers.ts';

/** In bytes. The system appends a line of this length in one piece. */
const longestLine = 4000;

/** The line for a deployment that was started from this machine. Undefined if it's too long. */
export function startLine(
  kind: ActivityStart['kind'],
  { connection, deploymentId, revisionId }: RevisionId,
  { deployment, revision }: { readonly deployment: Deployment; readonly revision: Revision | undefined },
  now: number,
): string | undefined {
  const shown = revision ?? { id: revisionId, source_revision_config: deployment.source_revision_config };
  // A push may be noticed long after its revision was created.
  const created = Date.parse(revision?.created_at ?? '');
  const at = Number.isNaN(created) ? now : Math.min(created, now);
  const [name, title] = [textOf(deployment.name), textOf(revisionTitle(shown))];
  return lineOf({ event: 'started', at, kind, connection, deploymentId, revisionId, name, title });
}

/** The line for the end of a deployment. Undefined if it's too long. */
export function endLine(
  { deploymentId, revisionId, outcome }: Followed,
  observed: Observed,
  at: number,
): string | undefined {
  const { revision, deployment } = observed;
  const { kind, status } = verdict(observed);
  const address = deployment && applicationUrl(deployment);
  return lineOf({
    event: 'ended',
    at,
    deploymentId,
    revisionId,
    outcome,
    verdict: kind,
    status,
    title: revision && textOf(revisionTitle(revision)),
    milliseconds: outcome === 'ended' ? millisecondsOf(revision) : undefined,
    // An address that may hold a secret isn't written.
    link: address === undefined || textOf(address) !== address ? undefined : address,
  });
}

/** The line for another change. Undefined if it's too long. */
export function changeLine({ kind, at, connection, name, title }: ActivityChange): string | undefined {
  const shownTitle = title === undefined ? undefined : textOf(title);
  return lineOf({ event: 'changed', at, kind, connection, name: textOf(name), title: shownTitle });
}

function lineOf(entry: object): string | undefined {
  const line = JSON.stringify(entry);
  return Buffer.byteLength(line) > longestLine ? undefined : line;
}

function textOf(text: string): string {
  return shortened(safeText(String(hideValues(text, () => '(hidden)'))), 250);
}

/** How long a revision took, from its creation to its last change. */
function millisecondsOf(revision: Revision | undefined): number | undefined {
  const difference = Date.parse(revision?.updated_at ?? '') - Date.parse(revision?.created_at ?? '');
  return difference >= 0 ? difference : undefined;
}

/** Reads the lines of the file. One that was torn or isn't ours is skipped and counted. */
export function parseActivity(text: string): ActivityList {
  const lines = text.split('\n').filter((line) => line !== '');
  const starts = new Map<string, ActivityStart>();
  const ends = new Map<string, ActivityEnd>();
  const changes: ActivityChange[] = [];
  let unreadable = 0;
  for (const line of lines) {
    const value = parseLine(line);
    const start = startIn(value);
    const end = endIn(value);
    const change = changeIn(value);
    // Two windows may both have written a start or an end; the first one counts.
    if (start !== undefined) starts.set(keyOf(start), starts.get(keyOf(start)) ?? start);
    else if (end !== undefined) ends.set(keyOf(end), ends.get(keyOf(end)) ?? end);
    else if (change !== undefined) changes.push(change);
    else unreadable += 1;
  }
  const entries = [...starts.values()].map((start) => ({ ...start, end: ends.get(keyOf(start)) }));
  return { entries: entries.toSorted((one, other) => other.at - one.at), changes, unreadable };
}

function parseLine(line: string): unknown {
  // Our lines begin like this. An exception for each of many foreign lines would take seconds.
  if (line.length > longestLine || !line.startsWith('{"event":')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function startIn(value: unknown): ActivityStart | undefined {
  if (!isRecord(value) || value['event'] !== 'started') return undefined;
  const { at, connection, deploymentId, revisionId, name, title } = value;
  const kind = ACTIVITY_STARTS.find((known) => known === value['kind']);
  if (!isTime(at) || kind === undefined || !isStoredText(connection)) return undefined;
  if (!isStoredText(deploymentId) || !isStoredText(revisionId) || !isStoredText(name)) return undefined;
  return { at, kind, connection, deploymentId, revisionId, name, title: isStoredText(title) ? title : undefined };
}

function changeIn(value: unknown): ActivityChange | undefined {
  if (!isRecord(value) || value['event'] !== 'changed') return undefined;
  const { at, connection, name, title } = value;
  const kind = ACTIVITY_CHANGES.find((known) => known === value['kind']);
  if (!isTime(at) || kind === undefined || !isStoredText(connection) || !isStoredText(name)) return undefined;
  return { at, kind, connection, name, title: isStoredText(title) ? title : undefined };
}

function endIn(value: unknown): ActivityEnd | undefined {
  if (!isRecord(value) || value['event'] !== 'ended') return undefined;
  const { at, deploymentId, revisionId, outcome, verdict, status, title, milliseconds, link } = value;
  if (!isTime(at) || !isStoredText(deploymentId) || !isStoredText(revisionId)) return undefined;
  if (!isStoredText(outcome) || !isStoredText(verdict)) return undefined;
  return {
    at,
    deploymentId,
    revisionId,
    outcome,
    verdict,
    status: isStoredText(status) ? status : undefined,
    title: isStoredText(title) ? title : undefined,
    milliseconds: isTime(milliseconds) ? milliseconds : undefined,
    link: isStoredText(link) ? link : undefined,
  };
}

/** Whether a value is a time or a duration that dates can show. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}

function keyOf({ deploymentId, revisionId }: Pick<RevisionId, 'deploymentId' | 'revisionId'>): string {
  return JSON.stringify([deploymentId, revisionId]);
}
