import * as l10n from '@vscode/l10n';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { shortCommit } from '../git/drift.ts';
import { shortened } from '../text/text.ts';
import { ageOf, formatDuration } from './duration.ts';
import { deploymentStatusView, revisionStatusView, type Phase } from './status.ts';

/** What a row says about a deployment or a revision: an icon and the words beside the name. */
export interface Summary {
  readonly icon: string;
  readonly color?: string;
  /** Short words beside the name. */
  readonly description: string;
  readonly phase: Phase;
}

/** What is known of a deployment besides its record; each part is missing until it was asked for. */
export interface DeploymentFacts {
  readonly active?: Revision | undefined;
  readonly latest?: Revision | undefined;
  /** For how long the latest revision has had its present status, in milliseconds. */
  readonly latestFor?: number | undefined;
}

/**
 * Says what is live, what is moving and what failed. A record carries no revision statuses, so that until they are
 * known the row says only what the record proves: whether a newer revision than the live one exists.
 */
export function summarizeDeployment(deployment: Deployment, facts: DeploymentFacts, now: number): Summary {
  const { active_revision_id: activeId, latest_revision_id: latestId } = deployment;
  const record = deploymentStatusView(deployment.status ?? 'UNKNOWN');
  const latest = facts.latest === undefined ? undefined : revisionStatusView(facts.latest.status ?? 'UNKNOWN');
  const isLatestLive = activeId !== undefined && activeId === latestId;
  const phase = latest?.phase ?? (isLatestLive ? 'success' : 'unknown');
  const hasJustEnded =
    isLatestLive && deployment.status === 'READY' && latest?.phase === 'success' && isRecent(facts.latest, now);
  const isLeaving = deployment.status === 'AWAITING_DELETE';
  const movement = movementWords(hasJustEnded ? undefined : record.label, facts, now);
  const own = movement === record.label || isOrdinary(deployment) ? undefined : record.label;
  const parts = [
    ...(isLeaving ? [own, movement] : [movement, own]),
    liveWords(deployment, facts.active, hasJustEnded ? undefined : now),
    !isLatestLive && activeId !== undefined && latest === undefined ? l10n.t('newer revision not live') : undefined,
    deployment.source_config?.deployment_type,
  ].filter((part) => part !== undefined);
  const look = isLeaving || phase === 'success' || latest === undefined ? record : latest;
  return {
    icon: look.icon,
    ...(look.color === undefined ? {} : { color: look.color }),
    description: parts.join(' · '),
    phase,
  };
}

/** Says what a revision is, and whether it is the one that serves. */
export function summarizeRevision(deployment: Deployment | undefined, revision: Revision, now: number): Summary {
  const view = revisionStatusView(revision.status ?? 'UNKNOWN');
  const isActive = deployment?.active_revision_id === revision.id;
  const isLatest = deployment?.latest_revision_id === revision.id;
  // The latest one is at most about to be the active one, when the record is older than the revision.
  const isOlder = !isActive && !isLatest && deployment?.active_revision_id !== undefined;
  const wasReplaced = view.phase === 'success' && isOlder;
  const marks = [
    isActive ? l10n.t('active') : undefined,
    isLatest ? l10n.t('latest') : undefined,
    wasReplaced ? l10n.t('replaced') : undefined,
  ].filter((mark) => mark !== undefined);
  const age = ageOf(revision.created_at, now);
  const description = [view.label, ...marks, age].filter((part) => part !== undefined).join(' · ');
  const look = wasReplaced ? { icon: 'pass' } : view;
  return {
    icon: look.icon,
    ...('color' in look && look.color !== undefined ? { color: look.color } : {}),
    description,
    phase: view.phase,
  };
}

/** In characters: the address of an image with its digest has less. */
const longestTitle = 250;

/** A revision's name for a person: what it was built from. */
export function revisionTitle(revision: Revision): string {
  const config = revision.source_revision_config;
  const commit = config?.repo_commit_sha;
  const ref = config?.repo_ref?.replace(/^refs\/(?:heads|tags)\//, '');
  if (ref !== undefined) return shortened(commit === undefined ? ref : `${ref} @ ${shortCommit(commit)}`, longestTitle);
  return shortened(config?.image_uri ?? config?.source_tarball_path ?? revision.id, longestTitle);
}

/**
 * What the newest revision does: for how long it moves, or when it came to its end. `settled` is said in place of a good
 * end, and where the revision is not known.
 */
function movementWords(
  settled: string | undefined,
  { latest, latestFor = 0 }: DeploymentFacts,
  now: number,
): string | undefined {
  if (latest === undefined) return settled;
  const { phase, label } = revisionStatusView(latest.status ?? 'UNKNOWN');
  if (phase === 'success' && settled !== undefined) return settled;
  if (phase === 'working') {
    return latestFor < 1000 ? label : `${label} ${formatDuration(latestFor)}`;
  }
  const age = ageOf(changeOf(latest), now);
  return age === undefined ? label : `${label} ${age}`;
}

/** A deployment that its own status says nothing of which its revisions do not say better. */
function isOrdinary({ status = 'UNKNOWN' }: Deployment): boolean {
  return status === 'READY' || status === 'AWAITING_DATABASE' || status === 'UNKNOWN';
}

/** Says which revision is live, and since when unless that was said before. */
function liveWords(deployment: Deployment, active: Revision | undefined, now: number | undefined): string | undefined {
  if (deployment.active_revision_id === undefined) return l10n.t('nothing live yet');
  if (active === undefined) return undefined;
  const config = active.source_revision_config;
  const commit = config?.repo_commit_sha;
  const what = commit === undefined ? config?.image_uri?.split('/').at(-1) : shortCommit(commit);
  const age = now === undefined ? undefined : ageOf(changeOf(active), now);
  return [what === undefined ? l10n.t('live') : l10n.t('live: {0}', what), age]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function changeOf(revision: Revision): string | undefined {
  return revision.updated_at ?? revision.created_at;
}

/** A narrow view cuts off the end of a row: for as long as an end is news, its age comes first, as that of a failure. */
function isRecent(revision: Revision | undefined, now: number): boolean {
  const change = revision === undefined ? undefined : changeOf(revision);
  return change !== undefined && now - Date.parse(change) < newsMilliseconds;
}

const newsMilliseconds = 60 * 60_000;
