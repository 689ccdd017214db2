import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { shortened } from '../text/text.ts';
import { typeWords, unknownKeys, unknownKeyWords } from '../yaml/help.ts';
import { isSpecMap, valueAt } from '../yaml/value.ts';
import type { SpecPath, SpecValue } from '../yaml/value.ts';
import { hasContent, readAppConfig } from './config.ts';
import { appConfigSchema, builtFields } from './schema.ts';

/** What is wrong with a config. Only what a build refuses is an error. */
export interface ConfigProblem {
  readonly severity: 'error' | 'warning' | 'info';
  readonly path: SpecPath;
  readonly at: 'key' | 'value';
  /** A phrase. Names keys but never quotes a value, because an inline `env` holds secrets. */
  readonly words: string;
  /** Whether the text can't be read at all. */
  readonly isSyntax?: true;
  /** The names that an unknown key may have been meant to have. */
  readonly meant?: readonly string[];
}

/** More would hide each other. */
export const mostProblems = 100;

/** What is wrong with the content of an application config: at most 100 problems, those of a build first. */
export function configProblems(content: SpecValue, path: string): readonly ConfigProblem[] {
  const unknown = firstUnknownKeys(content);
  // A misspelled key isn't also said to be missing.
  const isMisspelled = unknown.some(({ meant }) => meant?.includes('dependencies'));
  const found = [
    ...unsafeNames(content),
    ...(appConfigSchema.safeParse(content).error?.issues ?? []).map((issue) => schemaProblem(content, issue)),
    ...(isMisspelled ? [] : missingPackages(content, path)),
    ...unknown,
  ];
  const errors = found.filter(({ severity }) => severity === 'error');
  return [...errors, ...found.filter(({ severity }) => severity === 'warning')].slice(0, mostProblems);
}

/** Names with a special meaning in JavaScript, which the schema would skip. No real config uses them. */
const unsafeKeys = ['__proto__', 'constructor', 'prototype'];

function unsafeNames(content: SpecValue): readonly ConfigProblem[] {
  return (['graphs', 'env'] as const).flatMap((key) => {
    const map = valueAt(content, [key]);
    const names = isSpecMap(map) ? unsafeKeys.filter((name) => Object.hasOwn(map, name)) : [];
    return names.map((name): ConfigProblem => {
      const words =
        key === 'graphs'
          ? l10n.t('a graph can\'t be called "{0}"', name)
          : l10n.t('an environment variable can\'t be called "{0}"', name);
      return { severity: 'error', path: [key, name], at: 'value', words };
    });
  });
}

function schemaProblem(content: SpecValue, issue: z.core.$ZodIssue): ConfigProblem {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const [key] = path;
  const isBuilt = key === undefined || Object.hasOwn(builtFields, key);
  return { severity: isBuilt ? 'error' : 'warning', path, at: 'value', words: wordsOf(content, path, issue) };
}

function wordsOf(content: SpecValue, path: SpecPath, issue: z.core.$ZodIssue): string {
  const [key, graph] = path;
  if (key === undefined) return l10n.t('an application config is an object with "graphs" in it');
  if (key === 'graphs' && graph !== undefined) {
    return l10n.t('the graph "{0}" must be written as "./path/file.py:attribute"', shortened(String(graph)));
  }
  if (key === 'graphs') {
    return valueAt(content, ['graphs']) === undefined
      ? l10n.t('"graphs" is missing; it names the graphs of the application')
      : l10n.t('"graphs" must map at least one name to "./path/file.py:attribute"');
  }
  if (key === 'env') {
    return l10n.t('"env" must be the path of a dotenv file, a list of names or a map of names to values');
  }
  return issue.code === 'invalid_type' ? typeWords(issue.expected) : issue.message;
}

/** The service may install what the public command-line tools ask for. */
function missingPackages(content: SpecValue, path: string): readonly ConfigProblem[] {
  const config = readAppConfig(content, path);
  const isNamed = hasContent(content, 'dependencies') || hasContent(content, 'source');
  if (config === undefined || config.language === 'javascript' || isNamed) return [];
  const words = l10n.t('"dependencies" is missing; list the packages to install there, such as ["."]');
  return [{ severity: 'warning', path: ['dependencies'], at: 'key', words }];
}

function firstUnknownKeys(content: SpecValue): readonly ConfigProblem[] {
  const found: ConfigProblem[] = [];
  for (const { path, key, meant } of unknownKeys(appConfigSchema, content)) {
    if (found.length === mostProblems) break;
    found.push({ severity: 'warning', path, at: 'key', words: unknownKeyWords(key, meant), meant });
  }
  return found;
}
