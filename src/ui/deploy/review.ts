import * as vscode from 'vscode';
import { secretsIn } from '../../api/redaction/hideValues.ts';
import { safeText } from '../../api/redaction/redact.ts';
import type { AppConfigFinding } from '../../core/appConfig/config.ts';
import type { LiveAction } from '../../core/draft/liveActions.ts';
import { draftTitle } from '../../core/draft/keptDraft.ts';
import type { DraftField } from '../../core/draft/fields.ts';
import type { Finding } from '../../core/draft/findings.ts';
import { worstFirst } from '../../core/draft/preflight/preflight.ts';
import { reviewLines } from '../../core/draft/reviewLines.ts';
import { optionNames, unsetOptions } from '../../core/draft/sources.ts';
import { formatMoment } from '../../core/status/duration.ts';
import { shortened, withoutIcons } from '../../core/text/text.ts';
import type { KeptDraft } from '../../state/deploying/keptDrafts.ts';
import { messageRows } from '../window/steps.ts';
import { workingCopyOf, type DeploymentPlan } from './plan.ts';

/** What the user can change in the review. */
export type ReviewField = DraftField | 'connection' | 'moreOptions';

/** The user's choice in the review; undefined if they cancel, and then nothing is sent. */
export type ReviewChoice =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'back' }
  | { readonly kind: 'deploySeveral' }
  | { readonly kind: 'edit'; readonly field: ReviewField }
  | { readonly kind: 'fetch' }
  | { readonly kind: 'push'; readonly action: LiveAction }
  | { readonly kind: 'openConfig'; readonly config: AppConfigFinding }
  | { readonly kind: 'importEnv'; readonly path: string }
  | { readonly kind: 'showRequest' }
  | { readonly kind: 'saveFile' }
  | { readonly kind: 'continueDraft' }
  | { readonly kind: 'discardDraft' }
  | { readonly kind: 'startOver' }
  | { readonly kind: 'showDeployment'; readonly deployment: NonNullable<Finding['deployment']> };

/** An item of the review with the choice it stands for. */
interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: ReviewChoice;
}

export interface Review {
  readonly plan: DeploymentPlan;
  /** Findings about the last action. */
  readonly lastFindings: readonly Finding[];
  /** The field changed last, so the list returns to it. */
  readonly active: ReviewField | undefined;
  /** A draft for the same place that was left earlier. */
  readonly kept: KeptDraft | undefined;
}

type CheckedReview = Review & Discovery;

/** Whether a plan is one of several applications: then their list deploys, and they share a connection. */
const isOneOfSeveral = ({ together }: DeploymentPlan): boolean => together !== undefined;

/** Results of the check that runs while the review is shown. */
export interface Discovery {
  readonly findings: readonly Finding[];
  /** What a push would bring; undefined if there is nothing to push. */
  readonly push: LiveAction | undefined;
  /** Why the working copy's config file can't be used. */
  readonly brokenConfig: AppConfigFinding | undefined;
  /** Whether the connection gives no answer. */
  readonly isDead: boolean;
  /** The config's dotenv file, with the names in it that aren't among the secrets. */
  readonly envFile: { readonly path: string; readonly names: readonly string[] } | undefined;
}

/**
 * Shows everything that will be sent, and its effects, before a deployment is created.
 * Until the check finishes, the draft can be changed but not sent.
 * @throws the error that `checking` rejects with
 */
export async function showReview(review: Review, checking: Promise<Discovery>): Promise<ReviewChoice | undefined> {
  const pick = vscode.window.createQuickPick<ReviewItem>();
  pick.title = vscode.l10n.t('{0}: Review', shortened(review.plan.title, 300));
  pick.placeholder = vscode.l10n.t('Deploy, or select a field to change');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.busy = true;
  // Closing leaves the list too, because another quick input may have closed this one.
  if (isOneOfSeveral(review.plan)) pick.buttons = [vscode.QuickInputButtons.Back];
  showItems(pick, itemsWhileChecking(review), review.active);
  return new Promise((resolve, reject) => {
    const finish = (choice: ReviewChoice | undefined): void => {
      resolve(choice);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      // An informational row leaves the review open.
      if (item?.choice !== undefined) finish(item.choice);
    });
    pick.onDidTriggerButton(() => finish({ kind: 'back' }));
    pick.onDidHide(() => finish(undefined));
    pick.show();
    const complete = async (): Promise<void> => {
      const discovery = await checking;
      pick.busy = false;
      showItems(pick, itemsOf({ ...review, ...discovery }), activeField(pick) ?? review.active);
    };
    complete().catch((error: unknown) => {
      reject(error);
      pick.dispose();
    });
  });
}

