import * as vscode from 'vscode';
import type { Parts } from '../../parts.ts';
import type { Services } from '../../services.ts';
import { relativePath } from '../../window/files.ts';
import { specName, specPattern } from '../../window/specNames.ts';
import { isOpenAsText, tabsOf } from '../../window/tabs.ts';
import { watchGit } from '../../workspace/gitExtension.ts';
import type { FileChecks } from './fileChecks.ts';

/** The deployment files of the user, and drafts. */
export const deploymentFiles = { pattern: specPattern('deployment-spec'), scheme: 'file' };

/** The pause after a change before the files are checked, in milliseconds. */
const changePause = 300;

/** How many files without a tab are checked. */
const mostClosed = 20;

/**
 * Checks the deployment files that were opened in this window as pages check theirs, also after they are closed, except
 * those that their pages mark.
 */
export function checkTexts(services: Services, commands: Parts['commands']): vscode.Disposable {
  const { answers, clock, connections, deploymentPages, localService, log } = services;
  /** The files that were opened, by their URIs; those that were open last at the end. */
  const seen = new Map<string, vscode.Uri>();
  const known = new Map<string, FileChecks>();
  const due = new Set<FileChecks>();
  let watched: vscode.Disposable | undefined;
  let pause: { dispose(): void } | undefined;
  const logFailure = (error: unknown): void => log.error("Deployment files can't be checked.", error);

  const checkAfter = (delay: number, files: Iterable<FileChecks>): void => {
    for (const each of files) due.add(each);
    pause?.dispose();
    pause = clock.schedule(() => {
      for (const each of due) each.check().catch(logFailure);
      due.clear();
    }, delay);
  };
  const checkFile = (checks: FileChecks | undefined): void => {
    if (checks !== undefined) checkAfter(changePause, [checks]);
  };
  const readFilesAgain = (): void => {
    for (const checks of known.values()) checks.forgetCopies();
    checkAfter(changePause, known.values());
  };
  const askAgain = (): void => {
    for (const checks of known.values()) checks.forget();
    checkAfter(0, known.values());
  };

  /** Drafts belong to their pages. */
  const note = (uri: vscode.Uri): void => {
    const isOurs = uri.scheme === 'file' && specName('deployment-spec', uri.path) !== undefined;
    if (!isOurs || deploymentPages.isDraft(uri)) return;
    seen.delete(uri.toString());
    seen.set(uri.toString(), uri);
  };
  const noteOpen = (): void => {
    for (const { uri } of vscode.workspace.textDocuments) if (tabsOf(uri).length > 0) note(uri);
    const closed = [...seen].filter(([, uri]) => tabsOf(uri).length === 0);
    for (const [key] of closed.slice(0, -mostClosed)) seen.delete(key);
  };
  /** A page marks its file, also in text editors while it is in front. */
  const hasPage = (uri: vscode.Uri): boolean =>
    tabsOf(uri).some(
      ({ input, isActive }) => input instanceof vscode.TabInputCustom && (isActive || !isOpenAsText(uri)),
    );
  const shown = () => (vscode.workspace.isTrusted ? [...seen].filter(([, uri]) => !hasPage(uri)) : []);

  const updateShown = async (): Promise<void> => {
    noteOpen();
    if (shown().length + known.size === 0) return;
    const { FileChecks } = await commands();
    const files = new Map(shown());
    for (const [key, checks] of known) {
      if (!files.delete(key)) {
        checks.dispose();
        known.delete(key);
        due.delete(checks);
      } else if (checks.noteTabs()) checkFile(checks);
    }
    for (const [key, uri] of files) {
      const checks: FileChecks = new FileChecks(uri, services, () => checkFile(checks));
      known.set(key, checks);
      checkAfter(0, [checks]);
    }
    watched ??= watchGit(readFilesAgain);
  };
  const update = (): void => void updateShown().catch(logFailure);
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(update),
    vscode.window.tabGroups.onDidChangeTabs(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    vscode.workspace.onDidOpenTextDocument(update),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const checks = known.get(document.uri.toString());
      if (contentChanges.length > 0) checks?.read();
      if (contentChanges.length > 0) checkFile(checks);
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      const before = [...seen.values()];
      for (const uri of before) {
        const renamed = files.find(({ oldUri }) => isAtOrBelow(oldUri, uri));
        if (renamed === undefined) continue;
        seen.delete(uri.toString());
        note(vscode.Uri.joinPath(renamed.newUri, relativePath(renamed.oldUri, uri) ?? ''));
      }
      update();
    }),
    // A window without the folder shows no files of it.
    vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
      for (const [key, uri] of seen) if (removed.some((folder) => isAtOrBelow(folder.uri, uri))) seen.delete(key);
      update();
    }),
    // Other files may be named by one of these, or be deployed with it.
    vscode.workspace.onDidSaveTextDocument(readFilesAgain),
    connections.onDidChange(askAgain),
    answers.onDidChange((change) => {
      const outdated = [...known.values()].filter((checks) => checks.forgetOutdated(change));
      if (outdated.length > 0) checkAfter(changePause, outdated);
    }),
    localService.onDidChange(askAgain),
    {
      dispose: () => {
        pause?.dispose();
        for (const checks of known.values()) checks.dispose();
        watched?.dispose();
      },
    },
  );
}

function isAtOrBelow(place: vscode.Uri, file: vscode.Uri): boolean {
  return place.toString() === file.toString() || relativePath(place, file) !== undefined;
}
