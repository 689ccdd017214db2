import * as l10n from '@vscode/l10n';
import type { DraftSecret } from '../draft/draft.ts';
import { secretNameProblem } from '../draft/fieldProblem.ts';
import { parseDotenv, type DotenvVariable } from './dotenv.ts';

/** The variables of a text that can be imported, and findings about the others. */
export interface ReadVariables {
  readonly variables: readonly DotenvVariable[];
  /** Sentences that name lines and variables, but never values. */
  readonly findings: readonly string[];
}

/** Maximum number of findings that are named; in a text that isn't a dotenv file, each line is one. */
const mostFindings = 5;

/** What the names of secrets are checked against. */
export interface ImportRules {
  readonly reservedNames: readonly string[];
  /** The names of the draft's secret references. */
  readonly references: readonly string[];
}

/**
 * Reads `NAME=value` lines, and decides which of them can be imported. Whatever offers, counts or explains the names
 * of a text goes by this. An empty value is a placeholder.
 */
export function readVariables(text: string, from: string, { reservedNames, references }: ImportRules): ReadVariables {
  const read = parseDotenv(text);
  const judged = read.variables.map((variable) => {
    const { name, value, line } = variable;
    const message =
      value === ''
        ? l10n.t("{0} has no value, so it can't be imported.", name)
        : secretNameProblem(name, reservedNames, { secrets: [], references });
    return { variable, left: message === undefined ? [] : [{ line, message }] };
  });
  const found = [...read.findings, ...judged.flatMap(({ left }) => left)].toSorted((a, b) => a.line - b.line);
  const findings = found
    .slice(0, mostFindings)
    .map(({ line, message }) => l10n.t('{0}, line {1}: {2}', from, line, message));
  const more = found.length - findings.length;
  return {
    variables: judged.flatMap(({ variable, left }) => (left.length === 0 ? [variable] : [])),
    findings: more === 0 ? findings : [...findings, l10n.t('{0}: {1} more problems', from, more)],
  };
}

/** The variables whose values a draft doesn't have yet. */
export function missingVariables(
  variables: readonly DotenvVariable[],
  secrets: readonly DraftSecret[],
): readonly DotenvVariable[] {
  const given = new Set(secrets.filter(({ value }) => value !== undefined).map(({ name }) => name));
  return variables.filter(({ name }) => !given.has(name));
}
