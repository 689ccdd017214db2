import * as vscode from 'vscode';
import { hasGraphs } from '../../core/appConfig/appConfig.ts';
import { rankConfigPaths, skippedFolders } from '../../core/appConfig/paths.ts';
import { ignoredFiles, listFiles } from '../../git/files.ts';
import type { Git } from '../../git/git.ts';
import { relativePath } from '../window/files.ts';
import type { GitRepository } from './gitExtension.ts';

/** The file that the user is looking at, or has selected in a menu. */
export interface FileInFront {
  readonly uri: vscode.Uri;
  /** True for the user's own choice, which is a config file whatever it contains. */
  readonly isSelected: boolean;
}

/**
 * The application config files of a repository, the nearest to the file in front first; relative to the root.
 * Leaves out files that git ignores and those of repositories inside this one. Adds the file in front if it is a config
 * file under another name.
 */
export async function findConfigFiles(
  git: Git,
  repository: GitRepository,
  inFront: FileInFront | undefined,
): Promise<readonly string[]> {
  const { rootUri: root } = repository;
  const settings = vscode.workspace.getConfiguration('deploymentManager', root);
  const found = await listFiles(git, settings.get<readonly string[]>('appConfig.patterns', []), skippedFolders);
  // Our isolated git doesn't know the user's own ignore rules.
  const ignored = await ignoredFiles(git, rankConfigPaths(found));
  const path = inFront && relativePath(root, inFront.uri);
  const isConfig = inFront !== undefined && (inFront.isSelected || hasGraphs(textOf(inFront.uri), inFront.uri.path));
  const others = found.filter((other) => !ignored.has(other));
  return rankConfigPaths(isConfig && path !== undefined ? [...others, path] : others, path);
}

/** The text of an open file, with unsaved changes. */
function textOf(uri: vscode.Uri): string {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.getText() ?? '';
}
