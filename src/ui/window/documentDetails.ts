import type * as vscode from 'vscode';
import { servicePage } from '../../core/resources/webPages.ts';
import {
  deploymentDetails,
  detailsText,
  missingLines,
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
  of(deploymentId: string): { readonly text: string } | undefined;
  readonly onDidChange: vscode.Event<string>;
}

export interface DetailsSources {
  readonly connections: Pick<Connections, 'session' | 'find'>;
  readonly deployments: Pick<Deployments, 'find' | 'observe' | 'revision'>;
  readonly workspaceDrift: Pick<OpenBranch, 'of'>;
  readonly clock: Clock;
}

/** A document's status, its age, and the lines around its resource. */
export interface DocumentDetails {
  /** The verdict, as in the row. Empty for other resources, and for those of another connection. */
  readonly status: string;
  /** When the service last confirmed what the document says, in milliseconds; undefined if it never did. */
  readonly asOf: number | undefined;
  readonly head: readonly DetailsLine[];
  readonly end: readonly DetailsLine[];
}

/** The details of a deployment or revision; empty for other resources, and for what no longer exists. */
export function detailsOf(
  { connection, place }: DocumentSubject,
  { resource, asOf }: DocumentContent<DocumentResource>,
  { connections, deployments, workspaceDrift, clock }: DetailsSources,
): DocumentDetails {
  const noDetails: DocumentDetails = { status: '', asOf, head: [], end: [] };
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
      drift: isHere ? workspaceDrift.of(id)?.text : undefined,
      page,
    };
  };
  if (place.kind === 'revision') {
    const revision = 'source_revision_config' in resource && !('source_config' in resource) ? resource : undefined;
    const facts = factsOf(isHere ? deployments.observe(...place.ids) : { revisionId: place.ids[1], revision });
    const status = isHere ? revisionWords(facts.observed, { now: clock.now() }).first : [];
    return { status: status.join(' · '), asOf: facts.asOf, head: revisionDetails(facts), end: missingLines(facts) };
  }
  if (deployment === undefined) return noDetails;
  const { latest_revision_id: revisionId, active_revision_id: activeId = '' } = deployment;
  const known = isHere
    ? { ...deployments.observe(id, revisionId), active: deployments.revision(activeId) }
    : { revisionId };
  const facts = factsOf({ ...known, deployment });
  const status = isHere ? deploymentWords(deployment, facts.observed, { now: clock.now() }).first : [];
  return { status: status.join(' · '), asOf: facts.asOf, head: deploymentDetails(facts), end: missingLines(facts) };
}

/** A part of a line that leads somewhere. */
export interface FoundLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly to: DetailsTarget;
}

/** The places of the lines that lead somewhere. A line counts only as it was written, so quoted text leads nowhere. */
export function linksIn(text: string, { head, end }: Pick<DocumentDetails, 'head' | 'end'>): readonly FoundLink[] {
  const targets = new Map([...head, ...end].map((line) => [`# ${detailsText(line)}`, line]));
  return text.split('\n').flatMap((content, line) => {
    const { value = '', to } = targets.get(content) ?? {};
    return to === undefined ? [] : [{ line, start: content.length - value.length, end: content.length, to }];
  });
}
