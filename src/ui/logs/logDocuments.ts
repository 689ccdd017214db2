import * as vscode from 'vscode';
import { firstErrorLine, logDocumentLines, OLDER_LINE } from '../../core/logs/logText.ts';
import type { LogSubject } from '../../core/logs/logSubject.ts';
import { FollowedLog } from '../../state/logs/followedLog.ts';
import { askForLog, knownSecrets, logEndedAt, logStatus } from '../../state/logs/logSources.ts';
import type { Stores } from '../stores.ts';
import { fullId } from '../window/commandIds.ts';
import { documentScheme } from '../window/documentUri.ts';
import { messageOf, requestIdOf } from '../window/errors.ts';
import { openDocument } from '../window/files.ts';
import { followSettings } from '../window/settings.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { editLog } from './logEditing.ts';
import { logLinks } from './logLinks.ts';
import { logOf } from './logUri.ts';

export interface LogStores extends Stores {
  readonly workspaceDrift: WorkspaceDrift;
}

/** The open documents of logs. */
export interface LogDocuments extends vscode.Disposable {
  /** The text of a document, with the newest lines. */
  readonly read: (uri: vscode.Uri) => Promise<string>;
  readonly loadOlder: (uri: vscode.Uri) => Promise<void>;
  /** The line of the first error, counted from 0, once an open document has the newest lines. */
  readonly firstErrorLine: (uri: vscode.Uri) => Promise<number | undefined>;
}

interface OpenLog {
  readonly uri: vscode.Uri;
  readonly subject: LogSubject;
  readonly log: FollowedLog;
  /** The edits under way, because each one begins with the text that the one before it leaves. */
  editing: Promise<void>;
}

/**
 * Creates the documents of logs, which follow while a focused window shows them.
 * @param replaceText has VS Code read the text of a document again
 */
export function openLogs(stores: LogStores, replaceText: (uri: vscode.Uri) => void): LogDocuments {
  const { connections, answers, poller, clock, scheduler, secrets, log: extensionLog } = stores;
  const open = new Map<string, OpenLog>();
  const lensesChanged = new vscode.EventEmitter<void>();
  let known: Promise<readonly string[]> | undefined;
  const linesOf = ({ subject, log }: OpenLog): readonly string[] =>
    logDocumentLines(subject, log.log, {
      asOf: log.asOf,
      error: log.error === undefined ? undefined : messageOf(log.error) + requestIdOf(log.error),
      ended: log.isGrowing ? undefined : logStatus(subject, answers),
      hasOlder: log.hasOlder,
    });
  const edit = async (each: OpenLog): Promise<void> => {
    const document = openDocument(each.uri);
    if (document !== undefined && !(await editLog(document, linesOf(each)))) replaceText(each.uri);
  };
  const write = (each: OpenLog): void => {
    lensesChanged.fire();
    each.editing = each.editing
      .then(() => edit(each))
      .catch((error: unknown) => extensionLog.error("A log's document.", error));
  };
  const opened = (uri: vscode.Uri, subject: LogSubject): OpenLog => {
    const key = uri.toString();
    const found = open.get(key);
    if (found !== undefined) return found;
    const log = new FollowedLog(subject.filter, {
      ask: (query, signal) => askForLog(subject, query, stores, signal),
      endedAt: () => logEndedAt(subject, answers, clock),
      secrets: async () => {
        known ??= knownSecrets(secrets);
        // The keyring may respond the next time.
        known.catch(() => (known = undefined));
        return known;
      },
      clock,
      scheduler,
      slowest: () => followSettings().maxMilliseconds,
      onChange: () => write(each),
    });
    const each: OpenLog = { uri, subject, log, editing: Promise.resolve() };
    open.set(key, each);
    showVisible();
    return each;
  };
  const showVisible = (): void => {
    const shown = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    const visible = [...open].filter(([key]) => shown.has(key)).map(([, each]) => each);
    for (const each of open.values()) each.log.setVisible(visible.includes(each));
    // Whether a build goes on decides whether its log is asked for.
    poller.setShown(
      visible.flatMap(({ subject }) => (subject.type === 'build' ? [subject] : [])),
      'logs',
    );
  };
  const forget = (uri: vscode.Uri): void => {
    const key = uri.toString();
    if (openDocument(uri) !== undefined) return;
    open.get(key)?.log.dispose();
    open.delete(key);
    showVisible();
  };
  const restart = (isMeant: (each: OpenLog) => boolean): void => {
    for (const each of open.values()) if (isMeant(each)) each.log.restart();
  };
  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensesChanged.event,
    provideCodeLenses: ({ uri }) => {
      if (open.get(uri.toString())?.log.hasOlder !== true) return [];
      const title = vscode.l10n.t('Load Older Lines');
      const command = { title, command: fullId('loadOlderLines'), arguments: [uri.toString()] };
      return [new vscode.CodeLens(new vscode.Range(OLDER_LINE, 0, OLDER_LINE, 0), command)];
    },
  };
  const selector: vscode.DocumentSelector = { scheme: documentScheme, language: 'log' };
  const subscriptions = vscode.Disposable.from(
    lensesChanged,
    vscode.window.onDidChangeVisibleTextEditors(showVisible),
    // VS Code closes and reopens a document when its language changes.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => forget(uri)),
    vscode.languages.registerCodeLensProvider(selector, lenses),
    vscode.languages.registerDocumentLinkProvider(selector, logLinks(stores)),
    answers.onDidChange(({ connection, deploymentIds }) => {
      for (const each of open.values()) {
        const { subject } = each;
        if (subject.connection === connection && deploymentIds.has(subject.deploymentId)) write(each);
      }
      scheduler.schedule();
    }),
    answers.onDidDrop((connection) => restart(({ subject }) => subject.connection === connection)),
    connections.onDidChange(() => {
      for (const { log } of open.values()) log.retry();
    }),
    secrets.onDidChange(() => {
      known = undefined;
      restart(() => true);
    }),
  );
  return {
    read: async (uri) => {
      const subject = logOf(uri);
      if (subject === undefined) return vscode.l10n.t("This log can't be shown: its address is incomplete.");
      const each = opened(uri, subject);
      await each.log.open();
      return linesOf(each).join('\n');
    },
    loadOlder: async (uri) => open.get(uri.toString())?.log.loadOlder(),
    firstErrorLine: async (uri) => {
      const each = open.get(uri.toString());
      await each?.log.open();
      await each?.editing;
      return each && firstErrorLine(each.log.log);
    },
    dispose: () => {
      subscriptions.dispose();
      for (const { log } of open.values()) log.dispose();
      open.clear();
    },
  };
}
