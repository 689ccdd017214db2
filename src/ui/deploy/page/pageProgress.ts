import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { formatInstant } from '../../../core/status/duration.ts';
import { followDetails, isFailed } from '../../../core/status/followWords.ts';
import { verdictLabel } from '../../../core/status/rowWords.ts';
import { followFacts, type ShownDeployment } from '../../../state/following/shownDeployments.ts';
import { followActions, logRemedies, runFollowAction } from '../../following/followActions.ts';
import type { Services } from '../../services.ts';
import { showDeploymentDocument } from '../../deployments/showDeployment.ts';
import type { ButtonMaker } from './pageButtons.ts';
import type { PageProgress } from './protocol.ts';

/** A deployment that was made from a page, and the statuses that its revision had since. */
export interface MadeDeployment {
  readonly connection: string;
  readonly deployment: Deployment;
  /** The text of the file's deployment that it was made from. */
  readonly text: string;
  /** Whether it was changed without a new revision. */
  readonly isUnrevised: boolean;
  readonly steps: { readonly words: string; readonly at: string }[];
}

const looks: Partial<Record<string, PageProgress['look']>> = { working: 'working', live: 'success', failed: 'failed' };

/** What became of a deployment, from the verdict on its revision. Notes a status that is new. */
export function progressOf(made: MadeDeployment, services: Services, button: ButtonMaker): PageProgress {
  const { connection, deployment, steps } = made;
  const { id: deploymentId, latest_revision_id: revisionId, name } = deployment;
  const details = button('made/details', vscode.l10n.t('Open Details'), () =>
    showDeploymentDocument({ connection, deploymentId, name }),
  );
  if (made.isUnrevised || revisionId === undefined) {
    const words = made.isUnrevised
      ? vscode.l10n.t('{0} was changed. The service made no new revision for that.', name)
      : vscode.l10n.t('Created. The service names no revision of it yet.');
    return { words, look: made.isUnrevised ? 'success' : 'other', steps: [], reason: '', buttons: [details] };
  }
  const id = { connection, deploymentId, revisionId };
  const shown: ShownDeployment = services.shown.find(connection, deploymentId) ?? {
    ...id,
    failures: 0,
    outcome: 'ended',
  };
  const facts = followFacts(shown, services);
  const label = verdictLabel(facts.verdict);
  const now = services.clock.now();
  if (facts.verdict.kind !== 'notKnown' && steps.at(-1)?.words !== label) {
    steps.push({ words: label, at: formatInstant(now, now) });
  }
  const hasFailed = isFailed(facts);
  const reason = hasFailed ? (facts.reason ?? '') : '';
  const application = followActions(shown, services).filter((action) => action.id === 'application' && !hasFailed);
  return {
    words: followDetails(facts, reason !== ''),
    look: looks[facts.verdict.kind] ?? 'other',
    steps: [...steps],
    reason,
    buttons: [
      ...application.map((action) =>
        button(`made/${action.id}`, action.title, () => runFollowAction(services, shown, action.id)),
      ),
      ...(hasFailed ? logRemedies(id, services) : []).map(({ title, run }) => button(`made/${title}`, title, run)),
      details,
    ],
  };
}
