import * as vscode from 'vscode';
import type { DraftField } from '../../../core/draft/fields.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import { reviewLines } from '../../../core/draft/reviewLines.ts';
import { formatMoment } from '../../../core/status/duration.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { fileLists, filesWords, largestWords, leftOutSummary } from '../../../core/upload/folderWords.ts';
import { checkoutWords } from '../../../core/upload/uploadNote.ts';
import { askChoice } from '../../window/steps.ts';
import { findingSection } from '../findingItems.ts';
import { importWords } from '../secrets/importSecrets.ts';
import type { FolderPlan } from './folderPlan.ts';

/** The user's choice in the review of a folder. */
export type FolderChoice =
  | { readonly kind: 'upload' | 'showFiles' | 'chooseConfig' | 'chooseDeployment' | 'importEnv' | 'startOver' }
  | { readonly kind: 'edit'; readonly field: DraftField };

interface FolderItem extends vscode.QuickPickItem {
  readonly choice?: FolderChoice;
}

/** What a review of a folder shows. */
interface FolderReview {
  readonly folderPlan: FolderPlan;
  readonly findings: readonly Finding[];
  /** Findings about the last action. */
  readonly lastFindings: readonly Finding[];
  /** The names in the dotenv file that aren't among the secrets. */
  readonly envNames: readonly string[];
}

/** Shows what will be uploaded, and where to, before anything leaves. Undefined if the user leaves it. */
export async function showFolderReview(review: FolderReview, active?: FolderChoice): Promise<FolderChoice | undefined> {
  const items = itemsOf(review);
  const isSame = ({ choice }: FolderItem): boolean =>
    active !== undefined && JSON.stringify(choice) === JSON.stringify(active);
  for (;;) {
    const item = await askChoice<FolderItem>({
      title: vscode.l10n.t('{0}: Review', review.folderPlan.plan.title),
      placeholder: vscode.l10n.t('Upload, or select a line to change it'),
      items,
      active: items.find(isSame),
    });
    // An informational row leaves the review open.
    if (item === undefined || item.choice !== undefined) return item?.choice;
  }
}

/** Lists the files that will be uploaded, and those that are left out. Each row goes back to the review. */
export async function showFiles({ plan, contents, name }: FolderPlan): Promise<void> {
  const items = fileLists(contents).flatMap(({ heading, rows, more }): readonly vscode.QuickPickItem[] => [
    { label: heading, kind: vscode.QuickPickItemKind.Separator },
    ...rows.map(({ path, words }) => ({ label: withoutIcons(path), description: words })),
    ...(more === undefined ? [] : [{ label: more }]),
  ]);
  await askChoice({
    review: plan,
    title: vscode.l10n.t('{0}: {1}, {2}', plan.title, name, filesWords(contents.files)),
    placeholder: vscode.l10n.t('Type to find a file'),
    items,
  });
}

function itemsOf({ folderPlan, findings, lastFindings, envNames }: FolderReview): FolderItem[] {
  const { envPath = '', continuedFrom } = folderPlan;
  const importItem: FolderItem = {
    label: importWords({ path: envPath, names: envNames }),
    choice: { kind: 'importEnv' },
  };
  return [
    uploadItem(folderPlan, findings),
    ...(continuedFrom === undefined ? [] : [startOverItem(continuedFrom)]),
    ...findingSection(vscode.l10n.t('What happened'), lastFindings),
    ...findingSection(vscode.l10n.t('What will happen'), findings),
    ...(envNames.length === 0 ? [] : [importItem]),
    { label: vscode.l10n.t('What will be uploaded'), kind: vscode.QuickPickItemKind.Separator },
    ...contentItems(folderPlan),
    { label: vscode.l10n.t('Where to'), kind: vscode.QuickPickItemKind.Separator },
    ...targetItems(folderPlan),
  ];
}

/** Offers to discard what the review continues, which was left at a time. */
function startOverItem(leftAt: number): FolderItem {
  const description = vscode.l10n.t('discards your draft of {0}', formatMoment(leftAt));
  return { label: vscode.l10n.t('Start Over'), description, choice: { kind: 'startOver' } };
}

function uploadItem({ plan }: FolderPlan, findings: readonly Finding[]): FolderItem {
  const { name, connectionName } = plan.draft;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) {
    const label = vscode.l10n.t('$(rocket) Deploy {0} to {1}', withoutIcons(name), withoutIcons(connectionName));
    return { label, choice: { kind: 'upload' } };
  }
  return {
    label: vscode.l10n.t("$(circle-slash) Can't be deployed yet"),
    description: errors === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', errors),
  };
}

function contentItems({ contents, checkout, configPath, configPaths, place }: FolderPlan): FolderItem[] {
  const { files, leftOut } = contents;
  const showFiles = { kind: 'showFiles' } as const;
  const line = (label: string, description: string, choice?: FolderChoice): FolderItem => ({
    label,
    description: withoutIcons(description),
    ...(choice === undefined ? {} : { choice }),
  });
  return [
    line(vscode.l10n.t('Folder'), place.folder.fsPath),
    line(vscode.l10n.t('Files'), filesWords(files), showFiles),
    line(vscode.l10n.t('Largest'), largestWords(files), showFiles),
    line(vscode.l10n.t('Left out'), leftOutSummary(leftOut), showFiles),
    ...(checkout === undefined ? [] : [line(vscode.l10n.t('Checked out'), checkoutWords(checkout))]),
    configPaths.length > 1
      ? line(vscode.l10n.t('Config file'), configPath, { kind: 'chooseConfig' })
      : line(vscode.l10n.t('Config file'), configPath),
  ];
}

/** What can be chosen for a new deployment; of an existing one only the secrets. */
function targetItems({ plan, target, replacesSecrets }: FolderPlan): FolderItem[] {
  const { draft } = plan;
  const lines = reviewLines(draft).filter(({ field }) =>
    target === undefined ? !fixed.has(field) : field === 'secrets',
  );
  const isUnchanged = target !== undefined && !replacesSecrets;
  return [
    { label: vscode.l10n.t('Connection'), description: withoutIcons(draft.connectionName) },
    {
      label: vscode.l10n.t('Deployment'),
      description: target === undefined ? vscode.l10n.t('a new one') : withoutIcons(target.name),
      choice: { kind: 'chooseDeployment' },
    },
    ...lines.map(({ field, label, value, from }) => ({
      label,
      description: isUnchanged ? unchangedWords(draft.secrets) : withoutIcons(`${value} · ${from}`),
      choice: { kind: 'edit', field } as const,
    })),
  ];
}

function unchangedWords(secrets: readonly { readonly name: string }[]): string {
  if (secrets.length === 0) return vscode.l10n.t('unchanged');
  return withoutIcons(vscode.l10n.t('unchanged: {0}', secrets.map(({ name }) => name).join(', ')));
}

/** The user doesn't choose these for an upload. */
const fixed: ReadonlySet<DraftField> = new Set(['source', 'tarballPath', 'configPath']);
