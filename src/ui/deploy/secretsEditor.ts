import * as vscode from 'vscode';
import type { DeploymentDraft, DraftSecret } from '../../core/draft/draft.ts';
import { secretCount } from '../../core/draft/reviewLines.ts';
import { parseDotenv, secretNameProblem, type DotenvFinding, type DotenvVariable } from '../../core/secrets/dotenv.ts';
import { withoutIcons, wrapLines } from '../../core/text/text.ts';
import { messageOf } from '../window/errors.ts';
import { askChoice, askChoices, askText, back } from '../window/steps.ts';
import { readRepositoryFile } from '../workspace/workspaceRepository.ts';
import { askSecretValues } from './askSecretValues.ts';

interface Edited {
  readonly secrets: readonly DraftSecret[];
  /** Findings about reading the secrets, for the user. They never contain a value. */
  readonly findings: readonly string[];
}

interface SecretItem extends vscode.QuickPickItem {
  /** Runs the selected action; without it, the user is done. */
  readonly run?: () => Promise<Edited>;
}

/** Maximum number of findings shown; in a file that isn't a dotenv file, each line is one. */
const mostFindings = 5;
/** Characters that a quick pick shows before it truncates a line. */
const lineLimit = 78;

/**
 * Edits the secrets of a draft. Names are shown, values never.
 * Values are typed masked or read from a file, kept only in the draft, and sent with the create request.
 */
export async function editSecrets(
  draft: DeploymentDraft,
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  const references = draft.source === 'external_docker' ? draft.secretReferences.map(({ name }) => name) : [];
  let edited: Edited = { secrets: draft.secrets, findings: [] };
  for (;;) {
    const choice = await askChoice<SecretItem>({
      title: vscode.l10n.t('Secrets'),
      placeholder: vscode.l10n.t('Sent once with the deployment; values are never stored or shown'),
      items: itemsOf(edited, reservedNames, references),
    });
    if (choice === undefined || choice === back || choice.run === undefined) return edited.secrets;
    edited = await choice.run();
  }
}

function itemsOf(edited: Edited, reservedNames: readonly string[], references: readonly string[]): SecretItem[] {
  const { secrets } = edited;
  const without = (changed: readonly DraftSecret[]): Edited => ({ secrets: changed, findings: [] });
  return [
    { label: vscode.l10n.t('$(check) Done'), description: secretCount(secrets.length) },
    ...findingItems(edited),
    ...missingItems(secrets, async () => without(await askSecretValues(secrets))),
    {
      label: vscode.l10n.t('$(add) Add Secret…'),
      run: async () => without(await addSecret(secrets, reservedNames, references)),
    },
    {
      label: vscode.l10n.t('$(file-symlink-file) Import from .env File…'),
      run: async () => importDotenv(secrets, reservedNames),
    },
    ...secrets.map((secret) => ({
      label: `$(key) ${withoutIcons(secret.name)}`,
      description: valueWords(secret),
      run: async () => without(await changeSecret(secrets, secret)),
    })),
  ];
}

/** Offers to enter the values that are missing, one after the other. */
function missingItems(secrets: readonly DraftSecret[], run: () => Promise<Edited>): SecretItem[] {
  const missing = secrets.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (missing.length < 2) return [];
  return [{ label: vscode.l10n.t('Enter Missing Values…'), description: withoutIcons(missing.join(', ')), run }];
}

/** Rows of the findings; selecting one changes nothing. */
function findingItems(edited: Edited): SecretItem[] {
  return edited.findings.flatMap((message) =>
    wrapLines(message, lineLimit, lineLimit).map((line, index) => ({
      label: `$(${index === 0 ? 'warning' : 'blank'}) ${withoutIcons(line)}`,
      run: async () => edited,
    })),
  );
}

function valueWords({ value }: DraftSecret): string {
  if (value === undefined) return vscode.l10n.t('value missing');
  return value === '' ? vscode.l10n.t('empty value') : '••••••••';
}

async function addSecret(
  secrets: readonly DraftSecret[],
  reservedNames: readonly string[],
  references: readonly string[],
): Promise<readonly DraftSecret[]> {
  const name = await askText({
    title: vscode.l10n.t('Add Secret'),
    prompt: vscode.l10n.t('The name of the environment variable that the application reads.'),
    placeholder: 'OPENAI_API_KEY',
    step: 1,
    totalSteps: 2,
    problemOf: (text) =>
      secretNameProblem(text.trim(), reservedNames) ??
      (secrets.some((secret) => secret.name === text.trim())
        ? vscode.l10n.t('A secret with this name already exists.')
        : undefined) ??
      (references.includes(text.trim())
        ? vscode.l10n.t('A secret reference with this name already exists.')
        : undefined),
  });
  if (name === undefined || name === back) return secrets;
  const value = await askValue(name.trim(), { step: 2, totalSteps: 2 });
  if (value === back) return addSecret(secrets, reservedNames, references);
  return value === undefined ? secrets : [...secrets, { name: name.trim(), value }];
}

