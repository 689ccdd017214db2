import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vitest/node';

export const root = path.join(import.meta.dirname, '../..');

/** A part of a parsed file. Comments are no parts of it, so none of them can hide anything. */
export interface SyntaxNode {
  readonly type: string;
  readonly [property: string]: unknown;
}

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Every part of the file, outer ones before inner ones. */
  readonly nodes: readonly SyntaxNode[];
}

export interface Import {
  /** A file from the root of the repository, or the name of a package. */
  readonly target: string;
  /** Nothing of it is left when types are stripped. */
  readonly isTypeOnly: boolean;
  readonly isDynamic: boolean;
}

/** Reads and parses every TypeScript file below a folder, in the order of their names. */
export function readSourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .map((file) => parseSourceFile(file, readFileSync(path.join(root, file), 'utf8')));
}

export function parseSourceFile(file: string, text: string): SourceFile {
  return { path: file, text, nodes: [...nodesBelow(parseAst(text, { lang: file.endsWith('.d.ts') ? 'dts' : 'ts' }))] };
}

/** Everything that a file imports or exports from elsewhere, also by `import()`, `require` and the type `import('…')`. */
export function importsOf(file: SourceFile): readonly Import[] {
  return file.nodes.flatMap((node): Import[] => {
    const found = importIn(node);
    if (found === undefined) return [];
    const { specifier, ...rest } = found;
    return [{ ...rest, target: resolveTarget(file.path, specifier) }];
  });
}

/** The text of a string literal or of a template without holes. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type === 'TemplateLiteral') {
    const [only, ...others] = listOf(node['quasis']);
    return others.length > 0 || !isNode(only) ? undefined : (only['value'] as { cooked: string }).cooked;
  }
  return undefined;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function importIn(
  node: SyntaxNode,
): { specifier: string; readonly isTypeOnly: boolean; readonly isDynamic: boolean } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      const specifier = literalText(node['source']);
      if (specifier === undefined) return undefined;
      const isTypeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type';
      return { specifier, isTypeOnly, isDynamic: false };
    }
    case 'TSImportType':
      return { specifier: literalText(node['source']) ?? '', isTypeOnly: true, isDynamic: false };
    case 'ImportExpression':
      return { specifier: literalText(node['source']) ?? 'something computed', isTypeOnly: false, isDynamic: true };
    case 'TSExternalModuleReference':
      return { specifier: literalText(node['expression']) ?? '', isTypeOnly: false, isDynamic: false };
    case 'CallExpression': {
      const { callee } = node;
      if (!isNode(callee) || callee['name'] !== 'require') return undefined;
      const specifier = literalText(listOf(node['arguments'])[0]) ?? 'something computed';
      return { specifier, isTypeOnly: false, isDynamic: false };
    }
    default:
      return undefined;
  }
}

function resolveTarget(from: string, specifier: string): string {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : specifier;
}

/** A value, if it is a part of a file, and every part below it. */
export function* nodesBelow(value: unknown): Generator<SyntaxNode, void, undefined> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesBelow(item);
  } else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) yield value;
    for (const part of Object.values(value)) yield* nodesBelow(part);
  }
}
