import type * as vscode from 'vscode';

/** The kinds of YAML files that are ours, as their names end before `.yaml` or `.yml`. */
export type SpecKind = 'resource-spec' | 'deployment-spec';

export function specPattern(kind: SpecKind): string {
  return `**/*.${kind}.{yaml,yml}`;
}

/** The name of a file without the ending of its kind. Undefined if it has another one. */
export function specName(kind: SpecKind, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.replace(/\.ya?ml$/i, '');
  const isOfKind = plain !== name && plain.toLowerCase().endsWith(`.${kind}`);
  return isOfKind ? plain.slice(0, -kind.length - 1) : undefined;
}

export function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
