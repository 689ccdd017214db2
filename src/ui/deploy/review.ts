import * as vscode from 'vscode';
import { type DraftOption, unsetOptions } from '../../core/draft/draft.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import type { Finding } from '../../core/draft/findings.ts';
import { commitCount } from '../../core/git/drift.ts';
import { describeSpec } from '../../core/spec/specWords.ts';
import { withoutIcons, wrapLines } from '../../core/text/text.ts';
import { optionLabels } from './fields.ts';
import { countOf } from './secretsEditor.ts';

/** Fields that the user can change in the review. */
export type ReviewField =
  | 'connection'
  | 'name'
  | 'ref'
  | 'configPath'
  | 'deploymentType'
  | 'buildOnPush'
  | 'secrets'
  | 'resourceSpec'
  | 'kubernetesNamespace'
  | DraftOption
  | 'moreOptions';

/** The user's choice in the review; undefined if they cancel, and then nothing is sent. */
export type ReviewChoice =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'edit'; readonly field: ReviewField }
  | { readonly kind: 'fetch' }
  | { readonly kind: 'push' }
  | { readonly kind: 'openConfig' }
  | { readonly kind: 'showDeployment'; readonly deployment: NonNullable<Finding['deployment']> };

/** An item of the review with the choice it stands for. */
interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: ReviewChoice;
}

export interface Review {
  readonly title: string;
  readonly draft: DeploymentDraft;
  /** The remote to fetch from; undefined if no clone is open. */
  readonly remote: string | undefined;
  /** Findings about the last action. */
  readonly lastFindings: readonly Finding[];
  /** The field changed last, so the list returns to it. */
  readonly active: ReviewField | undefined;
}

type CheckedReview = Review & Discovery;

/** Results of the check that runs while the review is shown. */
export interface Discovery {
  /** Findings of the check about the outcome of the last action. */
  readonly outcome: readonly Finding[];
  readonly findings: readonly Finding[];
  /** The local commits that a push would send, or a branch missing on the remote; undefined for nothing. */
  readonly unpushed: 'branch' | { readonly commits: number } | undefined;
  readonly configIsBroken: boolean;
}

/**
 * Shows everything that will be sent, and its effects, before a deployment is created.
 * Until the check finishes, the draft can be changed but not sent.
 * @throws the error that `checking` rejects with
 */
export async function showReview(review: Review, checking: Promise<Discovery>): Promise<ReviewChoice | undefined> {
  const pick = vscode.window.createQuickPick<ReviewItem>();
  pick.title = vscode.l10n.t('{0}: Review', review.title);
  pick.placeholder = vscode.l10n.t('Deploy, or select a field to change');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.busy = true;
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
    pick.onDidHide(() => finish(undefined));
    pick.show();
    void complete(pick, review, checking).catch((error: unknown) => {
      reject(error);
      pick.dispose();
    });
  });
}

async function complete(
  pick: vscode.QuickPick<ReviewItem>,
  review: Review,
  checking: Promise<Discovery>,
): Promise<void> {
  const discovery = await checking;
  pick.busy = false;
  showItems(pick, itemsOf({ ...review, ...discovery }), activeField(pick) ?? review.active);
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

function itemsWhileChecking({ draft, lastFindings }: Review): ReviewItem[] {
  return [
    { label: vscode.l10n.t('$(loading~spin) Checking…'), alwaysShow: true },
    ...lastFindingItems(lastFindings),
    separator(vscode.l10n.t('What will be sent')),
    ...fieldItems(draft),
  ];
}

function itemsOf(review: CheckedReview): ReviewItem[] {
  // The last action's finding about a field replaces the check's, so nothing is said twice.
  const told = new Set(review.lastFindings.flatMap(({ field }) => field ?? []));
  const findings = review.findings.filter(({ field }) => field === undefined || !told.has(field));
  return [
    deployItem(review),
    ...lastFindingItems([...review.lastFindings, ...review.outcome]),
    separator(vscode.l10n.t('What will happen')),
    ...findingItems(findings, review.configIsBroken),
    ...deploymentItems(findings),
    ...pushItems(review),
    ...fetchItems(review),
    separator(vscode.l10n.t('What will be sent')),
    ...fieldItems(review.draft),
  ];
}

function deployItem(review: CheckedReview): ReviewItem {
  const { draft, findings } = review;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) {
    return {
      label: vscode.l10n.t('$(rocket) Deploy {0} to {1}', withoutIcons(draft.name), withoutIcons(draft.connectionName)),
      choice: { kind: 'deploy' },
    };
  }
  const choice = choiceFor(first, review.configIsBroken);
  return {
    label: vscode.l10n.t('$(circle-slash) Cannot be deployed yet'),
    description: errors.length === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', errors.length),
    ...(choice === undefined ? {} : { choice }),
  };
}

