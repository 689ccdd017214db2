import { isDeletion } from '../../api/schema/enums.ts';
import { verdict, type Observation } from './verdict.ts';

/** What a service may do with a revision beyond the document. Also the tags of its row for menus. */
export type RevisionAction = 'deployAgain' | 'rollBack' | 'stopBuild';

/**
 * The action that a revision's state allows; undefined if there is none or the state isn't known.
 * A deployment is deployed again from its latest revision: one that failed, or the live one.
 */
export function revisionAction(observed: Observation): RevisionAction | undefined {
  const { deployment, revisionId } = observed;
  if (deployment === undefined || isDeletion(deployment.status)) return undefined;
  const { kind } = verdict(observed);
  switch (kind) {
    case 'working':
      return 'stopBuild';
    // It was live once. Others that ended never were, so going back to them would be a first deployment.
    case 'replaced':
      return 'rollBack';
    case 'live':
      return 'deployAgain';
    case 'failed':
    case 'skipped':
    case 'stopped':
    case 'deployed':
    case 'notActive':
      return deployment.latest_revision_id === revisionId ? 'deployAgain' : undefined;
    case 'notKnown':
    case 'unknown':
      return undefined;
  }
}
