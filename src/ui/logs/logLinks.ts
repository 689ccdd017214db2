import * as vscode from 'vscode';
import { namedLines } from '../../core/logs/fileNames.ts';
import type { LogSubject } from '../../core/logs/logSubject.ts';
import type { Stores } from '../stores.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { logOf } from './logUri.ts';

interface LinkSources extends Pick<Stores, 'answers' | 'log'> {
  readonly workspaceDrift: Pick<WorkspaceDrift, 'repositoryOf'>;
}

/** More would hold up a slow file system. */
const mostFiles = 200;

/**
 * Makes links of the files and lines that a log names, if they are in an open folder and of the deployment's repository.
 * In Restricted Mode there are none, because finding them reads the folder.
 */
export function logLinks(sources: LinkSources): vscode.DocumentLinkProvider {
  return {
    provideDocumentLinks: async (document, cancelled) => {
      const subject = logOf(document.uri);
      if (subject === undefined || !vscode.workspace.isTrusted) return [];
      const { roots, configPath } = await placesOf(subject, sources);
      if (roots.length === 0) return [];
      const names = namedLines(document.getText(), configPath);
      const paths = [...new Set(names.flatMap((name) => name.paths))].slice(0, mostFiles);
      const found = new Map<string, vscode.Uri>();
      await Promise.all(
        paths.map(async (path) => {
          const file = cancelled.isCancellationRequested ? undefined : await existingFile(roots, path);
          if (file !== undefined) found.set(path, file);
        }),
      );
      return names.flatMap(({ start, end, paths: meant, line }) => {
        const file = meant.map((path) => found.get(path)).find((uri) => uri !== undefined);
        if (file === undefined) return [];
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        return [new vscode.DocumentLink(range, file.with({ fragment: `L${line}` }))];
      });
    },
  };
}

/** Where the files of a log's deployment are: in its open repository, or in the open folders if it has none. */
async function placesOf(
  { connection, deploymentId }: LogSubject,
  { answers, workspaceDrift, log }: LinkSources,
): Promise<{ readonly roots: readonly vscode.Uri[]; readonly configPath: string | undefined }> {
  const record = answers.record(connection, deploymentId);
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
  if (record?.source_config?.repo_url === undefined) return { roots: folders, configPath: undefined };
  const repository = await workspaceDrift.repositoryOf(record).catch((error: unknown) => {
    log.debug('The repository of a log.', error);
    return undefined;
  });
  const roots = repository === undefined ? [] : [repository.rootUri];
  return { roots, configPath: record.source_revision_config?.graph_config_path };
}

async function existingFile(roots: readonly vscode.Uri[], path: string): Promise<vscode.Uri | undefined> {
  for (const root of roots) {
    const uri = vscode.Uri.joinPath(root, path);
    // A repository may be larger than what is open of it.
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) continue;
    const { type } = await vscode.workspace.fs.stat(uri).then(
      (stat) => stat,
      () => ({ type: vscode.FileType.Unknown }),
    );
    if (type === vscode.FileType.File) return uri;
  }
  return undefined;
}
