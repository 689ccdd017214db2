import * as vscode from 'vscode';
import { isInSkippedFolder } from '../../core/appConfig/paths.ts';
import { foldersOnDisk } from '../window/files.ts';

const setting = 'appConfig.patterns';

/** All files below a folder with the name of a config file, even those that `files.exclude` hides. */
export async function searchConfigFiles(root: vscode.Uri): Promise<readonly vscode.Uri[]> {
  // With a pattern of our own instead of null, VS Code would leave out the hidden files as well.
  const found = await Promise.all(
    patternsIn(root).map((pattern) => vscode.workspace.findFiles(new vscode.RelativePattern(root, pattern), null)),
  );
  return found.flat().filter((file) => !isSkipped(root, file));
}

function isSkipped(root: vscode.Uri, file: vscode.Uri): boolean {
  return isInSkippedFolder(file.path.slice(root.path.length + 1));
}

/**
 * Lists the application config files of the open folders, for the menus of files: those with the usual names, and the
 * one in the active editor. Searches once, then watches. Lists nothing where nothing can be deployed.
 */
export class ConfigFileList {
  readonly #report: (files: readonly vscode.Uri[]) => void;
  readonly #subscription: vscode.Disposable;
  #watchers = vscode.Disposable.from();
  #named = new Map<string, vscode.Uri>();
  #active: vscode.Uri | undefined;
  #searching: Promise<unknown> | undefined;

  constructor(report: (files: readonly vscode.Uri[]) => void) {
    this.#report = report;
    const search = (): void => void this.#search();
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(search),
      vscode.workspace.onDidChangeWorkspaceFolders(search),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`deploymentManager.${setting}`)) search();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => void this.#look()),
      vscode.workspace.onDidSaveTextDocument(() => void this.#look()),
    );
    search();
    void this.#look();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#watchers.dispose();
  }

  async #search(): Promise<void> {
    this.#watchers.dispose();
    const folders = vscode.workspace.isTrusted ? foldersOnDisk() : [];
    this.#named = new Map();
    this.#watchers = vscode.Disposable.from(
      ...folders.flatMap(({ uri }) => patternsIn(uri).map((pattern) => this.#watch(uri, pattern))),
    );
    const searching = Promise.all(folders.map(async ({ uri }) => searchConfigFiles(uri)));
    this.#searching = searching;
    const found = await searching;
    // The folders may have changed meanwhile.
    if (this.#searching !== searching) return;
    for (const file of found.flat()) this.#named.set(file.toString(), file);
    this.#tell();
  }

  #watch(folder: vscode.Uri, pattern: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, pattern),
      false,
      true,
      false,
    );
    watcher.onDidCreate((file) => {
      if (isSkipped(folder, file)) return;
      this.#named.set(file.toString(), file);
      this.#tell();
    });
    watcher.onDidDelete((file) => {
      if (this.#named.delete(file.toString())) this.#tell();
    });
    return watcher;
  }

  /** Looks whether the active editor shows a config file under another name. */
  async #look(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const isConfig = document !== undefined && (await isConfigFile(document));
    if (document !== vscode.window.activeTextEditor?.document) return;
    this.#active = isConfig ? document.uri : undefined;
    this.#tell();
  }

  #tell(): void {
    const active = this.#active;
    this.#report([
      ...this.#named.values(),
      ...(active === undefined || this.#named.has(active.toString()) ? [] : [active]),
    ]);
  }
}

async function isConfigFile(document: vscode.TextDocument): Promise<boolean> {
  if (!vscode.workspace.isTrusted || document.uri.scheme !== 'file') return false;
  const text = document.getText();
  if (!text.includes('graphs')) return false;
  // Loaded with the first such file, because it brings a YAML parser.
  const { hasGraphs } = await import('../../core/appConfig/appConfig.ts');
  return hasGraphs(text, document.uri.path);
}

/** The patterns of config files in a folder, from the settings. */
function patternsIn(folder: vscode.Uri): readonly string[] {
  return vscode.workspace.getConfiguration('deploymentManager', folder).get<readonly string[]>(setting, []);
}
