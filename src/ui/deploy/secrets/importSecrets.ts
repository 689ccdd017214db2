import * as vscode from 'vscode';
import type { DraftSecret } from '../../../core/draft/draft.ts';
import { secretNameProblem } from '../../../core/secrets/secretName.ts';
import { readVariables, withVariables } from '../../../core/secrets/importedSecrets.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { isCancelled, messageOf } from '../../window/errors.ts';
import { exists } from '../../window/files.ts';
import { askChoice, askChoices } from '../../window/steps.ts';
import { readRepositoryFile } from '../../workspace/workspaceRepository.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import { readDeployedConfig } from '../deployedConfig.ts';

/** Imports secrets from a dotenv file. The one that the application config names is the first choice. */
export async function importFile(
  plan: DeploymentPlan,
  secrets: readonly DraftSecret[],
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  const file = await chooseFile(plan);
  if (file === undefined) return secrets;
  const from = file.path.split('/').at(-1) ?? file.path;
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return await importText(plan, secrets, { text, from }, reservedNames);
  } catch (error) {
    if (isCancelled(error)) throw error;
    replaceFindings(plan, from, [vscode.l10n.t("Couldn't read {0}: {1}", from, messageOf(error))]);
    return secrets;
  }
}

/** Imports secrets from the clipboard. An input box would join its lines. */
export async function importClipboard(
  plan: DeploymentPlan,
  secrets: readonly DraftSecret[],
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  const text = await vscode.env.clipboard.readText();
  return importText(plan, secrets, { text, from: vscode.l10n.t('Clipboard') }, reservedNames);
}

/** Adds variables of a dotenv file in the repository to the secrets of a draft. */
export async function importEnv(
  root: vscode.Uri,
  plan: DeploymentPlan,
  { path, names }: { readonly path: string; readonly names: readonly string[] },
): Promise<void> {
  const { draft } = plan;
  const { variables, findings } = readVariables((await readRepositoryFile(root, path)) ?? '', path);
  const wanted = variables.filter(({ name }) => names.includes(name));
  draft.secrets = [...withVariables(draft.secrets, wanted)];
  draft.provenance.secrets = { kind: 'user' };
  replaceFindings(plan, path, findings);
}

interface FileItem extends vscode.QuickPickItem {
  readonly file?: vscode.Uri;
}

async function chooseFile(plan: DeploymentPlan): Promise<vscode.Uri | undefined> {
  const named = await fileOfConfig(plan);
  if (named !== undefined) {
    const choice = await askChoice<FileItem>({
      review: plan,
      title: vscode.l10n.t('Import Secrets'),
      placeholder: vscode.l10n.t('Select the file to import from'),
      items: [named, { label: vscode.l10n.t('Other File…') }],
    });
    if (choice === undefined) return undefined;
    if (choice.file !== undefined) return choice.file;
  }
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const start = workingCopyOf(plan)?.root ?? folder?.uri;
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import Secrets'),
      openLabel: vscode.l10n.t('Import'),
      ...(start === undefined ? {} : { defaultUri: start }),
    })) ?? [];
  return file;
}

/** The dotenv file that the working copy's application config names, if it exists. */
async function fileOfConfig(plan: DeploymentPlan): Promise<FileItem | undefined> {
  const { draft } = plan;
  const repository = workingCopyOf(plan);
  if (repository === undefined || draft.source !== 'repohost') return undefined;
  const { configPath } = draft;
  const config = await readDeployedConfig(repository, { configPath, commit: undefined, isOpenHere: true });
  if (config?.kind !== 'config' || config.env.kind !== 'file' || !config.env.insideRepository) return undefined;
  const file = vscode.Uri.joinPath(repository.root, config.env.path);
  // A dotenv file usually isn't committed and may be missing here.
  if (!(await exists(file))) return undefined;
  const description = vscode.l10n.t('named by {0}', withoutIcons(configPath));
  return { label: withoutIcons(config.env.path), description, file };
}

/** Lets the user choose from the names in a text. What was left out stays with the plan. */
async function importText(
  plan: DeploymentPlan,
  secrets: readonly DraftSecret[],
  { text, from }: { readonly text: string; readonly from: string },
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  const { variables, findings } = readVariables(text, from);
  if (variables.length === 0) {
    replaceFindings(plan, from, [...findings, vscode.l10n.t('Nothing was imported: {0} has no secrets.', from)]);
    return secrets;
  }
  replaceFindings(plan, from, findings);
  const items = variables.map((variable) => {
    const problem = secretNameProblem(variable.name, reservedNames);
    return {
      variable,
      label: withoutIcons(variable.name),
      description: vscode.l10n.t('line {0}', variable.line),
      detail: withoutIcons(problem ?? ''),
      picked: problem === undefined,
    };
  });
  const placeholder = foundWords(findings.length);
  const chosen = await askChoices({ review: plan, title: vscode.l10n.t('Import Secrets'), placeholder, items });
  if (chosen === undefined) return secrets;
  if (chosen.length === 0) {
    replaceFindings(plan, from, [...findings, vscode.l10n.t('Nothing was imported: no names were selected.')]);
  }
  return withVariables(
    secrets,
    chosen.map(({ variable }) => variable),
  );
}

/** Replaces the findings about an earlier import from the same file. */
function replaceFindings(plan: DeploymentPlan, from: string, messages: readonly string[]): void {
  const others = plan.importFindings?.filter((found) => found.from !== from) ?? [];
  plan.importFindings = [...others, ...messages.map((message) => ({ from, message }))];
}

function foundWords(findings: number): string {
  if (findings === 0) return vscode.l10n.t('Names found; their values are not shown');
  return findings === 1
    ? vscode.l10n.t('Names found; the list of secrets shows 1 problem')
    : vscode.l10n.t('Names found; the list of secrets shows {0} problems', findings);
}
