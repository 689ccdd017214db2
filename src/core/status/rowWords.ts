import * as l10n from '@vscode/l10n';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { isDeletion } from '../../api/schema/enums.ts';
import { shortCommit } from '../git/drift.ts';
import { shortened } from '../text/text.ts';
import { ageOf, formatAge, formatNarrowDuration } from './duration.ts';
import { spinner, unansweredIcon } from './freshness.ts';
import { deploymentStatusView, revisionStatusView, type StatusLook } from './status.ts';
import { verdict, type Observation, type Verdict } from './verdict.ts';

/** The icon and description of a row. */
export interface RowWords extends StatusLook {
  /** The most important parts. A narrow view cuts off the later ones. */
  readonly first: readonly string[];
  /** Ages and types. */
  readonly later: readonly string[];
}

interface RevisionRow {
  readonly now: number;
  /** How long the revision, or a deployment's latest one, has had its current status, in milliseconds. */
  readonly latestFor?: number | undefined;
  /** Says why something in progress may have changed since; undefined after a recent answer. */
  readonly doubt?: () => string | undefined;
}

interface DeploymentRow extends RevisionRow {
  /** How the live revision relates to the open branch, in short. */
  readonly drift?: string | undefined;
}

/** Describes a deployment: its latest revision, which is the observed one, the live revision and its drift. */
export function deploymentWords(
  deployment: Deployment,
  observed: Observation,
  { now, latestFor = 0, drift, doubt }: DeploymentRow,
): RowWords {
  const found = verdict({ ...observed, deployment });
  const status = statusOfDeployment(deployment);
  const isLeaving = isDeletion(deployment.status);
  const isOfDeployment = isLeaving || (status !== undefined && !isNews(found));
  const look = isOfDeployment ? deploymentStatusView(deployment.status ?? 'UNKNOWN') : verdictLook(found);
  const open = look.icon === spinner ? doubt?.() : undefined;
  // The age of the latest revision would be read as that of the live one after it.
  const age = ageOf(changeOf(found, observed), now);
  const first = [
    isLeaving ? status : undefined,
    latestWords(found, open === undefined ? latestFor : 0),
    found.serving === 'another' ? age : undefined,
    open,
    found.serving === 'nothing' ? undefined : drift,
    servingWords(found, observed),
    isLeaving ? undefined : status,
  ].filter((part) => part !== undefined);
  const later = [found.serving === 'another' ? undefined : age, deployment.source_config?.deployment_type];
  return { ...stillLook(look, open), first, later: later.filter((part) => part !== undefined) };
}

/** Describes a revision, whether it's active or the latest, and how long it took. */
export function revisionWords(observed: Observation, { now, latestFor = 0, doubt }: RevisionRow): RowWords {
  const { revision, revisionId, deployment } = observed;
  const found = verdict(observed);
  const isLatest = revisionId !== undefined && deployment?.latest_revision_id === revisionId;
  const look = verdictLook(found);
  const open = look.icon === spinner ? doubt?.() : undefined;
  const first = [
    found.status === undefined ? undefined : timedLabel(found, open === undefined ? latestFor : 0),
    open,
    markOf(found),
    isLatest ? l10n.t('latest') : undefined,
  ].filter((part) => part !== undefined);
  const later = [ageOf(revision?.created_at, now), tookWords(found, revision)].filter((part) => part !== undefined);
  return { ...stillLook(look, open), first, later };
}

/** A status, and for how long it lasts if it's in progress. */
function timedLabel({ kind, status = 'UNKNOWN' }: Verdict, milliseconds: number): string {
  const { label } = revisionStatusView(status);
  return kind === 'working' && milliseconds >= 1000 ? `${label} ${formatNarrowDuration(milliseconds)}` : label;
}

/** In milliseconds. A record that changed later than that changed again after its end. */
const longestDuration = 24 * 3_600_000;

/** How long a revision took from its creation to its end, by the times of the service. */
function tookWords({ status = 'UNKNOWN' }: Verdict, revision: Revision | undefined): string | undefined {
  const { phase } = revisionStatusView(status);
  const took = Date.parse(revision?.updated_at ?? '') - Date.parse(revision?.created_at ?? '');
  if ((phase !== 'success' && phase !== 'failed') || !(took >= 1000 && took <= longestDuration)) return undefined;
  return l10n.t('took {0}', formatNarrowDuration(took));
}

/** A look that doesn't spin if there is a doubt. */
function stillLook({ icon, color }: StatusLook, doubt: string | undefined): StatusLook {
  return { icon: doubt === undefined ? icon : unansweredIcon, ...(color === undefined ? {} : { color }) };
}

