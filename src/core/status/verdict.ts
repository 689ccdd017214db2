import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { revisionStatusView, statusOf, type Phase } from './status.ts';

/** The service's answers about one revision of a deployment. Each part is missing until the service has answered. */
export interface Observation {
  readonly revisionId: string | undefined;
  readonly revision?: Revision | undefined;
  /** When the service returned the revision, in monotonic milliseconds. */
  readonly revisionAt?: number | undefined;
  readonly deployment?: Deployment | undefined;
  /** When the service was asked for the deployment's record, in monotonic milliseconds. */
  readonly deploymentAt?: number | undefined;
  /** The record's active revision. */
  readonly active?: Revision | undefined;
}

/** The state of a revision. */
export type VerdictKind =
  /** The service hasn't returned the revision yet. */
  | 'notKnown'
  | 'working'
  /** The active revision. */
  | 'live'
  /** Deployed, but no record is new enough to tell whether it's active. */
  | 'deployed'
  /** Deployed, but a newer record of its deployment doesn't name it as active. */
  | 'notActive'
  /** Deployed before the active revision. */
  | 'replaced'
  | 'failed'
  | 'skipped'
  | 'stopped'
  /** The status is unknown or not named by the interface. */
  | 'unknown';

export interface Verdict {
  readonly kind: VerdictKind;
  /** The serving revision according to the record. For a failed one, shows whether another still serves. */
  readonly serving: 'this' | 'another' | 'nothing' | 'notKnown';
  /** The revision's status as the service names it. Undefined until the first answer. */
  readonly status: string | undefined;
  /** When the answer behind the verdict came, in monotonic milliseconds. Undefined if unknown. */
  readonly asOf: number | undefined;
}

/** Determines the state of a revision. It's live only if the record names it as active. */
export function verdict(observed: Observation): Verdict {
  const { revision } = observed;
  const serving = servingOf(observed);
  const status = revision && statusOf(revision);
  const kindByRecord = serving === 'this' ? 'live' : 'notKnown';
  const kind = status === undefined ? kindByRecord : kindByStatus(status, serving, observed);
  return { kind, serving, status, asOf: asOfKind(kind, observed) };
}

function servingOf({ revisionId, deployment }: Observation): Verdict['serving'] {
  if (deployment === undefined) return 'notKnown';
  const { active_revision_id: activeId } = deployment;
  if (activeId === undefined) return 'nothing';
  return activeId === revisionId ? 'this' : 'another';
}

const kindOfPhase = {
  working: 'working',
  failed: 'failed',
  superseded: 'skipped',
  stopped: 'stopped',
  unknown: 'unknown',
} as const satisfies Record<Exclude<Phase, 'success'>, VerdictKind>;

function kindByStatus(status: string, serving: Verdict['serving'], observed: Observation): VerdictKind {
  const { phase } = revisionStatusView(status);
  if (phase !== 'success') return kindOfPhase[phase];
  if (serving === 'this') return 'live';
  if (serving === 'notKnown') return 'deployed';
  if (serving === 'another' && isReplaced(observed)) return 'replaced';
  return isRecordNewer(observed) ? 'notActive' : 'deployed';
}

/** Whether another revision took over. An old record may name a revision that this one is about to replace. */
function isReplaced(observed: Observation): boolean {
  const { revision, active, deployment } = observed;
  const difference = Date.parse(revision?.created_at ?? '') - Date.parse(active?.created_at ?? '');
  if (!Number.isNaN(difference)) return difference < 0;
  const latestId = deployment?.latest_revision_id;
  return isRecordNewer(observed) && latestId !== undefined && latestId !== revision?.id;
}

/**
 * The newer revision that a record names as the latest one.
 * A service may answer with a record from before the revision, which names an older one.
 */
export function successorOf(revision: Revision, deployment: Deployment | undefined): string | undefined {
  const { latest_revision_id: latestId, updated_at: updatedAt } = deployment ?? {};
  const isOld = Date.parse(updatedAt ?? '') < Date.parse(revision.created_at ?? '');
  return latestId === revision.id || isOld ? undefined : latestId;
}

/**
 * Whether a record is still to name what follows from the end of a revision.
 * A deployed one becomes the active one, and another one took the place of a skipped one.
 */
export function isRecordBehind(revision: Revision, deployment: Deployment): boolean {
  if (successorOf(revision, deployment) !== undefined) return false;
  const { phase } = revisionStatusView(statusOf(revision));
  return phase === 'superseded' || (phase === 'success' && deployment.active_revision_id !== revision.id);
}

function isRecordNewer({ revisionAt, deploymentAt }: Observation): boolean {
  return revisionAt !== undefined && deploymentAt !== undefined && deploymentAt >= revisionAt;
}

/** The time of the answer behind a verdict. Only the record says whether a deployed revision is active. */
function asOfKind(kind: VerdictKind, { revisionAt, deploymentAt }: Observation): number | undefined {
  if (kind === 'live' || kind === 'notActive') return deploymentAt;
  // Once replaced, always replaced, so the newer answer counts.
  return kind === 'replaced' ? Math.max(deploymentAt ?? -Infinity, revisionAt ?? -Infinity) : revisionAt;
}
