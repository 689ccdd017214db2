import { isRecord } from '../../api/schema/json.ts';
import type { ActivityEnd, ActivityList, ActivityStart } from '../../core/status/activityWords.ts';
import { isStoredText } from '../memory.ts';
import type { RevisionId } from './polledRevision.ts';

/** In bytes. The system appends a line of this length in one piece. */
export const longestLine = 4000;

/** Reads the lines of the file. One that was torn or isn't ours is skipped and counted. */
export function parseActivity(text: string): ActivityList {
  const lines = text.split('\n').filter((line) => line !== '');
  const starts = new Map<string, ActivityStart>();
  const ends = new Map<string, ActivityEnd>();
  let unreadable = 0;
  for (const line of lines) {
    const value = parseLine(line);
    const start = startIn(value);
    const end = endIn(value);
    // Two windows may both have written a start or an end; the first one counts.
    if (start !== undefined) starts.set(keyOf(start), starts.get(keyOf(start)) ?? start);
    else if (end !== undefined) ends.set(keyOf(end), ends.get(keyOf(end)) ?? end);
    else unreadable += 1;
  }
  const entries = [...starts.values()].map((start) => ({ ...start, end: ends.get(keyOf(start)) }));
  return { entries: entries.toSorted((one, other) => other.at - one.at), unreadable };
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
  const { at, kind, connection, deploymentId, revisionId, name, title } = value;
  if (!isTime(at) || (kind !== 'created' && kind !== 'pushed') || !isStoredText(connection)) return undefined;
  if (!isStoredText(deploymentId) || !isStoredText(revisionId) || !isStoredText(name)) return undefined;
  return { at, kind, connection, deploymentId, revisionId, name, title: isStoredText(title) ? title : undefined };
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
