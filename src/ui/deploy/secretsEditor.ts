import * as vscode from 'vscode';
import { parseDotenv, secretNameProblem } from '../../core/dotenv.ts';
import type { DraftSecret } from '../../core/deploymentDraft.ts';
import { askChoice, askText, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';

interface SecretItem extends vscode.QuickPickItem {
  /** What choosing it does; without it the person is done. */
  readonly run?: () => Promise<readonly DraftSecret[]>;
}

/**
 * Edits the secrets of a draft. Names are shown, values never: they are typed masked or read from a file, live in
 * the draft only, and go into the one create request.
 */
export async function editSecrets(
  secrets: readonly DraftSecret[],
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  let edited = secrets;
  for (;;) {
    const choice = await askChoice<SecretItem>({
      title: vscode.l10n.t('Secrets'),
      placeholder: vscode.l10n.t('Sent once with the deployment; values are not kept and not shown'),
      items: itemsOf(edited, reservedNames),
    });
    if (choice === undefined || choice === back || choice.run === undefined) return edited;
    edited = await choice.run();
  }
}

function itemsOf(secrets: readonly DraftSecret[], reservedNames: readonly string[]): SecretItem[] {
  return [
    { label: vscode.l10n.t('$(check) Done'), description: countOf(secrets) },
    {
      label: vscode.l10n.t('$(add) Add Secret…'),
      run: async () => addSecret(secrets, reservedNames),
    },
    {
      label: vscode.l10n.t('$(file-symlink-file) Import from .env File…'),
      run: async () => importDotenv(secrets, reservedNames),
    },
    ...secrets.map((secret) => ({
      label: `$(key) ${withoutIcons(secret.name)}`,
      description: secret.value === '' ? vscode.l10n.t('empty value') : '••••••••',
      run: async () => changeSecret(secrets, secret),
    })),
  ];
}

/** How many secrets there are, in words. */
export function countOf(secrets: readonly DraftSecret[]): string {
  if (secrets.length === 0) return vscode.l10n.t('none');
  return secrets.length === 1 ? vscode.l10n.t('1 secret') : vscode.l10n.t('{0} secrets', secrets.length);
}

async function addSecret(
  secrets: readonly DraftSecret[],
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  const name = await askText({
    title: vscode.l10n.t('Add Secret'),
    prompt: vscode.l10n.t('The name, as the application reads it from its environment.'),
    placeholder: 'OPENAI_API_KEY',
    step: 1,
    totalSteps: 2,
    problemOf: (text) =>
      secretNameProblem(text.trim(), reservedNames) ??
      (secrets.some((secret) => secret.name === text.trim())
        ? vscode.l10n.t('There is a secret of this name already.')
        : undefined),
  });
  if (name === undefined || name === back) return secrets;
  const value = await askValue(name.trim(), { step: 2, totalSteps: 2 });
  if (value === back) return addSecret(secrets, reservedNames);
  return value === undefined ? secrets : [...secrets, { name: name.trim(), value }];
}

async function changeSecret(secrets: readonly DraftSecret[], secret: DraftSecret): Promise<readonly DraftSecret[]> {
  const change = { label: vscode.l10n.t('$(edit) Change Value…') };
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
    prompt: vscode.l10n.t('Sent once with the deployment and forgotten then.'),
    placeholder: vscode.l10n.t('Value'),
    password: true,
  });
}

async function importDotenv(
  secrets: readonly DraftSecret[],
  reservedNames: readonly string[],
): Promise<readonly DraftSecret[]> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import Secrets'),
      openLabel: vscode.l10n.t('Import'),
      ...(folder === undefined ? {} : { defaultUri: folder.uri }),
    })) ?? [];
  if (file === undefined) return secrets;
  const { variables, problems } = parseDotenv(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
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
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import Secrets'),
    placeHolder:
      problems.length === 0
        ? vscode.l10n.t('Names found in the file; their values are not shown')
        : vscode.l10n.t('{0} lines cannot be read and are left out', problems.length),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return secrets;
  const imported = new Map(chosen.map(({ variable: { name, value } }) => [name, { name, value }]));
  // A value that is imported replaces the one that was typed under the same name.
  return [...secrets.filter(({ name }) => !imported.has(name)), ...imported.values()];
}
