import * as vscode from 'vscode';
import { type DraftOption, unsetOptions } from '../../core/draft/draft.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import type { Finding } from '../../core/draft/findings.ts';
import { commitCount } from '../../core/git/drift.ts';
import { describeSpec } from '../../core/spec/summary.ts';
import { withoutIcons, wrapLines } from '../../core/text/text.ts';
import { optionLabels } from './fields.ts';
import { countOf } from './secretsEditor.ts';

/** What a person can change in the review. */
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

/** What a person chose in the review; undefined for leaving, after which nothing is sent. */
export type ReviewChoice =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'edit'; readonly field: ReviewField }
  | { readonly kind: 'fetch' }
  | { readonly kind: 'push' }
  | { readonly kind: 'openConfig' }
  | { readonly kind: 'showDeployment'; readonly deployment: NonNullable<Finding['deployment']> };

/** An item of the review and what choosing it means. */
interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: ReviewChoice;
}

export interface Review {
  readonly title: string;
  readonly draft: DeploymentDraft;
  /** The remote that can be fetched from; undefined where no clone is open. */
  readonly remote: string | undefined;
  /** What became of what was tried last. */
  readonly lastFindings: readonly Finding[];
  /** The field that was changed last, so that the list comes back where the person was. */
  readonly active: ReviewField | undefined;
}

type CheckedReview = Review & Discovery;

/** What is found out about the draft while the review is on the screen. */
export interface Discovery {
  /** What is found out about what was tried last. */
  readonly outcome: readonly Finding[];
  readonly findings: readonly Finding[];
  /** What a push would send: local commits, or a branch that the remote does not have; undefined for nothing. */
  readonly unpushed: 'branch' | { readonly commits: number } | undefined;
  readonly configIsBroken: boolean;
}

/**
 * Shows everything that will be sent, and what it will do; the only step before a deployment is created. Until the
 * draft is checked, it can be changed and not be sent.
 * @throws what `checking` fails with
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
      // A line that only tells something leaves the review open.
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
  // Only an option that is not set has no row of its own.
  const active = field === undefined ? undefined : (rowOf(field) ?? rowOf('moreOptions'));
  if (active !== undefined) pick.activeItems = [active];
}

/** Where the person has gone meanwhile. */
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
  // What went wrong last says more about its field than a look at the draft, and nothing is said twice.
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

/** Characters of a line that a quick pick shows before it cuts the line off; the first shares its row with a heading. */
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

/** What helps with a finding; nothing has to be done about one that only tells something. */
function choiceFor({ severity, field: about }: Finding, configIsBroken: boolean): ReviewChoice | undefined {
  if (severity === 'info') return undefined;
  const field = editableField(about);
  if (field === 'configPath' && configIsBroken) return { kind: 'openConfig' };
  return field === undefined ? undefined : { kind: 'edit', field };
}

/** The way to what is there already: the review comes back beside it. */
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

/** What the remote has is known from the last fetch only. */
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

/** What a type means stands beside it, and needs no line of its own above the fields. */
function describeType(type: DeploymentDraft['deploymentType']): string {
  return type === 'prod' ? type : vscode.l10n.t('{0} · not for production', type);
}

/** What few drafts need takes one row until it is set. */
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

/** How the row for what is not set names it. */
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
