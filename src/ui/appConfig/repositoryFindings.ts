import * as vscode from 'vscode';
import { locateProblems, parseAppConfig } from '../../core/appConfig/appConfig.ts';
import type { AppConfig } from '../../core/appConfig/config.ts';
import { graphPaths } from '../../core/appConfig/graphFiles.ts';
import { resolveFromConfig } from '../../core/appConfig/paths.ts';
import {
  repositoryProblems,
  type RepositoryFacts,
  type RepositoryProblem,
} from '../../core/appConfig/repositoryProblems.ts';
import { longestDotenv, parseDotenv } from '../../core/secrets/dotenv.ts';
import { ignoredFiles } from '../../git/ignoredFiles.ts';
import { foldersOnDisk, relativePath } from '../window/files.ts';
import { readFileText } from '../window/fileText.ts';
import { reservedSecretNames } from '../window/settings.ts';
import { openGit, type GitApi } from '../workspace/gitExtension.ts';
import { gitIn } from '../workspace/isolatedGit.ts';
import { diagnosticOf, type ShownFinding } from './configFindings.ts';

/** In bytes. A larger file isn't searched for the definition of a graph. */
const largestCode = 1_000_000;

/** Where the config is, and git there. */
interface Place {
  readonly root: vscode.Uri;
  readonly path: string;
  readonly git: GitApi | undefined;
}

/** What is wrong with the files that a config names. Nothing outside of trusted folders on disk. */
export async function repositoryFindings(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<readonly ShownFinding[]> {
  const text = document.getText();
  const place = await placeOf(document.uri);
  if (place === undefined) return [];
  const config = parseAppConfig(text, place.path);
  if (config.kind === 'finding') return [];
  const problems = repositoryProblems(config, await readFacts(place, config, signal));
  return locateProblems(text, place.path, problems).map((finding) => ({
    diagnostic: diagnosticOf(document, finding),
    fixes: fixesOfMissing(place, finding),
  }));
}

/** The repository of a file, else its open folder. Without trust or for another file system, none. */
async function placeOf(file: vscode.Uri): Promise<Place | undefined> {
  if (!vscode.workspace.isTrusted || file.scheme !== 'file') return undefined;
  const git = await openGit().catch(() => undefined);
  const repositories = git?.repositories.map(({ rootUri }) => rootUri) ?? [];
  const folders = foldersOnDisk().map(({ uri }) => uri);
  const around = (roots: readonly vscode.Uri[]): vscode.Uri | undefined =>
    roots
      .filter((root) => relativePath(root, file) !== undefined)
      .toSorted((left, right) => right.path.length - left.path.length)[0];
  const repository = around(repositories);
  const root = repository ?? around(folders);
  const path = root && relativePath(root, file);
  return root && path !== undefined ? { root, path, git: repository && git } : undefined;
}

async function readFacts({ root, git }: Place, config: AppConfig, signal: AbortSignal): Promise<RepositoryFacts> {
  const paths = graphPaths(config);
  const kinds = new Map(await Promise.all(paths.map(async (path) => [path, await kindOf(root, path)] as const)));
  const files = [...new Set(config.graphs.flatMap(({ file }) => file ?? []))].filter(
    (path) => kinds.get(path) === vscode.FileType.File,
  );
  signal.throwIfAborted();
  const ignored = git && (await ignoredFiles(gitIn(git, root).until(signal), files));
  const code = new Map<string, string>();
  for (const path of files) {
    const text = await readText(root, path, largestCode);
    if (text !== undefined) code.set(path, text);
    signal.throwIfAborted();
  }
  const wanted = { file: vscode.FileType.File, folder: vscode.FileType.Directory };
  return {
    isAbsent: (path, kind) => kinds.get(path) !== wanted[kind],
    ignored: ignored ?? new Set(),
    code,
    variables: await variablesOf(root, config),
    reservedNames: reservedSecretNames(),
  };
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

async function readText(root: vscode.Uri, path: string, limit: number): Promise<string | undefined> {
  return readFileText(vscode.Uri.joinPath(root, path), limit, root).catch(() => undefined);
}

/** Creates the missing file of a graph, with a place for the graph. */
function fixesOfMissing({ root }: Place, { missing }: RepositoryProblem): ShownFinding['fixes'] {
  if (missing === undefined || resolveFromConfig('', missing.file) === undefined) return [];
  const { file, attribute } = missing;
  const stub = /\.py$/i.test(file) ? `${attribute} = ...\n` : `export const ${attribute} = undefined;\n`;
  const edit = new vscode.WorkspaceEdit();
  const uri = vscode.Uri.joinPath(root, file);
  edit.createFile(uri, { ignoreIfExists: true });
  edit.insert(uri, new vscode.Position(0, 0), stub);
  return [{ title: vscode.l10n.t('Create {0}', file), edit }];
}
