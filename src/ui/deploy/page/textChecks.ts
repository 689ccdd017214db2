import * as vscode from 'vscode';
import { TypedSecrets } from '../../../state/deploying/typedSecrets.ts';
import type { Parts } from '../../parts.ts';
import type { Services } from '../../services.ts';
import { specName, specPattern } from '../../window/specNames.ts';
import { isOpenAsText, tabsOf } from '../../window/tabs.ts';
import { watchGit } from '../../workspace/gitExtension.ts';
import type { PageFacts } from './checkDeployment.ts';
import type { FileChecks } from './fileChecks.ts';
import { changePause } from './pageContext.ts';

/** The deployment files of the user, and drafts. */
export const deploymentFiles = { pattern: specPattern('deployment-spec'), scheme: 'file' };

/** How many files without a tab are checked. */
const mostClosed = 20;

/**
 * Checks the deployment files that were opened in this window as pages check theirs, also after they are closed, except
 * those that their pages mark.
 */
export function checkTexts(services: Services, commands: Parts['commands']): vscode.Disposable {
  const { answers, clock, connections, deploymentPages, fileMarks, localService, log, views } = services;
  /** The files that were opened, by their URIs; those that were open last at the end. */
  const seen = new Map<string, vscode.Uri>();
  const known = new Map<string, FileChecks>();
  const due = new Set<FileChecks>();
  let facts: PageFacts | undefined;
  let watched: vscode.Disposable | undefined;
  let pause: { dispose(): void } | undefined;
  const logFailure = (error: unknown): void => log.error("Deployment files can't be checked.", error);

  /** One after another, so that what is found out for one counts for the next. Those with a tab have findings to show. */
  const checkDue = async (): Promise<void> => {
    const files = [...due].toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
    due.clear();
    for (const each of files) await each.check().catch(logFailure);
  };
  const checkAfter = (delay: number, files: Iterable<FileChecks> = known.values()): void => {
    for (const each of files) due.add(each);
    pause?.dispose();
    pause = clock.schedule(() => void checkDue(), delay);
  };
  const checkFile = (checks: FileChecks): void => checkAfter(changePause, [checks]);
  /** Git has many events, so that a file without a tab is checked only if it changed itself, or if all are meant. */
  const readFilesAgain = (areAllMeant = false): void => {
    facts?.forgetCopies();
    const files = [...known.values()];
    checkAfter(
      changePause,
      files.filter(({ isOpen }) => isOpen || areAllMeant),
    );
    const checkChanged = async (each: FileChecks): Promise<void> => {
      if (await each.hasChanged()) checkFile(each);
    };
    for (const each of files) checkChanged(each).catch(logFailure);
  };
  const askAgain = (): void => {
    facts?.forget();
    checkAfter(0);
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
    for (const key of fileMarks.keys()) if (!seen.has(key) && fileMarks.delete(key)) views.deployments.redraw();
  };
  const noteRenamed = ({ files }: vscode.FileRenameEvent): void => {
    for (const { oldUri, newUri } of files) {
      const renamed = [...seen].filter(([, { path }]) => `${path}/`.startsWith(`${oldUri.path}/`));
      for (const [key, uri] of renamed) {
        seen.delete(key);
        note(uri.with({ path: newUri.path + uri.path.slice(oldUri.path.length) }));
      }
    }
    update();
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
    const { FileChecks, PageFacts } = await commands();
    const shared = (facts ??= new PageFacts(services, new TypedSecrets(services.clock), () => undefined));
    const files = new Map(shown());
    for (const [key, checks] of known) {
      if (!files.delete(key)) {
        checks.dispose();
        known.delete(key);
        due.delete(checks);
      } else if (checks.noteTabs()) checkFile(checks);
    }
    for (const [key, uri] of files) {
      const checks: FileChecks = new FileChecks(uri, services, shared, () => checkFile(checks));
      known.set(key, checks);
      checkAfter(0, [checks]);
    }
    watched ??= vscode.Disposable.from(
      watchGit(() => readFilesAgain()),
      watchGit(() => readFilesAgain(true), 'HEAD'),
    );
  };
  const update = (): void => void updateShown().catch(logFailure);
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(update),
    vscode.window.tabGroups.onDidChangeTabs(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    vscode.workspace.onDidOpenTextDocument(update),
    vscode.workspace.onDidRenameFiles(noteRenamed),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const checks = known.get(document.uri.toString());
      if (contentChanges.length === 0 || checks === undefined) return;
      checks.read();
      checkFile(checks);
    }),
    // Other files may be named by one of these, or be deployed with it. Pages save drafts all the time.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (!deploymentPages.isDraft(uri)) readFilesAgain(specName('resource-spec', uri.path) !== undefined);
    }),
    connections.onDidChange(askAgain),
    answers.onDidChange((change) => {
      const all = [...known.values()].flatMap((checks) => checks.known);
      if (facts?.forgetOutdated(all, change) === true) checkAfter(changePause);
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
