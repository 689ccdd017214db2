import * as vscode from 'vscode';
import { locateProblems, parseAppConfig, type ConfigFinding } from '../../core/appConfig/appConfig.ts';
import type { AppConfig } from '../../core/appConfig/config.ts';
import { graphPaths } from '../../core/appConfig/graphFiles.ts';
import { sourceLanguage } from '../../core/appConfig/paths.ts';
import { leadTo } from '../../core/appConfig/movedPaths.ts';
import {
  readCode,
  repositoryProblems,
  type RepositoryFacts,
  type RepositoryProblem,
} from '../../core/appConfig/repositoryProblems.ts';
import { similarFiles } from '../../core/appConfig/sourceFiles.ts';
import { longestDotenv, parseDotenv } from '../../core/secrets/dotenv.ts';
import type { IgnoreQuestions } from '../../git/ignoredFiles.ts';
import { isOnRemote } from '../../git/commits.ts';
import { readFileText } from '../window/fileText.ts';
import { reservedSecretNames } from '../window/settings.ts';
import { changedFiles } from '../workspace/isolatedGit.ts';
import { diagnosticOf, shownFix, type ShownFinding, type ShownFix } from '../window/diagnostics.ts';
import { configPlace, type ConfigPlace } from './place.ts';

/** In bytes. A larger file isn't searched for the definition of a graph. */
const largestCode = 1_000_000;

interface Helpers {
  /** Lists the source files of a place. Only for fixes that the user wants to see, because it searches folders. */
  readonly findSources: (place: ConfigPlace) => Promise<readonly string[]>;
  readonly ignored: IgnoreQuestions;
}

/** What is wrong with the files that a config names. Nothing outside of trusted folders on disk. */
export async function repositoryFindings(
  document: vscode.TextDocument,
  helpers: Helpers,
  signal: AbortSignal,
): Promise<readonly ShownFinding[]> {
  const text = document.getText();
  const place = await configPlace(document.uri);
  if (place === undefined) return [];
  const config = parseAppConfig(text, place.path);
  if (config.kind === 'finding') return [];
  const problems = repositoryProblems(config, await readFacts(place, config, helpers.ignored, signal));
  let found: Promise<readonly string[]> | undefined;
  // Without what can't be listed, a file can still be created.
  const sources = async (): Promise<readonly string[]> => (found ??= helpers.findSources(place).catch(() => []));
  return locateProblems(text, place.path, problems).map((finding) => ({
    diagnostic: diagnosticOf(document, finding),
    fixes: async (isAsked) => fixesOfMissing(document, place, finding, isAsked ? await sources() : []),
  }));
}

async function readFacts(
  place: ConfigPlace,
  config: AppConfig,
  questions: IgnoreQuestions,
  signal: AbortSignal,
): Promise<RepositoryFacts> {
  const { root, path: configPath, git } = place;
  const paths = graphPaths(config);
  const named = [...new Set(config.graphs.flatMap(({ file }) => file ?? []))];
  const ignored = git && questions.ask(git, [configPath, ...named]);
  const kinds = new Map(await Promise.all(paths.map(async (path) => [path, await kindOf(root, path)] as const)));
  const code = await readCode(config.graphs, async (path) => {
    signal.throwIfAborted();
    return kinds.get(path) === vscode.FileType.File ? readText(root, path, largestCode) : undefined;
  });
  const wanted = { file: vscode.FileType.File, folder: vscode.FileType.Directory };
  return {
    isAbsent: (path, kind) => kinds.get(path) !== wanted[kind],
    isRepository: place.repository !== undefined,
    ignored: (await ignored) ?? new Set(),
    // Git may fail where it has no objects, or take too long.
    unshared: await unsharedState(place, signal).catch(() => undefined),
    code,
    variables: await variablesOf(root, config),
    reservedNames: reservedSecretNames(),
  };
}

/** Whether the repository has a file's saved text, and its remote. Undefined if both do, as far as is known. */
async function unsharedState(
  { root, path, repository, git }: ConfigPlace,
  signal: AbortSignal,
): Promise<RepositoryFacts['unshared']> {
  if (repository === undefined || git === undefined) return undefined;
  const file = vscode.Uri.joinPath(root, path).toString();
  if (changedFiles(repository).some((uri) => uri.toString() === file)) return 'uncommitted';
  return (await isOnRemote(git.until(signal), path)) ? undefined : 'unpushed';
}

/** Links are followed, and lead to one of these kinds. */
async function kindOf(root: vscode.Uri, path: string): Promise<vscode.FileType | undefined> {
  return vscode.workspace.fs.stat(vscode.Uri.joinPath(root, path)).then(
    ({ type }) => (type & vscode.FileType.Directory ? vscode.FileType.Directory : vscode.FileType.File),
    () => undefined,
  );
}

async function variablesOf(root: vscode.Uri, { env }: AppConfig): Promise<readonly string[]> {
  if (env.kind === 'inline') return env.names;
  if (env.kind === 'none' || !env.insideRepository) return [];
  const text = await readText(root, env.path, longestDotenv);
  return parseDotenv(text ?? '').variables.map(({ name }) => name);
}

/** With unsaved changes. */
async function readText(root: vscode.Uri, path: string, limit: number): Promise<string | undefined> {
  const uri = vscode.Uri.joinPath(root, path);
  const changed = vscode.workspace.textDocuments.find((each) => each.isDirty && each.uri.toString() === uri.toString());
  return changed?.getText() ?? readFileText(uri, limit, root).catch(() => undefined);
}

/** Changes to a file that exists, the likeliest ones first, and the missing file itself with a place for the graph. */
function fixesOfMissing(
  document: vscode.TextDocument,
  place: ConfigPlace,
  finding: RepositoryProblem & ConfigFinding,
  sources: readonly string[],
): readonly ShownFix[] {
  const { missing } = finding;
  const { root, path } = place;
  if (missing === undefined) return [];
  const { file, attribute } = missing;
  const corrections = similarFiles(file, sources).flatMap((similar): readonly ShownFix[] => {
    const correction = leadTo(document.getText(), path, finding, similar);
    return correction === undefined
      ? []
      : [shownFix(document, { title: vscode.l10n.t('Change to {0}', correction.text), change: correction })];
  });
  const stub = stubOf(file, attribute);
  if (stub === undefined) return corrections;
  const edit = new vscode.WorkspaceEdit();
  const uri = vscode.Uri.joinPath(root, file);
  edit.createFile(uri, { ignoreIfExists: true });
  edit.insert(uri, new vscode.Position(0, 0), stub);
  return [...corrections, { title: vscode.l10n.t('Create {0}', file), edit }];
}

/** The text of a new file with a place for a graph. Undefined for a file of an unknown language. */
function stubOf(file: string, attribute: string): string | undefined {
  const language = sourceLanguage(file);
  if (language === undefined) return undefined;
  if (language === 'python') return `${attribute} = ...\n`;
  return attribute === 'default' ? 'export default undefined;\n' : `export const ${attribute} = undefined;\n`;
}
