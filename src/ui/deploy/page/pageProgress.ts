import * as vscode from 'vscode';
import type { MadeRevision } from '../../../core/draft/begunDraft.ts';
import { formatInstant } from '../../../core/status/duration.ts';
import { followDetails, isFailed } from '../../../core/status/followWords.ts';
import { verdictLabel } from '../../../core/status/rowWords.ts';
import { askRecord, askRevision } from '../../../state/answers/ask.ts';
import type { RevisionId } from '../../../state/answers/answers.ts';
import { followFacts, followTimes, type ShownDeployment } from '../../../state/following/shownDeployments.ts';
import { typedKey } from '../../../state/deploying/typedSecrets.ts';
import { followActions, logRemedies, runFollowAction } from '../../following/followActions.ts';
import type { Services } from '../../services.ts';
import { showDeploymentDocument } from '../../deployments/showDeployment.ts';
import { commandRemedy, messageOf, type Remedy } from '../../window/errors.ts';
import type { ButtonMaker } from './pageButtons.ts';
import type { PageProgress } from './protocol.ts';

/** A deployment that was made from a page, and what became of its revision since. */
export interface MadeDeployment extends Omit<MadeRevision, 'steps'> {
  steps: MadeRevision['steps'];
  /** What opens the file to correct, and the failed revision whose reason names it. */
  opening?: { readonly revisionId: string; readonly remedies: readonly Remedy[] };
}

/** The deployments made from a page, by name and connection, as `typedKey` joins them without a secret. */
export class MadeDeployments {
  readonly #made = new Map<string, MadeDeployment>();
  readonly #services: Services;
  readonly #tell: () => void;
  readonly #keep: ((made: MadeRevision) => unknown) | undefined;

  /**
   * @param tell tells the page that something became of one
   * @param keep keeps the statuses that were seen of it
   */
  constructor(services: Services, tell: () => void, keep?: (made: MadeRevision) => unknown) {
    this.#services = services;
    this.#tell = tell;
    this.#keep = keep;
  }

  /** What was made, unless it is deleted: then it can be made again. */
  get(key: string): MadeDeployment | undefined {
    const made = this.#made.get(key);
    const { answers } = this.#services;
    return made && answers.goneAt(made.connection, made.deploymentId) === undefined ? made : undefined;
  }

  add(made: MadeRevision): void {
    this.#made.set(keyOfMade(made), { ...made });
  }

