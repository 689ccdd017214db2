import path from 'node:path';
import type * as vscode from 'vscode';

/** The kinds of YAML files that are ours, as their names end before `.yaml` or `.yml`. */
export type SpecKind = (typeof specKinds)[number];

export const specKinds = ['resource-spec', 'deployment-spec'] as const;

export function specPattern(kind: SpecKind): string {
  return `**/*.${kind}.{yaml,yml}`;
}

/** The name of a file without the ending of its kind. Undefined if it has another one. */
export function specName(kind: SpecKind, file: string): string | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const plain = name.replace(/\.ya?ml$/i, '');
  const isOfKind = plain !== name && plain.toLowerCase().endsWith(`.${kind}`);
  return isOfKind ? plain.slice(0, -kind.length - 1) : undefined;
}

export function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/** The folder of the drafts of a kind in the extension's storage. */
export function draftsFolder(storage: string, kind: SpecKind): string {
  return path.join(storage, kind);
}

/**
 * The folder where the drafts of a workspace are kept, whichever of its windows asks. VS Code's own folder for a window
 * has a number at its end if the process of another one, or of the same one before a reload, still has the first.
 */
export function draftStorage<Folder extends { readonly path: string; with(change: { path: string }): Folder }>({
  storageUri,
  globalStorageUri,
}: {
  readonly storageUri: Folder | undefined;
  readonly globalStorageUri: Folder;
}): Folder {
  if (storageUri === undefined) return globalStorageUri;
  return storageUri.with({ path: storageUri.path.replace(/([^/])-\d(\/[^/]+)$/, '$1$2') });
}

/** Whether a file is a draft: one of ours that belongs to no file of the user. */
export function isDraft(
  storage: Pick<vscode.Uri, 'scheme' | 'fsPath'>,
  kind: SpecKind,
  file: Pick<vscode.Uri, 'scheme' | 'fsPath'>,
): boolean {
  const below = path.relative(draftsFolder(storage.fsPath, kind), file.fsPath);
  return file.scheme === storage.scheme && !below.startsWith('..') && !path.isAbsolute(below);
}
