import type { ActivityEnd } from '../../src/core/status/activityWords.ts';
import type { RevisionId } from '../../src/state/answers/answers.ts';
import type { Tell } from './oracle.ts';
import type { DeploymentTruth, RevisionTruth, ServiceModel } from './serviceModel.ts';
import { parseActivity } from './shown.ts';
import type { WindowOptions } from './simulatedWindow.ts';

const second = 1_000;

/** The file with the activity of a machine, and the endings that its windows told. */
export class ActivityTruth {
  readonly #told = new Set<string>();
  #text = '';

  readonly file: WindowOptions['activity'] = {
    read: async () => this.#text,
    append: async (line) => void (this.#text += `${line}\n`),
    remove: async () => void (this.#text = ''),
  };

  /** Notes that a window told an ending. */
  hear({ revisionId }: RevisionId): void {
    this.#told.add(revisionId);
  }

  /** Compares what the file says of the ends of deployments with what was really so. */
  check(services: readonly ServiceModel[], tell: Tell): void {
    const { entries, unreadable } = parseActivity(this.#text);
    if (unreadable > 0) tell(`${unreadable} lines of the activity are unreadable`);
    for (const { revisionId, deploymentId, end } of entries) {
      const service = services.find((each) => each.get(deploymentId) !== undefined);
      const deployment = service?.get(deploymentId);
      const revision = service?.revision(deploymentId, revisionId);
      if (service === undefined || deployment === undefined || revision === undefined) {
        tell(`the activity has ${revisionId}, which never existed`);
      } else if (end === undefined) {
        if (this.#told.has(revisionId)) tell(`the activity doesn't know that ${revisionId} ended`);
      } else {
        if (!isEndTrue(end, deployment, revision)) {
          tell(`the activity says that ${revisionId} ${end.outcome} as ${end.verdict} with ${end.status}`);
        }
        checkDuration(end, revision, service, tell);
      }
    }
  }
}

function isEndTrue(
  { outcome, verdict, status = '' }: ActivityEnd,
  deployment: DeploymentTruth,
  revision: RevisionTruth,
): boolean {
  const statuses = revision.statuses.map(({ value }) => value);
  const last = statuses.at(-1) ?? '';
  if (outcome === 'gone') return deployment.exists.some(({ value }) => !value);
  if (outcome === 'gaveUp') return status === '' || statuses.includes(status);
  if (!statuses.includes(status)) return false;
  switch (verdict) {
    case 'live':
      return last === 'DEPLOYED' && deployment.active.some(({ value }) => value === revision.id);
    case 'deployed':
      return last === 'DEPLOYED';
    case 'notActive':
    case 'replaced':
      return last === 'DEPLOYED' && deployment.active.some(({ value }) => value !== revision.id);
    case 'failed':
      return last === status && last.endsWith('_FAILED');
    case 'skipped':
      return last === 'SKIPPED';
    case 'stopped':
      return status === 'INTERRUPTED';
    default:
      return false;
  }
}

/** How long a deployment took is what the service says of its beginning and end. */
function checkDuration(
  { milliseconds, status }: ActivityEnd,
  revision: RevisionTruth,
  service: ServiceModel,
  tell: Tell,
): void {
  const ended = revision.statuses.findLast(({ value }) => value === status)?.at;
  if (milliseconds === undefined || ended === undefined || !service.hasRightTime) return;
  const took = ended - revision.createdAt;
  const isOnce = revision.statuses.filter(({ value }) => value === status).length === 1;
  if (isOnce && Math.abs(milliseconds - took) > second) {
    tell(`the activity says that ${revision.id} took ${milliseconds} ms, but it took ${took}`);
  }
}