function showItems(
  pick: vscode.QuickPick<ReviewItem>,
  items: readonly ReviewItem[],
  field: ReviewField | undefined,
): void {
  pick.items = items;
  const rowOf = (wanted: ReviewField): ReviewItem | undefined =>
    items.find(({ choice }) => choice?.kind === 'edit' && choice.field === wanted);
  // Only an unset option has no row of its own.
  const active = field === undefined ? undefined : (rowOf(field) ?? rowOf('moreOptions'));
  if (active !== undefined) pick.activeItems = [active];
}

/** The field of the row that the user moved to meanwhile. */
function activeField({ activeItems: [item] }: vscode.QuickPick<ReviewItem>): ReviewField | undefined {
  return item?.choice?.kind === 'edit' ? item.choice.field : undefined;
}

function itemsWhileChecking(review: Review): ReviewItem[] {
  const { lastFindings } = review;
  return [
    { label: vscode.l10n.t('$(loading~spin) Checking…'), alwaysShow: true },
    ...keptItems(review),
    ...findingSection(vscode.l10n.t('What happened'), lastFindings),
    separator(vscode.l10n.t('What will be sent')),
    ...fieldItems(review.plan, lastFindings),
  ];
}

function itemsOf(review: CheckedReview): ReviewItem[] {
  // The last action's finding about a field replaces the check's, so nothing is said twice.
  const told = new Set(review.lastFindings.flatMap(({ field }) => field ?? []));
  const findings = review.findings.filter(({ field }) => field === undefined || !told.has(field));
  return [
    deployItem(review),
    ...severalItems(review.plan),
    ...keptItems(review),
    ...findingSection(vscode.l10n.t('What happened'), review.lastFindings),
    separator(vscode.l10n.t('What will happen')),
    ...findingItems(findings, review.brokenConfig),
    ...otherConnectionItems(review),
    ...envItems(review),
    ...deploymentItems(findings),
    ...pushItems(review),
    ...fetchItems(review.plan),
    separator(vscode.l10n.t('What will be sent')),
    ...fieldItems(review.plan, [...review.lastFindings, ...findings]),
  ];
}

function deployItem({ plan, findings, brokenConfig }: CheckedReview): ReviewItem {
  const { draft } = plan;
  if (isOneOfSeveral(plan))
    return { label: vscode.l10n.t('$(arrow-left) Back to Applications'), choice: { kind: 'back' } };
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) {
    return {
      label: vscode.l10n.t('$(rocket) Deploy {0} to {1}', withoutIcons(draft.name), withoutIcons(draft.connectionName)),
      choice: { kind: 'deploy' },
    };
  }
  const choice = choiceFor(first, brokenConfig);
  return {
    label: vscode.l10n.t("$(circle-slash) Can't be deployed yet"),
    description: errors.length === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', errors.length),
    ...(choice === undefined ? {} : { choice }),
  };
}

/** Offers the repository's other applications. */
function severalItems(plan: DeploymentPlan): ReviewItem[] {
  if (plan.deploySeveral === undefined || plan.draft.source !== 'repohost') return [];
  const description = vscode.l10n.t('{0} config files found', workingCopyOf(plan)?.configPaths.length ?? 0);
  return [{ label: vscode.l10n.t('Deploy Several…'), description, choice: { kind: 'deploySeveral' } }];
}

/** Offers to discard what a review continues, which was left at a time. */
export function startOverItem(leftAt: number) {
  const description = vscode.l10n.t('discards your draft of {0}', formatMoment(leftAt));
  return { label: vscode.l10n.t('Start Over'), description, choice: { kind: 'startOver' } } as const;
}

/** Offers to continue with the draft that was left earlier, or to discard it; says so if this review continues one. */
function keptItems({ kept, plan: { continuedFrom } }: Review): ReviewItem[] {
  if (continuedFrom !== undefined) return [startOverItem(continuedFrom)];
  if (kept === undefined) return [];
  const label = vscode.l10n.t('Continue with Your Draft of {0}', formatMoment(kept.leftAt));
  const description = withoutIcons(draftTitle(kept.draft));
  return [
    { label, description, choice: { kind: 'continueDraft' } },
    { label: vscode.l10n.t('Discard Draft'), description, choice: { kind: 'discardDraft' } },
  ];
}

/** Characters that a quick pick shows of a line that shares its row with a heading. */
const firstLineLimit = 64;

/** Findings below a heading; nothing without any. */
export function findingSection(heading: string, findings: readonly Finding[]): ReviewItem[] {
  return findings.length === 0 ? [] : [separator(heading), ...findingItems(findings)];
}

