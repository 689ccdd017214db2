import * as vscode from 'vscode';
import type { Parts } from '../../parts.ts';
import type { Services } from '../../services.ts';
import { specPattern } from '../../window/specNames.ts';
import { isOpenAsText, tabsOf } from '../../window/tabs.ts';
import { watchGit } from '../../workspace/gitExtension.ts';
import type { PageChecks } from './pageChecks.ts';

/** The deployment files of the user, and drafts. */
export const deploymentFiles = { pattern: specPattern('deployment-spec'), scheme: 'file' };

/** The pause after a change before the files are checked, in milliseconds. */
const changePause = 300;

/** Checks the deployment files that are open as text as pages check theirs, except those with a page in front. */
export function checkTexts(services: Services, commands: Parts['commands']): vscode.Disposable {
  const { answers, clock, connections, deploymentPages, localService, log } = services;
  const known = new Map<vscode.TextDocument, PageChecks>();
  let watched: vscode.Disposable | undefined;
  let pause: { dispose(): void } | undefined;
  const logFailure = (error: unknown): void => log.error("Deployment files can't be checked.", error);

  const checkAfter = (delay: number): void => {
    pause?.dispose();
    pause = clock.schedule(() => {
      for (const checks of known.values()) checks.check().catch(logFailure);
    }, delay);
  };
  const readFilesAgain = (): void => {
    for (const checks of known.values()) checks.facts.forgetCopies();
    checkAfter(changePause);
  };
  const askAgain = (): void => {
    for (const checks of known.values()) checks.facts.forget();
    checkAfter(0);
  };

  /** Drafts belong to their pages, and a page that is in front marks its file in text editors, too. */
  const isShown = (document: vscode.TextDocument): boolean =>
    vscode.workspace.isTrusted &&
    vscode.languages.match(deploymentFiles, document) > 0 &&
    !deploymentPages.isDraft(document.uri) &&
    isOpenAsText(document.uri) &&
    !tabsOf(document.uri).some(({ input, isActive }) => isActive && input instanceof vscode.TabInputCustom);
  const shown = () => vscode.workspace.textDocuments.filter(isShown);

  const updateShown = async (): Promise<void> => {
    if (shown().length + known.size === 0) return;
    const { PageChecks } = await commands();
    const documents = new Set(shown());
    for (const [document, checks] of known) {
      if (documents.delete(document)) continue;
      checks.dispose();
      known.delete(document);
    }
    for (const document of documents) {
      const checks = new PageChecks({
        document,
        services,
        typed: new Map(),
        begun: undefined,
        lock: '',
        isQuiet: true,
        set: () => Promise.resolve(),
        tell: () => undefined,
      });
      known.set(document, checks);
      checkAfter(0);
    }
    watched ??= watchGit(readFilesAgain);
  };
  const update = (): void => void updateShown().catch(logFailure);
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(update),
    vscode.window.tabGroups.onDidChangeTabs(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || !known.has(document)) return;
      known.get(document)?.read();
      checkAfter(changePause);
    }),
    // Other files may be named by one of these, or be deployed with it.
    vscode.workspace.onDidSaveTextDocument(readFilesAgain),
    connections.onDidChange(askAgain),
    answers.onDidChange((change) => {
      const outdated = [...known.values()].filter((checks) => checks.facts.forgetOutdated(checks.known, change));
      if (outdated.length > 0) checkAfter(changePause);
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