const severityIcons = { error: 'error', warning: 'warning', info: 'info' } satisfies Record<
  Finding['severity'],
  string
>;

/** Characters that a quick pick shows before it truncates a line; the first line shares its row with a heading. */
const lineLimit = 78;
const firstLineLimit = 64;

function lastFindingItems(findings: readonly Finding[]): ReviewItem[] {
  return findings.length === 0 ? [] : [separator(vscode.l10n.t('What happened')), ...findingItems(findings, false)];
}

function findingItems(findings: readonly Finding[], configIsBroken: boolean): ReviewItem[] {
  return findings.flatMap((finding, place) => {
    const choice = choiceFor(finding, configIsBroken);
    return wrapLines(finding.message, lineLimit, place === 0 ? firstLineLimit : lineLimit).map((line, index) => ({
      label: `$(${index === 0 ? severityIcons[finding.severity] : 'blank'}) ${withoutIcons(line)}`,
      ...(choice === undefined ? {} : { choice }),
    }));
  });
}

/** The choice that helps with a finding; informational findings need none. */
function choiceFor({ severity, field: about }: Finding, configIsBroken: boolean): ReviewChoice | undefined {
  if (severity === 'info') return undefined;
  const field = editableField(about);
  if (field === 'configPath' && configIsBroken) return { kind: 'openConfig' };
  return field === undefined ? undefined : { kind: 'edit', field };
}

/** Rows that show existing deployments; the review is shown again next to them. */
function deploymentItems(findings: readonly Finding[]): ReviewItem[] {
  return findings.flatMap(({ deployment }) =>
    deployment === undefined
      ? []
      : [
          {
            label: vscode.l10n.t('$(list-tree) Show Deployment'),
            description: withoutIcons(deployment.name),
            choice: { kind: 'showDeployment', deployment },
          },
        ],
  );
}

function pushItems({ draft, unpushed }: CheckedReview): ReviewItem[] {
  if (unpushed === undefined) return [];
  const branch = withoutIcons(draft.ref.name);
  return [{ label: pushLabel(unpushed, branch), choice: { kind: 'push' } }];
}

function pushLabel(unpushed: 'branch' | { readonly commits: number }, branch: string): string {
  if (unpushed === 'branch') return vscode.l10n.t('$(cloud-upload) Push the branch {0} first', branch);
  return unpushed.commits === 1
    ? vscode.l10n.t('$(cloud-upload) Push 1 commit of {0} first', branch)
    : vscode.l10n.t('$(cloud-upload) Push {0} commits of {1} first', commitCount(unpushed.commits), branch);
}

/** Offers a fetch, because the remote's state is known only from the last one. */
function fetchItems({ remote }: Review): ReviewItem[] {
  if (remote === undefined) return [];
  return [{ label: vscode.l10n.t('$(repo-fetch) Fetch from {0}', withoutIcons(remote)), choice: { kind: 'fetch' } }];
}