  /** Replaces all deployments. The same revision of one keeps its progress. */
  replace(made: readonly MadeRevision[]): void {
    const before = new Map(this.#made);
    this.#made.clear();
    for (const each of made) {
      const { deploymentId, revisionId, text } = each;
      const key = keyOfMade(each);
      const known = before.get(key);
      const isSame = known?.deploymentId === deploymentId && known.revisionId === revisionId && known.text === text;
      this.#made.set(key, isSame ? known : { ...each });
    }
  }

  get all(): readonly MadeRevision[] {
    return [...this.#made.keys()].flatMap((key) => this.get(key) ?? []);
  }

  /**
   * Asks for what was made before the page was opened if nothing is known of it, such as after a reload. It isn't followed
   * again, because the user may have ended that.
   */
  ask(): void {
    const { log } = this.#services;
    for (const made of this.#made.values()) {
      this.#ask(made).catch((error: unknown) => log.error(`deployment page: ${messageOf(error)}`));
    }
  }

  async #ask(made: MadeDeployment): Promise<void> {
    const { connection, deploymentId, revisionId, isUnrevised } = made;
    if (revisionId === undefined || isUnrevised) return;
    this.#note(made);
    const { shown, answers, connections, clock } = this.#services;
    if (shown.find(connection, deploymentId) ?? answers.revision(connection, revisionId)) return;
    const client = await connections.clientNamed(connection);
    const place = { connection, deploymentId, askedAt: clock.monotonic() };
    if ((await askRecord(this.#services, client, place)) === undefined) answers.remove(place);
    else {
      await askRevision(this.#services, client, { connection, deploymentId, revisionId });
      this.#note(made);
    }
    this.#tell();
  }

  /** Notes what became of each, and tells the page. */
  noteProgress(): void {
    for (const each of this.#made.values()) this.#note(each);
    this.#tell();
  }

  /** Notes the status of what was made if it is new, and looks for the file to correct, which the page is then told of. */
  #note(made: MadeDeployment): void {
    const { answers, clock, log } = this.#services;
    const shown = shownOf(made, this.#services);
    if (shown === undefined) return;
    const { revisionId } = shown;
    const facts = followFacts(shown, this.#services);
    const words = verdictLabel(facts.verdict);
    const seen = made.steps.filter((step) => step.revisionId === revisionId);
    const isAnswered = answers.revision(made.connection, revisionId) !== undefined;
    if (isAnswered && facts.verdict.kind !== 'notKnown' && seen.at(-1)?.words !== words) {
      const at = followTimes(shown, this.#services).since ?? clock.now();
      made.steps = [...seen, { revisionId, words, at }];
      this.#keep?.(made);
    }
    if (!isFailed(facts) || made.opening?.revisionId === revisionId) return;
    made.opening = { revisionId, remedies: [] };
    findOpening(made, shown, this.#services)
      .then(this.#tell)
      .catch((error: unknown) => log.debug('The files of a failed build.', error));
  }
}

function keyOfMade({ name, connection }: MadeRevision): string {
  return typedKey(name, connection, '');
}

const looks: Partial<Record<string, PageProgress['look']>> = { working: 'working', live: 'success', failed: 'failed' };

async function findOpening(made: MadeDeployment, failed: RevisionId, { failedFiles }: Services): Promise<void> {
  const { opening: remedies } = await failedFiles.remediesOf(failed);
  made.opening = { revisionId: failed.revisionId, remedies };
}

/** The revision to tell of: the made one, or a newer one that its follow went on with. Undefined if there is none. */
function shownOf(
  { connection, deploymentId, revisionId, isUnrevised }: MadeDeployment,
  { shown, answers }: Services,
): ShownDeployment | undefined {
  if (isUnrevised || revisionId === undefined) return undefined;
  const found = shown.find(connection, deploymentId);
  // The follow of the revision before lasts until that of the made one begins.
  const isLatest = answers.record(connection, deploymentId)?.latest_revision_id === revisionId;
  if (found !== undefined && (found.revisionId === revisionId || !isLatest)) return found;
  return { connection, deploymentId, revisionId, failures: 0, outcome: 'ended' };
}

/** Deploys a failed deployment again, where the service of the window can. The cause may have been outside it. */
function againRemedies(
  { connection, deploymentId }: ShownDeployment,
  { connections: { session }, capabilities, answers }: Services,
): readonly Remedy[] {
  const isHere = session.kind === 'ready' && session.connection.name === connection;
  if (!isHere || !capabilities.has(session.connection, 'redeploy')) return [];
  // The command takes only a deployment that the window knows. The same upload fails again.
  const record = answers.record(connection, deploymentId);
  if (record === undefined || record.source_revision_config?.source_tarball_path) return [];
  return [commandRemedy(vscode.l10n.t('Deploy Again'), 'deployAgain', { connection, deploymentId })];
}

/** What became of a deployment, from the verdict on its revision. */
export function progressOf(made: MadeDeployment, services: Services, button: ButtonMaker): PageProgress {
  const { connection, deploymentId, name, steps } = made;
  const details = button('made/details', vscode.l10n.t('Open Details'), () =>
    showDeploymentDocument({ connection, deploymentId, name }),
  );
  const shown = shownOf(made, services);
  if (shown === undefined) {
    const words = made.isUnrevised
      ? vscode.l10n.t('{0} was changed. The service made no new revision for that.', name)
      : vscode.l10n.t('Created. The service names no revision of it yet.');
    const look = made.isUnrevised ? 'success' : 'other';
    return { made: '', words, look, steps: [], reason: '', buttons: [details] };
  }
  const facts = followFacts(shown, services);
  const hasFailed = isFailed(facts);
  const reason = hasFailed ? (facts.reason ?? '') : '';
  const isLive = facts.verdict.kind === 'live';
  const application = followActions(shown, services).filter((action) => action.id === 'application' && isLive);
  const opening = made.opening?.revisionId === shown.revisionId ? made.opening.remedies : [];
  const remedies = [
    ...(facts.refusal === 'stopped' ? [commandRemedy(vscode.l10n.t('Start Local Service'), 'startLocalService')] : []),
    ...(hasFailed ? [...opening, ...logRemedies(shown, services), ...againRemedies(shown, services)] : []),
  ];
  const now = services.clock.now();
  return {
    made: made.revisionId ?? '',
    words: followDetails(facts, reason !== ''),
    look: looks[facts.verdict.kind] ?? 'other',
    steps: steps
      .filter(({ revisionId }) => revisionId === shown.revisionId)
      .map(({ words, at }) => ({ words, at: formatInstant(at, now) })),
    reason,
    buttons: [
      ...application.map((action) =>
        button(`made/${action.id}`, action.title, () => runFollowAction(services, shown, action.id)),
      ),
      ...remedies.map(({ title, run }) => button(`made/${title}`, title, run)),
      details,
    ],
  };
}
