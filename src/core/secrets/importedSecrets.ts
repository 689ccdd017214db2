import * as l10n from '@vscode/l10n';
import type { DraftSecret } from '../draft/draft.ts';
import { parseDotenv, type DotenvVariable } from './dotenv.ts';

/** The variables of a text that can be imported, and findings about the others. */
export interface ReadVariables {
  readonly variables: readonly DotenvVariable[];
  /** Sentences that name lines and variables, but never values. */
  readonly findings: readonly string[];
}

/** Maximum number of findings that are named; in a text that isn't a dotenv file, each line is one. */
const mostFindings = 5;

/** Reads `NAME=value` lines. Leaves out empty values, which are placeholders. */
export function readVariables(text: string, from: string): ReadVariables {
  const { variables, findings: read } = parseDotenv(text);
  const empty = variables
    .filter(({ value }) => value === '')
    .map(({ name, line }) => ({ line, message: l10n.t('{0} has no value and was left out.', name) }));
  const found = [...read, ...empty].toSorted((a, b) => a.line - b.line);
  const findings = found
    .slice(0, mostFindings)
    .map(({ line, message }) => l10n.t('{0}, line {1}: {2}', from, line, message));
  const more = found.length - findings.length;
  return {
    variables: variables.filter(({ value }) => value !== ''),
    findings: more === 0 ? findings : [...findings, l10n.t('{0} has more problems: {1}', from, more)],
  };
}

/** The secrets with imported variables. A variable replaces the value of a secret with its name, or one without. */
export function withVariables(
  secrets: readonly DraftSecret[],
  variables: readonly DotenvVariable[],
): readonly DraftSecret[] {
  const imported = new Map(variables.map(({ name, value }) => [name, { name, value }]));
  const present = new Set(secrets.map(({ name }) => name));
  return [
    ...secrets.map((secret) => imported.get(secret.name) ?? secret),
    ...[...imported.values()].filter(({ name }) => !present.has(name)),
  ];
}