function fieldItems(draft: DeploymentDraft): ReviewItem[] {
  const edit = (field: ReviewField, label: string, description: string): ReviewItem => ({
    label,
    description: withoutIcons(description),
    choice: { kind: 'edit', field },
  });
  return [
    edit('connection', vscode.l10n.t('$(plug) Connection'), draft.connectionName),
    edit('name', vscode.l10n.t('$(tag) Name'), draft.name),
    { label: vscode.l10n.t('$(repo) Repository'), description: withoutIcons(draft.repositoryUrl) },
    edit('ref', refLabel(draft.ref.kind), draft.ref.name),
    edit('configPath', vscode.l10n.t('$(file) Config file'), draft.configPath),
    edit('deploymentType', vscode.l10n.t('$(package) Type'), describeType(draft.deploymentType)),
    edit(
      'buildOnPush',
      vscode.l10n.t('$(sync) Build on push'),
      draft.buildOnPush && draft.ref.kind === 'branch' ? vscode.l10n.t('on') : vscode.l10n.t('off'),
    ),
    edit('secrets', vscode.l10n.t('$(key) Secrets'), countOf(draft.secrets)),
    edit('resourceSpec', vscode.l10n.t('$(settings) Resources'), describeSpec(draft.resourceSpec ?? {})),
    ...optionItems(draft, edit),
  ];
}

/** Describes a type next to its name, which saves a separate line above the fields. */
function describeType(type: DeploymentDraft['deploymentType']): string {
  return type === 'prod' ? type : vscode.l10n.t('{0} · not for production', type);
}

/** Rows of the advanced options; unset ones share one row. */
function optionItems(
  draft: DeploymentDraft,
  edit: (field: ReviewField, label: string, description: string) => ReviewItem,
): ReviewItem[] {
  const { listener, kubernetesNamespace, installCommand, buildCommand } = draft;
  const items: ReviewItem[] = [];
  if (listener !== undefined) items.push(edit('listener', optionLabels.listener(), listener.name));
  if (listener !== undefined && listener.namespaces.length > 0) {
    const namespace = kubernetesNamespace ?? vscode.l10n.t('chosen by the service');
    items.push(edit('kubernetesNamespace', vscode.l10n.t('$(symbol-namespace) Namespace'), namespace));
  }
  if (installCommand !== undefined) items.push(edit('installCommand', optionLabels.installCommand(), installCommand));
  if (buildCommand !== undefined) items.push(edit('buildCommand', optionLabels.buildCommand(), buildCommand));
  const unset = unsetOptions(draft).map((option) => optionNames[option]());
  if (unset.length > 0) items.push(edit('moreOptions', vscode.l10n.t('$(ellipsis) More options…'), unset.join(', ')));
  return items;
}

/** Names of unset options in their shared row. */
const optionNames = {
  listener: () => vscode.l10n.t('listener'),
  installCommand: () => vscode.l10n.t('install command'),
  buildCommand: () => vscode.l10n.t('build command'),
} satisfies Record<DraftOption, () => string>;

function refLabel(kind: DeploymentDraft['ref']['kind']): string {
  if (kind === 'tag') return vscode.l10n.t('$(tag) Tag');
  return kind === 'commit' ? vscode.l10n.t('$(git-commit) Commit') : vscode.l10n.t('$(git-branch) Branch');
}

const editable: readonly string[] = [
  'name',
  'ref',
  'configPath',
  'deploymentType',
  'buildOnPush',
  'secrets',
  'resourceSpec',
  'listener',
  'kubernetesNamespace',
  'installCommand',
  'buildCommand',
] satisfies ReviewField[];

function editableField(field: Finding['field']): ReviewField | undefined {
  const isEditable = (value: string): value is ReviewField => editable.includes(value);
  if (field === 'repositoryUrl' || field === 'integrationId') return 'connection';
  return field !== undefined && isEditable(field) ? field : undefined;
}

function separator(label: string): ReviewItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
