import { servicePage } from '../../core/resources/webPages.ts';
import {
  deploymentDetails,
  detailsText,
  revisionDetails,
  type DetailsFacts,
  type DetailsLine,
  type DetailsTarget,
} from '../../core/status/detailsWords.ts';
import { deploymentWords, revisionWords } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import type { Answers } from '../../state/answers/answers.ts';
import { toWallTime, type Clock } from '../../state/clock.ts';
import type { Capabilities } from '../../state/connections/capabilities.ts';
import type { Connections } from '../../state/connections/connections.ts';
import { uploadNoteOf } from '../../state/deploying/uploads.ts';
import type { Memory } from '../../state/memory.ts';
import type { DocumentSubject } from '../window/documentPlace.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import type { DocumentContent } from './openDocuments.ts';

export interface DetailsSources {
  readonly connections: Pick<Connections, 'find'>;
  readonly capabilities: Pick<Capabilities, 'has'>;
  readonly answers: Pick<Answers, 'observe'>;
  readonly workspaceDrift: Pick<WorkspaceDrift, 'of'>;
  readonly clock: Clock;
  readonly workspaceMemory: Pick<Memory, 'get'>;
}

/** A document's status, its age, and the lines above its resource. */
export interface DocumentDetails {
  /** The verdict, as in the row. Empty for other resources. */
  readonly status: string;
  /** When the service last confirmed what the document says, in milliseconds; undefined if it never did. */
  readonly asOf: number | undefined;
  readonly lines: readonly DetailsLine[];
}

/** The details of a deployment or revision; empty for other resources, and for what no longer exists. */
export function detailsOf(
  { connection, place }: DocumentSubject,
  { resource, asOf }: DocumentContent,
  { connections, capabilities, answers, workspaceDrift, clock, workspaceMemory }: DetailsSources,
): DocumentDetails {
  if (resource === undefined || (place.kind !== 'deployment' && place.kind !== 'revision')) {
    return { status: '', asOf, lines: [] };
  }
  const observed = answers.observe(connection, place.ids[0], place.ids[1]);
  const { deployment } = observed;
  const service = connections.find(connection);
  const { asOf: seenAt } = verdict(observed);
  const facts: DetailsFacts = {
    observed,
    asOf: seenAt === undefined ? asOf : toWallTime(clock, seenAt),
    drift: workspaceDrift.of(place.ids[0]),
    upload: uploadNoteOf(workspaceMemory, place.ids[1] ?? deployment?.latest_revision_id ?? ''),
    page: deployment === undefined || service === undefined ? undefined : servicePage(service, deployment),
    hasLogs: service !== undefined && capabilities.has(service, 'logs'),
  };
  const now = clock.now();
  const isDeployment = place.kind === 'deployment' && deployment !== undefined;
  const { first } = isDeployment ? deploymentWords(deployment, observed, { now }) : revisionWords(observed, { now });
  const lines = isDeployment ? deploymentDetails(facts) : revisionDetails(facts);
  return { status: first.join(' · '), asOf: facts.asOf, lines };
}

/** A part of a line that leads somewhere. */
export interface FoundLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly to: DetailsTarget;
}

/** A text as the lines of a comment, wrapped between words so that they fit on a screen. */
export function commentLines(text: string): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const [first = '', ...others] = paragraph.match(/\S.{0,77}(?=\s|$)|\S+/g) ?? [];
    return [`# ${first}`.trimEnd(), ...others.map((line) => `#   ${line.trimEnd()}`)];
  });
}

/** The places of the lines that lead somewhere. They are found in their order, so quoted text leads nowhere. */
export function linksIn(text: string, lines: readonly DetailsLine[]): readonly FoundLink[] {
  const shown = text.split('\n');
  let next = 0;
  return lines.flatMap((line) => {
    const written = commentLines(detailsText(line));
    const first = shown.findIndex(
      (_, index) => index >= next && written.every((part, offset) => shown[index + offset] === part),
    );
    if (first < 0) return [];
    next = first + written.length;
    const { label, to } = line;
    if (to === undefined) return [];
    return written.flatMap((part, offset) => {
      const indent = offset > 0 ? 4 : label === undefined ? 2 : `# ${label}: `.length;
      return part.length > indent ? [{ line: first + offset, start: indent, end: part.length, to }] : [];
    });
  });
}
