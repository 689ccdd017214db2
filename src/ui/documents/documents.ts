import * as vscode from 'vscode';
import type { DetailsTarget } from '../../core/status/detailsWords.ts';
import { shortened } from '../../core/text/text.ts';
import type { DocumentSubject } from '../window/documentPlace.ts';
import { documentScheme, documentUri, parseDocumentUri, showDocument } from '../window/documentUri.ts';
import type { LogDocuments } from '../logs/logDocuments.ts';
import type { Parts } from '../parts.ts';
import type { Stores } from '../stores.ts';
import { commandLink } from '../window/commandIds.ts';
import { openDocument } from '../window/files.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';

/** The most texts to keep for documents; more than a user has open. */
const mostTexts = 20;

/** The URI of a document whose text is given. Its name ends in its language. */
function textDocumentUri(name: string, language: TextLanguage): vscode.Uri {
  const path = name
    .split('/')
    .map((part) => shortened(part).replaceAll(/[\\:]/g, '-'))
    .join('/');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${path}.${language}` });
}

type TextLanguage = 'jsonc' | 'yaml' | 'txt';

/** The read-only documents, as commands use them. */
export interface Documents extends vscode.Disposable {
  /** The documents of logs. */
  readonly logs: () => Promise<LogDocuments>;
  /** Requests the resources of all visible documents again. */
  readonly refresh: () => Promise<void>;
  /** Keeps a text as a read-only document for an editor. A text of the same name replaces it. */
  readonly keepText: (name: string, text: string, language: TextLanguage) => vscode.Uri;
  /** Shows a text as a document of its own. */
  readonly showText: (name: string, text: string, language?: TextLanguage) => Promise<void>;
}

/** Provides the documents and updates them when their resources change. */
export function registerDocuments(
  sources: Stores & { readonly workspaceDrift: WorkspaceDrift },
  { texts: load }: Pick<Parts, 'texts'>,
): Documents {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /**
   * The texts that are shown as they are, by URI. They are gone after a reload.
   * A text stays after its document is closed: VS Code reports that late, when a new text may have its name.
   */
  const texts = new Map<string, string>();
  const subscriptions: vscode.Disposable[] = [];
  const createDocuments = async () => {
    const { detailsOf, documentText, linksIn, updatedDocuments } = await load();
    const { documents, subscriptions: updates } = updatedDocuments(sources, {
      write: (subject, content) => documentText(subject, content, sources),
      onChange: (key) => changed.fire(vscode.Uri.parse(key, true)),
    });
    subscriptions.push(...updates);
    return { documents, detailsOf, linksIn };
  };
  /** The documents of resources, created with the first one. */
  let updated: ReturnType<typeof createDocuments> | undefined;
  const ofResources = (): ReturnType<typeof createDocuments> => (updated ??= createDocuments());
  let opened: Promise<LogDocuments> | undefined;
  const logs = (): Promise<LogDocuments> =>
    (opened ??= load().then(({ openLogs }) => {
      const documents = openLogs(sources, (uri) => changed.fire(uri));
      subscriptions.push(documents);
      return documents;
    }));
  const showVisible = async (): Promise<void> => {
    const keys = keysOf(vscode.window.visibleTextEditors);
    if (keys.size > 0 || updated !== undefined) await (await ofResources()).documents.setVisible(keys);
  };
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const text = texts.get(uri.toString());
      if (text !== undefined) return text;
      // The address of a resource has a query, that of a text doesn't.
      if (uri.query === '') return (await load()).goneText(uri);
      if (isLog(uri)) return (await logs()).read(uri);
      const subject = parseDocumentUri(uri);
      if (subject === undefined) return vscode.l10n.t("# This document can't be read: its address is incomplete.");
      return (await ofResources()).documents.read(uri.toString(), subject);
    },
  };
  const links: vscode.DocumentLinkProvider = {
    provideDocumentLinks: async (document) => {
      const subject = parseDocumentUri(document.uri);
      if (subject === undefined) return [];
      const { documents, detailsOf, linksIn } = await ofResources();
      const content = documents.contentOf(document.uri.toString());
      if (content === undefined) return [];
      const { lines } = detailsOf(subject, content, sources);
      return linksIn(document.getText(), lines).map(
        ({ line, start, end, to }) =>
          new vscode.DocumentLink(new vscode.Range(line, start, line, end), targetUri(subject, to)),
      );
    },
  };
  subscriptions.push(
    changed,
    vscode.window.onDidChangeVisibleTextEditors(() => void showVisible()),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      // VS Code closes and reopens a document when its language changes.
      if (uri.scheme !== documentScheme || openDocument(uri) !== undefined) return;
      void updated?.then(({ documents }) => documents.close(uri.toString()));
    }),
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, provider),
    vscode.languages.registerDocumentLinkProvider({ scheme: documentScheme }, links),
  );
  void showVisible();
  const keepText = (name: string, text: string, language: TextLanguage): vscode.Uri => {
    const uri = textDocumentUri(name, language);
    texts.delete(uri.toString());
    texts.set(uri.toString(), text);
    for (const oldest of texts.keys()) if (texts.size > mostTexts) texts.delete(oldest);
    changed.fire(uri);
    return uri;
  };
  return {
    logs,
    refresh: async () => (await updated)?.documents.refresh(),
    keepText,
    showText: async (name, text, language = 'jsonc') => {
      await showDocument(keepText(name, text, language), language === 'txt' ? 'plaintext' : language);
    },
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}

/** Where a line of a document leads. */
function targetUri({ connection, place }: DocumentSubject, to: DetailsTarget): vscode.Uri {
  const [deploymentId] = place.ids;
  switch (to.kind) {
    case 'page':
      return vscode.Uri.parse(to.url, true);
    case 'command': {
      const { id, revisionId } = to;
      const args = id === 'deployCurrentRepository' ? [] : [{ connection, deploymentId, revisionId }];
      return vscode.Uri.parse(commandLink(id, ...args), true);
    }
    case 'deployment':
      return documentUri({ connection, place: { kind: 'deployment', ids: [deploymentId] } }, to.title);
    case 'revision':
      return documentUri({ connection, place: { kind: 'revision', ids: [deploymentId, to.id] } }, to.title);
  }
}

function keysOf(editors: readonly vscode.TextEditor[]): ReadonlySet<string> {
  const uris = editors
    .map(({ document }) => document.uri)
    .filter((uri) => uri.scheme === documentScheme && !isLog(uri));
  return new Set(uris.map((uri) => uri.toString()));
}

/** The lines of a log aren't written from a resource. */
function isLog({ path }: vscode.Uri): boolean {
  return path.endsWith('.log');
}
