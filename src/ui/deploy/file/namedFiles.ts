import * as vscode from 'vscode';
import type { FlavorName } from '../../../api/flavor.ts';
import type { ResourceSpec } from '../../../api/schema/resourceSpec.ts';
import { sentSpec } from '../../../core/spec/specText.ts';
import type { BegunDeployment } from '../../../core/draft/begunDraft.ts';
import type { DeploymentSpec } from '../../../core/draft/deploymentFileSchema.ts';
import { findingsIn } from '../../../core/spec/rules.ts';
import { longestSpecText, readSpecText } from '../../../core/yaml/document.ts';
import { messageOf, UserError } from '../../window/errors.ts';
import { openDocument, relativePath } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';

/** A deployment of a file. */
export interface DescribedDeployment {
  /** Where its paths start. */
  readonly file: vscode.Uri;
  /** How it was begun, if the file is a draft. */
  readonly begun?: BegunDeployment | undefined;
  readonly spec: DeploymentSpec;
}

/** Where the paths of a deployment start, and how it was begun, if that is a draft. */
interface NamingFile {
  readonly file: vscode.Uri;
  readonly begun?: unknown;
}

/** The folder that the files which a deployment names are in: the open one, or the repository of a draft. */
export function rootOf({ file, begun }: NamingFile): vscode.Uri | undefined {
  return begun === undefined ? vscode.workspace.getWorkspaceFolder(file)?.uri : vscode.Uri.joinPath(file, '..');
}

export function outsideFolder(): UserError {
  return new UserError(vscode.l10n.t('It is outside the open folder.'));
}

/**
 * Reads a file that a deployment names, with unsaved changes.
 * @throws {UserError} it is outside its folder, or too large
 */
export async function readNamed(from: NamingFile, path: string, limit: number): Promise<string> {
  const uri = vscode.Uri.joinPath(from.file, '..', path);
  const root = rootOf(from);
  if (root === undefined || relativePath(root, uri) === undefined) {
    throw outsideFolder();
  }
  const text = await readFileText(uri, limit, root);
  if (text === undefined) {
    throw new UserError(vscode.l10n.t('It is larger than {0} kB.', Math.round(limit / 1024)));
  }
  return openDocument(uri)?.getText() ?? text;
}

/**
 * The resources of the spec file that a deployment names.
 * @throws {UserError} it can't be read or used
 */
export async function resourcesOf(
  described: DescribedDeployment,
  flavor: FlavorName,
): Promise<ResourceSpec | undefined> {
  const { resources: path } = described.spec;
  if (typeof path !== 'string') return undefined;
  const text = await readNamed(described, path, longestSpecText).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t("The resources in {0} can't be read: {1}", path, messageOf(error)));
  });
  const read = readSpecText(text);
  const wrong = findingsIn(read, flavor).find(({ severity }) => severity === 'error');
  if (wrong !== undefined || read.kind === 'unreadable') {
    const { line = 1, message = '' } = wrong ?? {};
    throw new UserError(vscode.l10n.t("The resources in {0} can't be used: line {1}: {2}", path, line, message));
  }
  return sentSpec(read.spec);
}