async function changeSecret(secrets: readonly DraftSecret[], secret: DraftSecret): Promise<readonly DraftSecret[]> {
  const isMissing = secret.value === undefined;
  const change = { label: isMissing ? vscode.l10n.t('$(edit) Enter Value…') : vscode.l10n.t('$(edit) Change Value…') };
  const remove = { label: vscode.l10n.t('$(trash) Remove') };
  const choice = await askChoice({ title: secret.name, placeholder: '', items: [change, remove] });
  if (choice === remove) return secrets.filter((other) => other !== secret);
  if (choice !== change) return secrets;
  const value = await askValue(secret.name, {});
  return value === undefined || value === back
    ? secrets
    : secrets.map((other) => (other === secret ? { name: secret.name, value } : other));
}

async function askValue(
  name: string,
  place: { readonly step?: number; readonly totalSteps?: number },
): ReturnType<typeof askText> {
  return askText({
    ...place,
    title: vscode.l10n.t('Value of {0}', name),
    prompt: vscode.l10n.t('Sent once with the deployment, then discarded.'),
    placeholder: vscode.l10n.t('Value'),
    password: true,
  });
}

async function importDotenv(secrets: readonly DraftSecret[], reservedNames: readonly string[]): Promise<Edited> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import Secrets'),
      openLabel: vscode.l10n.t('Import'),
      ...(folder === undefined ? {} : { defaultUri: folder.uri }),
    })) ?? [];
  if (file === undefined) return { secrets, findings: [] };
  const fileName = file.path.split('/').at(-1) ?? file.path;
  let content: Uint8Array;
  try {
    content = await vscode.workspace.fs.readFile(file);
  } catch (error) {
    return { secrets, findings: [vscode.l10n.t('{0} cannot be read: {1}', fileName, messageOf(error))] };
  }
  const { variables, findings: unread } = parseDotenv(new TextDecoder().decode(content));
  const findings = findingWords(fileName, unread);
  if (variables.length === 0)
    return { secrets, findings: [...findings, vscode.l10n.t('{0} has no secrets.', fileName)] };
  const chosen = await chooseVariables(variables, unread.length, reservedNames);
  if (chosen === undefined) return { secrets, findings };
  const imported = new Map(chosen.map(({ name, value }) => [name, { name, value }]));
  // An imported value replaces one that was typed under the same name.
  return { secrets: [...secrets.filter(({ name }) => !imported.has(name)), ...imported.values()], findings };
}

/** Adds variables of a dotenv file in the repository to the secrets of a draft. */
export async function importEnv(
  root: vscode.Uri,
  draft: DeploymentDraft,
  { path, names }: { readonly path: string; readonly names: readonly string[] },
): Promise<void> {
  const { variables } = parseDotenv((await readRepositoryFile(root, path)) ?? '');
  const wanted = variables.filter(({ name }) => names.includes(name));
  draft.secrets = [...draft.secrets, ...wanted.map(({ name, value }) => ({ name, value }))];
  draft.provenance.secrets = { kind: 'user' };
}

async function chooseVariables(
  variables: readonly DotenvVariable[],
  unread: number,
  reservedNames: readonly string[],
): Promise<readonly DotenvVariable[] | undefined> {
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
  const chosen = await askChoices({
    title: vscode.l10n.t('Import Secrets'),
    placeholder: foundWords(unread),
    items,
  });
  return chosen?.map(({ variable }) => variable);
}

function foundWords(unread: number): string {
  if (unread === 0) return vscode.l10n.t('Names found in the file; their values are not shown');
  return unread === 1
    ? vscode.l10n.t('Names found in the file; the list of secrets shows 1 problem')
    : vscode.l10n.t('Names found in the file; the list of secrets shows {0} problems', unread);
}

function findingWords(fileName: string, findings: readonly DotenvFinding[]): readonly string[] {
  const words = findings
    .slice(0, mostFindings)
    .map(({ line, message }) => vscode.l10n.t('{0}, line {1}: {2}', fileName, line, message));
  const more = findings.length - words.length;
  return more === 0 ? words : [...words, vscode.l10n.t('{0} has more problems: {1}', fileName, more)];
}