/** Rows for findings, several for a long one. */
function findingItems(findings: readonly Finding[], brokenConfig?: AppConfigFinding): ReviewItem[] {
  return findings.flatMap((finding, place) => {
    const choice = choiceFor(finding, brokenConfig);
    const rows = messageRows(finding.message, finding.severity, place === 0 ? firstLineLimit : undefined);
    return rows.map(({ label }) => ({ label, ...(choice === undefined ? {} : { choice }) }));
  });
}

/** The choice that helps with a finding; informational findings need none. */
function choiceFor(
  { severity, field: about }: Finding,
  config: AppConfigFinding | undefined,
): ReviewChoice | undefined {
  if (severity === 'info') return undefined;
  if (about === 'configPath' && config !== undefined) return { kind: 'openConfig', config };
  return about === undefined ? undefined : { kind: 'edit', field: about };
}

/** Offers another connection if this one gives no answer. Several applications share theirs. */
function otherConnectionItems({ isDead, plan }: CheckedReview): ReviewItem[] {
  if (!isDead || isOneOfSeveral(plan)) return [];
  return [{ label: vscode.l10n.t('Switch Connection'), choice: { kind: 'edit', field: 'connection' } }];
}

/** Offers to add the variables of the config's dotenv file, which the service doesn't read. */
function envItems({ envFile }: CheckedReview): ReviewItem[] {
  if (envFile === undefined) return [];
  return [{ label: importWords(envFile), choice: { kind: 'importEnv', path: envFile.path } }];
}

/** What a button says that imports the names of a dotenv file. */
export function importWords({ path, names }: NonNullable<Discovery['envFile']>): string {
  return names.length === 1
    ? vscode.l10n.t('Import {0} from {1}', withoutIcons(names.join()), withoutIcons(path))
    : vscode.l10n.t('Import {0} Names from {1}', names.length, withoutIcons(path));
}

/** Rows that show existing deployments; the review is shown again next to them. */
function deploymentItems(findings: readonly Finding[]): ReviewItem[] {
  const label = vscode.l10n.t('Show Deployment');
  return findings
    .flatMap(({ deployment }) => deployment ?? [])
    .map((deployment) => ({
      label,
      description: withoutIcons(deployment.name),
      choice: { kind: 'showDeployment', deployment },
    }));
}

function pushItems({ push }: CheckedReview): ReviewItem[] {
  if (push === undefined) return [];
  const choice = { kind: 'push', action: push } as const;
  const description = push.problem === undefined ? '' : vscode.l10n.t('will fail: {0}', push.problem);
  return [{ label: withoutIcons(push.label), description: withoutIcons(description), choice }];
}

/** Offers a fetch, because the remote's state is known only from the last one. */
function fetchItems(plan: DeploymentPlan): ReviewItem[] {
  const repository = workingCopyOf(plan);
  if (repository === undefined || plan.draft.source !== 'repohost') return [];
  return [{ label: vscode.l10n.t('Fetch from {0}', withoutIcons(repository.remote)), choice: { kind: 'fetch' } }];
}

/** The fields that will be sent, a row each, with where their values came from. */
function fieldItems(plan: DeploymentPlan, findings: readonly Finding[]): ReviewItem[] {
  const { draft } = plan;
  const edit = (field: ReviewField, label: string, description: string): ReviewItem => ({
    label,
    description: withoutIcons(description),
    choice: { kind: 'edit', field },
  });
  const unset = unsetOptions(draft).map((option) => optionNames[option]());
  return [
    isOneOfSeveral(plan)
      ? { label: vscode.l10n.t('Connection'), description: withoutIcons(draft.connectionName) }
      : edit('connection', vscode.l10n.t('Connection'), draft.connectionName),
    ...reviewLines(draft, workingCopyOf(plan)?.configPaths).map(({ field, label, value, from }) => {
      const shown = value === '' ? vscode.l10n.t('not set') : `${safeText(value, secretsIn(value))} · ${from}`;
      return edit(field, markOf(findings, field) + label, shown);
    }),
    ...(unset.length === 0 ? [] : [edit('moreOptions', vscode.l10n.t('More options…'), unset.join(', '))]),
    {
      label: vscode.l10n.t('Show Request'),
      description: vscode.l10n.t('method, address and body'),
      choice: { kind: 'showRequest' },
    },
    {
      label: vscode.l10n.t('Save as Deployment File…'),
      description: vscode.l10n.t('names of secrets, not their values'),
      choice: { kind: 'saveFile' },
    },
  ];
}

/** The icon of the worst finding that has to be seen on a field's own row. */
function markOf(findings: readonly Finding[], wanted: ReviewField): string {
  const [worst] = worstFirst(findings.filter(({ field }) => field === wanted));
  return worst === undefined || worst.severity === 'info' ? '' : `$(${worst.severity}) `;
}

function separator(label: string): ReviewItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
