import type * as vscode from 'vscode';
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
import { verdict, type Observation } from '../../core/status/verdict.ts';
import { toWallTime, type Clock } from '../../state/clock.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Deployments } from '../../state/lists/deployments.ts';
import type { DocumentResource, DocumentSubject } from './documentResources.ts';
import type { DocumentContent } from './openDocuments.ts';

/** How the live commits relate to the open branch. */
export interface OpenBranch {
  of(deploymentId: string): string | undefined;
  readonly onDidChange: vscode.Event<string>;
}

export interface DetailsSources {
  readonly connections: Pick<Connections, 'session' | 'find'>;
  readonly deployments: Pick<Deployments, 'find' | 'observe' | 'revision'>;
  readonly workspaceDrift: Pick<OpenBranch, 'of'>;
  readonly clock: Clock;
}

/** A document's status, its age, and the lines above its resource. */
export interface DocumentDetails {
  /** The verdict, as in the row. Empty for other resources, and for those of another connection. */
  readonly status: string;
  /** When the service last confirmed what the document says, in milliseconds; undefined if it never did. */
  readonly asOf: number | undefined;
  readonly lines: readonly DetailsLine[];
}

/** The details of a deployment or revision; empty for other resources, and for what no longer exists. */
export function detailsOf(
  { connection, place }: DocumentSubject,
  { resource, asOf }: DocumentContent<DocumentResource>,
  { connections, deployments, workspaceDrift, clock }: DetailsSources,
): DocumentDetails {
  const noDetails: DocumentDetails = { status: '', asOf, lines: [] };
  if (resource === undefined || (place.kind !== 'deployment' && place.kind !== 'revision')) return noDetails;
  const { session } = connections;
  const isHere = session.kind !== 'none' && session.connection.name === connection;
  const [id] = place.ids;
  const deployment = 'source_config' in resource ? resource : isHere ? deployments.find(id) : undefined;
  const service = connections.find(connection);
  const page = deployment === undefined || service === undefined ? undefined : servicePage(service, deployment);
  const factsOf = (observed: Observation): DetailsFacts => {
    const { asOf: seenAt } = verdict(observed);
    return {
      observed,
      asOf: seenAt === undefined ? asOf : toWallTime(clock, seenAt),
      drift: isHere ? workspaceDrift.of(id) : undefined,
      page,
    };
  };
  if (place.kind === 'revision') {
    const revision = 'source_revision_config' in resource && !('source_config' in resource) ? resource : undefined;
    const facts = factsOf(isHere ? deployments.observe(...place.ids) : { revisionId: place.ids[1], revision });
    const status = isHere ? revisionWords(facts.observed, { now: clock.now() }).first : [];
    return { status: status.join(' · '), asOf: facts.asOf, lines: revisionDetails(facts) };
  }
  if (deployment === undefined) return noDetails;
  const { latest_revision_id: revisionId, active_revision_id: activeId = '' } = deployment;
  const known = isHere
    ? { ...deployments.observe(id, revisionId), active: deployments.revision(activeId) }
    : { revisionId };
  const facts = factsOf({ ...known, deployment });
  const status = isHere ? deploymentWords(deployment, facts.observed, { now: clock.now() }).first : [];
  return { status: status.join(' · '), asOf: facts.asOf, lines: deploymentDetails(facts) };
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
