import * as vscode from 'vscode';
import type { DeploymentDraft } from '../../../core/draft/draft.ts';
import { longestDotenv, type DotenvVariable } from '../../../core/secrets/dotenv.ts';
import { readVariables, type ImportRules, type ReadVariables } from '../../../core/secrets/importedSecrets.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { isCancelled, messageOf, UserError } from '../../window/errors.ts';
import { exists, relativePath } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { askChoice, askChoices } from '../../window/steps.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import { dotenvPath, readDeployedConfig } from '../deployedConfig.ts';

/** What the names of a draft's secrets are checked against. */
function importRules(draft: DeploymentDraft): ImportRules {
  const references = draft.source === 'external_docker' ? draft.secretReferences.map(({ name }) => name) : [];
  return { reservedNames: reservedSecretNames(), references };
}

/** Reads the dotenv file that an application config names. It usually isn't committed and may be missing here. */
export async function readConfigEnv(
  root: vscode.Uri,
  path: string | undefined,
  draft: DeploymentDraft,
): Promise<ReadVariables | undefined> {
  if (path === undefined) return undefined;
  const text = await readFileText(vscode.Uri.joinPath(root, path), longestDotenv, root).catch(() => undefined);
  return text === undefined ? undefined : readVariables(text, path, importRules(draft));
}

/** What was imported, and why not more. */
interface Imported {
  readonly variables: readonly DotenvVariable[];
  /** Sentences for the user, without values. */
  readonly findings: readonly string[];
}

const nothing: Imported = { variables: [], findings: [] };

/** Imports secrets from a dotenv file. The one that the application config names is the first choice. */
export async function importFile(plan: DeploymentPlan, root = workingCopyOf(plan)?.root): Promise<Imported> {
  const file = await chooseFile(plan, root);
  if (file === undefined) return nothing;
  const path = root && relativePath(root, file);
  const from = path ?? file.path.split('/').at(-1) ?? file.path;
  try {
    return await importText(plan, from, await readDotenv(file, path === undefined ? undefined : root));
  } catch (error) {
    if (isCancelled(error)) throw error;
    return { ...nothing, findings: [vscode.l10n.t("Couldn't read {0}: {1}", from, messageOf(error))] };
  }
}

/** Imports secrets from the clipboard. An input box would join its lines. */
export async function importClipboard(plan: DeploymentPlan): Promise<Imported> {
  return importText(plan, vscode.l10n.t('Clipboard'), await vscode.env.clipboard.readText());
}

/** What a button says that imports the names of a dotenv file. */
export function importWords({ path, names }: { readonly path: string; readonly names: readonly string[] }): string {
  return names.length === 1
    ? vscode.l10n.t('Import {0} from {1}', withoutIcons(names.join()), withoutIcons(path))
    : vscode.l10n.t('Import {0} Names from {1}', names.length, withoutIcons(path));
}

interface FileItem extends vscode.QuickPickItem {
  readonly file?: vscode.Uri;
}

async function chooseFile(plan: DeploymentPlan, root: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const named = await fileOfConfig(plan);
  if (named !== undefined) {
    const choice = await askChoice<FileItem>({
      asking: plan,
      title: vscode.l10n.t('Import Secrets'),
      placeholder: vscode.l10n.t('Select the file to import from'),
      items: [named, { label: vscode.l10n.t('Other File…') }],
    });
    if (choice === undefined) return undefined;
    if (choice.file !== undefined) return choice.file;
  }
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const start = root ?? folder?.uri;
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
  const path = dotenvPath(config);
  if (path === undefined) return undefined;
  const file = vscode.Uri.joinPath(repository.root, path);
  // A dotenv file usually isn't committed and may be missing here.
  if (!(await exists(file))) return undefined;
  const description = vscode.l10n.t('named by {0}', withoutIcons(configPath));
  return { label: withoutIcons(path), description, file };
}

/** Lets the user choose from the names in a text. */
async function importText(plan: DeploymentPlan, from: string, text: string): Promise<Imported> {
  const { variables, findings } = readVariables(text, from, importRules(plan.draft));
  if (variables.length === 0) {
    return { variables, findings: [...findings, vscode.l10n.t('Nothing to import from {0}.', from)] };
  }
  const items = variables.map((variable) => ({
    variable,
    label: withoutIcons(variable.name),
    description: vscode.l10n.t('line {0}', variable.line),
    picked: true,
  }));
  const placeholder = foundWords(from, findings.length);
  const chosen = await askChoices({ asking: plan, title: vscode.l10n.t('Import Secrets'), placeholder, items });
  if (chosen === undefined) return { ...nothing, findings };
  if (chosen.length === 0) {
    return { ...nothing, findings: [...findings, vscode.l10n.t('Nothing was imported: no names were selected.')] };
  }
  return { variables: chosen.map(({ variable }) => variable), findings };
}

async function readDotenv(file: vscode.Uri, root: vscode.Uri | undefined): Promise<string> {
  const text = await readFileText(file, longestDotenv, root);
  if (text === undefined) throw new UserError(vscode.l10n.t('This file is too long for a dotenv file.'));
  return text;
}

function foundWords(from: string, findings: number): string {
  if (findings === 0) return vscode.l10n.t('Names in {0}; their values are not shown', from);
  return findings === 1
    ? vscode.l10n.t('Names in {0}; 1 problem is shown afterwards', from)
    : vscode.l10n.t('Names in {0}; {1} problems are shown afterwards', from, findings);
}
