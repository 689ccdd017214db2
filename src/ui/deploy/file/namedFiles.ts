import * as vscode from 'vscode';
import type { FlavorName } from '../../../api/flavor.ts';
import { resourceSpecWire, type ResourceSpec } from '../../../api/schema/resourceSpec.ts';
import type { DeploymentSpec } from '../../../core/draft/deploymentFileSchema.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { longestDotenv, parseDotenv } from '../../../core/secrets/dotenv.ts';
import { findingsIn } from '../../../core/spec/rules.ts';
import { firstNames } from '../../../core/text/text.ts';
import { longestSpecText, readSpecText } from '../../../core/yaml/document.ts';
import { messageOf, UserError } from '../../window/errors.ts';
import { relativePath } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';
import type { DeploymentPlan } from '../plan.ts';

/** A deployment of a file. */
export interface DescribedDeployment {
  readonly file: vscode.Uri;
  readonly spec: DeploymentSpec;
}

/** The folder below which a deployment file may name files: the open one, else its own. */
function rootOf(file: vscode.Uri): vscode.Uri {
  return vscode.workspace.getWorkspaceFolder(file)?.uri ?? vscode.Uri.joinPath(file, '..');
}

/** Whether a file that a deployment file names lies below its folder. Links are followed when it's read. */
export function isBelow(file: vscode.Uri, path: string): boolean {
  return relativePath(rootOf(file), vscode.Uri.joinPath(file, '..', path)) !== undefined;
}

/**
 * Reads a file that a deployment file names, with unsaved changes.
 * @throws {UserError} it is outside the open folder, or too large
 */
async function readNamed(file: vscode.Uri, path: string, limit: number): Promise<string> {
  if (!isBelow(file, path)) throw new UserError(vscode.l10n.t('it is outside the open folder'));
  const uri = vscode.Uri.joinPath(file, '..', path);
  const text = await readFileText(uri, limit, rootOf(file));
  if (text === undefined) {
    throw new UserError(vscode.l10n.t('it is larger than {0} kB', Math.round(limit / 1024)));
  }
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.getText() ?? text;
}

/**
 * The resources of the spec file that a deployment names.
 * @throws {UserError} it can't be read or used
 */
export async function resourcesOf(
  { file, spec }: DescribedDeployment,
  flavor: FlavorName,
): Promise<ResourceSpec | undefined> {
  const { resources: path } = spec;
  if (typeof path !== 'string') return undefined;
  const text = await readNamed(file, path, longestSpecText).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t("The resources in {0} can't be read: {1}", path, messageOf(error)));
  });
  const read = readSpecText(text);
  const wrong = findingsIn(read, flavor).find(({ severity }) => severity === 'error');
  if (wrong !== undefined || read.kind === 'unreadable') {
    const { line = 1, message = '' } = wrong ?? {};
    throw new UserError(vscode.l10n.t("The resources in {0} can't be used: line {1}: {2}", path, line, message));
  }
  return resourceSpecWire.parse(read.spec);
}

/** Gives a draft the values that its file takes from a dotenv file, and says which it doesn't have. */
export async function takeVariables(
  { draft }: DeploymentPlan,
  file: vscode.Uri,
  path: string,
  names: readonly string[],
): Promise<readonly Finding[]> {
  try {
    const { variables } = parseDotenv(await readNamed(file, path, longestDotenv));
    const values = new Map(variables.map(({ name, value }) => [name, value]));
    draft.secrets = draft.secrets.map((secret) =>
      names.includes(secret.name) ? { name: secret.name, value: values.get(secret.name) } : secret,
    );
    const missing = names.filter((name) => !values.has(name));
    if (missing.length === 0) return [];
    const message = vscode.l10n.t("{0} doesn't have {1}. Enter a value.", path, firstNames(missing));
    return [finding('warning', message, 'secrets')];
  } catch (error) {
    return [finding('warning', vscode.l10n.t("Couldn't read {0}: {1}", path, messageOf(error)), 'secrets')];
  }
}
