import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { revisionStatusView, type Phase } from './status.ts';

/** What is known of one revision of a deployment. Each part is missing until the service has answered. */
export interface Observation {
  readonly revisionId: string | undefined;
  readonly revision?: Revision | undefined;
  /** When the service answered with the revision, in monotonic milliseconds. */
  readonly revisionAt?: number | undefined;
  readonly deployment?: Deployment | undefined;
  /** When the service was asked for the record, in monotonic milliseconds. */
  readonly deploymentAt?: number | undefined;
  /** The active revision of the record. */
  readonly active?: Revision | undefined;
}

/** What is true of a revision. */
export type VerdictKind =
  /** The service has not answered yet. */
  | 'notKnown'
  | 'working'
  /** It is the active revision. */
  | 'live'
  /** It is deployed, and no record is new enough to say whether it is active. */
  | 'deployed'
  /** It is deployed, and a newer answer about its deployment doesn't name it as active. */
  | 'notActive'
  /** It was deployed before the active revision. */
  | 'replaced'
  | 'failed'
  | 'skipped'
  | 'stopped'
  /** Its status says nothing, or is one that the interface doesn't name. */
  | 'unknown';

export interface Verdict {
  readonly kind: VerdictKind;
  /** What serves, according to the record: for a failed revision, whether another one keeps serving. */
  readonly serving: 'this' | 'another' | 'nothing' | 'notKnown';
  /** The revision's status in the service's word; undefined until the first answer. */
  readonly status: string | undefined;
  /** How old the oldest answer behind the verdict is, in monotonic milliseconds; undefined where no time is known. */
  readonly asOf: number | undefined;
}

/** Says what is true of a revision. It is live only where the record names it as the active one. */
export function verdict(observed: Observation): Verdict {
  const { revision } = observed;
  const serving = servingOf(observed);
  const status = revision === undefined ? undefined : (revision.status ?? 'UNKNOWN');
  const kind = status === undefined ? kindByRecord(serving) : kindByStatus(status, serving, observed);
  return { kind, serving, status, asOf: asOfKind(kind, observed) };
}

function servingOf({ revisionId, deployment }: Observation): Verdict['serving'] {
  if (deployment === undefined) return 'notKnown';
  const { active_revision_id: activeId } = deployment;
  if (activeId === undefined) return 'nothing';
  return activeId === revisionId ? 'this' : 'another';
}

function kindByRecord(serving: Verdict['serving']): VerdictKind {
  return serving === 'this' ? 'live' : 'notKnown';
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

/** A record can be older than the revision, and then name as active what this revision is about to replace. */
function isReplaced(observed: Observation): boolean {
  const { revision, active, deployment } = observed;
  const difference = Date.parse(revision?.created_at ?? '') - Date.parse(active?.created_at ?? '');
  if (!Number.isNaN(difference)) return difference < 0;
  const latestId = deployment?.latest_revision_id;
  return isRecordNewer(observed) && latestId !== undefined && latestId !== revision?.id;
}

function isRecordNewer({ revisionAt, deploymentAt }: Observation): boolean {
  return revisionAt !== undefined && deploymentAt !== undefined && deploymentAt >= revisionAt;
}

/** What a revision does is said by its own answer alone; whether it is active, by the record too. */
function asOfKind(kind: VerdictKind, { revisionAt, deploymentAt }: Observation): number | undefined {
  switch (kind) {
    case 'live':
      return deploymentAt;
    case 'notActive':
    case 'replaced':
      return revisionAt === undefined || deploymentAt === undefined ? undefined : Math.min(revisionAt, deploymentAt);
    case 'notKnown':
    case 'working':
    case 'deployed':
    case 'failed':
    case 'skipped':
    case 'stopped':
    case 'unknown':
      return revisionAt;
  }
}