/** A deployment's own status, if it says more than the status of its revisions. */
export function statusOfDeployment({
  status = 'UNKNOWN',
  latest_revision_id: latestId,
}: Deployment): string | undefined {
  if (status === 'READY' || status === 'UNKNOWN') return undefined;
  // The latest revision may have failed, but the deployment keeps this status.
  if (status === 'AWAITING_DATABASE' && latestId !== undefined) return undefined;
  return deploymentStatusView(status).label;
}

/** Distinguishes a deployed revision from others with the same status. */
export function markOf({ kind, serving }: Verdict): string | undefined {
  if (kind === 'notActive') return l10n.t('not active');
  if (kind === 'replaced') return l10n.t('replaced');
  return serving === 'this' ? l10n.t('active') : undefined;
}

/** How long ago the service last confirmed a verdict. Takes the current monotonic time in milliseconds. */
export function checkedWords({ asOf }: Verdict, monotonicNow: number): string | undefined {
  return asOf === undefined ? undefined : formatAge(Math.min(asOf, monotonicNow), monotonicNow);
}

/** The icon of a verdict. Only a live revision gets the success icon. */
export function verdictLook({ kind, status = 'UNKNOWN' }: Verdict): StatusLook {
  switch (kind) {
    case 'live':
      return revisionStatusView('DEPLOYED');
    case 'deployed':
    case 'notActive':
    case 'replaced':
      return { icon: 'pass' };
    case 'notKnown':
      return { icon: 'circle-small' };
    case 'working':
    case 'failed':
    case 'skipped':
    case 'stopped':
    case 'unknown':
      return revisionStatusView(status);
  }
}

/** In characters. An image URI with its digest is shorter. */
const longestTitle = 250;

/** A revision's display name: its ref and commit, image, archive or ID. */
export function revisionTitle(revision: Revision): string {
  return madeFrom(revision) ?? shortened(revision.id, longestTitle);
}

/** What a revision is made from: its ref and commit, image or archive. A template has none of them. */
export function madeFrom({ source_revision_config: config }: Revision): string | undefined {
  const commit = config?.repo_commit_sha;
  const ref = config?.repo_ref?.replace(/^refs\/(?:heads|tags)\//, '');
  const archive = config?.source_tarball_path;
  const built = ref && commit ? `${ref} @ ${shortCommit(commit)}` : ref;
  const made = built ?? config?.image_uri ?? (archive && uploadTitle(archive));
  return made && shortened(made, longestTitle);
}

/** Services name archives by long IDs, of which the beginning is enough to tell them apart. */
export function uploadTitle(archive: string): string {
  const [id] = /[\da-f]{8}(?=(?:-[\da-f]{4}){3}-[\da-f]{12}\.tar\.gz$)/.exec(archive) ?? [];
  return id === undefined ? archive : l10n.t('upload {0}', id);
}

/** The status of the latest revision, unless it's live. */
function latestWords(found: Verdict, latestFor: number): string | undefined {
  const { kind, serving } = found;
  if (kind === 'live') return undefined;
  if (kind === 'notKnown') return serving === 'another' ? l10n.t('newer revision not live') : undefined;
  return kind === 'working' ? timedLabel(found, latestFor) : verdictLabel(found);
}

/** The label of a verdict's status. Says if a deployed revision isn't the active one. */
export function verdictLabel(found: Verdict): string {
  const { kind, status = 'UNKNOWN' } = found;
  const { label } = revisionStatusView(status);
  return kind === 'notActive' || kind === 'replaced' ? [label, markOf(found)].join(', ') : label;
}

/** Names the live revision. */
function servingWords({ kind, serving }: Verdict, { active, revision }: Observation): string | undefined {
  if (serving === 'nothing') return l10n.t('nothing live yet');
  if (serving === 'notKnown') return undefined;
  const name = shortName(serving === 'this' ? (active ?? revision) : active);
  if (name !== undefined) return l10n.t('live: {0}', name);
  if (serving === 'this') return l10n.t('live');
  return kind === 'notKnown' ? undefined : l10n.t('another revision is live');
}

function shortName(revision: Revision | undefined): string | undefined {
  const config = revision?.source_revision_config;
  const commit = config?.repo_commit_sha;
  return commit === undefined ? config?.image_uri?.split('/').at(-1) : shortCommit(commit);
}

/** When the state shown first last changed. Undefined in progress, because the row shows the duration. */
function changeOf({ kind }: Verdict, { revision, active }: Observation): string | undefined {
  if (kind === 'working' || kind === 'notKnown') return undefined;
  const changed = kind === 'live' ? (active ?? revision) : revision;
  return changed?.updated_at ?? changed?.created_at;
}

/** Whether the latest revision says more than the deployment's own status. */
function isNews({ kind }: Verdict): boolean {
  return kind === 'working' || kind === 'failed' || kind === 'skipped' || kind === 'stopped' || kind === 'unknown';
}
