import * as vscode from 'vscode';
import type { DetailsTarget } from '../../core/status/detailsWords.ts';
import { shortened } from '../../core/text/text.ts';
import type { Deployments, DeploymentsChange } from '../../state/lists/deployments.ts';
import type { OpenBranch } from './documentDetails.ts';
import {
  askForResource,
  knownResource,
  parsePlace,
  type DocumentPlace,
  type DocumentResource,
  type DocumentStores,
  type DocumentSubject,
} from './documentResources.ts';
import { OpenDocuments } from './openDocuments.ts';

const documentScheme = 'deployment-manager';

/** The most texts to keep for documents; more than a user has open. */
const mostTexts = 20;

/**
 * The URI of a resource's document, with the title for its tab.
 * The path ends in `.yaml`, so the editor treats it as YAML.
 */
export function documentUri({ connection, place }: DocumentSubject, title: string): vscode.Uri {
  const query = JSON.stringify({ connection, kind: place.kind, ids: place.ids });
  const path = [connection, title].map((part) => shortened(part).replaceAll(/[\\/:]/g, '-')).join('/');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${path}.yaml`, query });
}

/** Parses a document URI as untrusted input, because it may be typed, restored or shared. */
export function parseDocumentUri(uri: vscode.Uri): DocumentSubject | undefined {
  try {
    const query: unknown = JSON.parse(uri.query);
    if (typeof query !== 'object' || query === null) return undefined;
    if (!('connection' in query) || !('kind' in query) || !('ids' in query)) return undefined;
    const { connection } = query;
    const place = parsePlace(query.kind, query.ids);
    return typeof connection !== 'string' || place === undefined ? undefined : { connection, place };
  } catch {
    return undefined;
  }
}

/** The URI of a document whose text is given. Its name ends in its language. */
function textDocumentUri(name: string, language: TextLanguage): vscode.Uri {
  const path = name
    .split('/')
    .map((part) => shortened(part).replaceAll(/[\\:]/g, '-'))
    .join('/');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${path}.${language}` });
}

/** What a document says whose text is gone since the window was reloaded. */
function goneText({ path }: vscode.Uri): string {
  const isRequest = path.endsWith('.jsonc');
  const name = path.slice(1, path.lastIndexOf('.')).replaceAll(/\p{Cc}/gu, ' ');
  if (path.endsWith('.txt')) {
    return vscode.l10n.t('"{0}" was shown before the window reloaded. Run its command again to see it.', name);
  }
  const lines = isRequest
    ? [
        vscode.l10n.t('The request "{0}" was shown before the window reloaded. Requests aren\'t kept.', name),
        vscode.l10n.t(
          'To see it again, open the review, for example with "Create Deployment…", and select "Show Request".',
        ),
      ]
    : [vscode.l10n.t('"{0}" was shown before the window reloaded. Answers aren\'t kept.', name)];
  return lines.map((line) => `${isRequest ? '//' : '#'} ${line}\n`).join('');
}

type TextLanguage = 'jsonc' | 'yaml' | 'txt';

/** Opens a document as a preview, which the next one replaces. */
export async function showDocument(uri: vscode.Uri, language = 'yaml'): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, language), {
    preview: true,
  });
}

/** The read-only documents, as commands use them. */
export interface Documents extends vscode.Disposable {
  /** Requests the resources of all visible documents again. */
  readonly refresh: () => Promise<void>;
  /** Keeps a text as a read-only document for an editor. A text of the same name replaces it. */
  readonly keepText: (name: string, text: string, language: TextLanguage) => vscode.Uri;
  /** Shows a text as a document of its own. */
  readonly showText: (name: string, text: string, language?: TextLanguage) => Promise<void>;
}

/** Provides the documents and updates them when their resources change. */
export function registerDocuments(sources: DocumentStores & { readonly workspaceDrift: OpenBranch }): Documents {
  const { connections, deployments, listeners, repositories, agents, poller, clock, workspaceDrift } = sources;
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /**
   * The texts that are shown as they are, by URI. They are gone after a reload.
   * A text stays after its document is closed: VS Code reports that late, when a new text may have its name.
   */
  const texts = new Map<string, string>();
  const isHere = ({ connection }: DocumentSubject): boolean => {
    const { session } = connections;
    return session.kind !== 'none' && session.connection.name === connection;
  };
  const documents = new OpenDocuments<DocumentResource>({
    find: (subject) => (isHere(subject) ? knownResource(subject.place, sources) : undefined),
    ask: async ({ connection, place }, signal) =>
      askForResource(place, await connections.clientNamed(connection), { signal }),
    loadWriter: async () => {
      const { documentText } = await import('./documentText.ts');
      return (subject, content) => documentText(subject, content, sources);
    },
    now: () => clock.now(),
    onChange: (key) => changed.fire(vscode.Uri.parse(key, true)),
    onShow: (shown) => poller.setShown(shown),
  });
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const text = texts.get(uri.toString());
      if (text !== undefined) return text;
      // The address of a resource has a query, that of a text doesn't.
      if (uri.query === '') return goneText(uri);
      const subject = parseDocumentUri(uri);
      if (subject === undefined) return vscode.l10n.t("# This document can't be read: its address is incomplete.");
      return documents.read(uri.toString(), subject);
    },
  };
  const links: vscode.DocumentLinkProvider = {
    provideDocumentLinks: async (document) => {
      const subject = parseDocumentUri(document.uri);
      const content = documents.contentOf(document.uri.toString());
      if (subject === undefined || content === undefined) return [];
      const { documentLinks } = await import('./documentText.ts');
      return documentLinks(document.getText(), subject, content, sources).map(
        ({ line, start, end, to }) =>
          new vscode.DocumentLink(new vscode.Range(line, start, line, end), targetUri(subject, to)),
      );
    },
  };
  const updateKinds = (...kinds: readonly DocumentPlace['kind'][]): void =>
    void documents.update(({ place }) => kinds.includes(place.kind));
  const subscriptions = vscode.Disposable.from(
    changed,
    deployments.onDidChange((change) => void takeUp(change, deployments, documents, isHere)),
    workspaceDrift.onDidChange((id) => void documents.update(({ place }) => place.ids[0] === id)),
    listeners.onDidChange(() => updateKinds('listener')),
    repositories.onDidChange(() => updateKinds('installation', 'repository')),
    agents.onDidChange(() => updateKinds('agentConnection')),
    poller.onDidFail((failure) => void documents.fail(failure, failure.error)),
    // The service may have been restarted, or the key set.
    connections.onDidChange(() => void documents.retry()),
    vscode.window.onDidChangeVisibleTextEditors((editors) => void documents.setVisible(keysOf(editors))),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      // VS Code closes and reopens a document when its language changes.
      if (uri.scheme === documentScheme && !isOpen(uri)) documents.close(uri.toString());
    }),
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, provider),
    vscode.languages.registerDocumentLinkProvider({ scheme: documentScheme }, links),
    documents,
  );
  void documents.setVisible(keysOf(vscode.window.visibleTextEditors));
  const keepText = (name: string, text: string, language: TextLanguage): vscode.Uri => {
    const uri = textDocumentUri(name, language);
    texts.delete(uri.toString());
    texts.set(uri.toString(), text);
    for (const oldest of texts.keys()) if (texts.size > mostTexts) texts.delete(oldest);
    changed.fire(uri);
    return uri;
  };
  return {
    refresh: () => documents.refresh(),
    keepText,
    showText: async (name, text, language = 'jsonc') => {
      await showDocument(keepText(name, text, language), language === 'txt' ? 'plaintext' : language);
    },
    dispose: () => subscriptions.dispose(),
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
      return vscode.Uri.parse(`command:deploymentManager.${id}?${encodeURIComponent(JSON.stringify(args))}`, true);
    }
    case 'deployment':
      return documentUri({ connection, place: { kind: 'deployment', ids: [deploymentId] } }, to.title);
    case 'revision':
      return documentUri({ connection, place: { kind: 'revision', ids: [deploymentId, to.id] } }, to.title);
  }
}

async function takeUp(
  change: DeploymentsChange,
  deployments: Deployments,
  documents: OpenDocuments<DocumentResource>,
  isHere: (subject: DocumentSubject) => boolean,
): Promise<void> {
  const isMeant = ({ place: { kind, ids } }: DocumentSubject): boolean =>
    (kind === 'deployment' || kind === 'revision' || kind === 'comparedRevision') &&
    (change.kind === 'list' || change.deploymentId === ids[0]);
  await documents.update(isMeant);
  if (change.kind === 'list') return;
  const { deploymentId, deployment } = change;
  // The list doesn't take a deployment that is filtered out or on a later page.
  if (deployment !== undefined && deployments.listed(deploymentId) === undefined) {
    await documents.put(
      (subject) => subject.place.kind === 'deployment' && isMeant(subject) && isHere(subject),
      deployment,
    );
  }
  // An answer about its revision means that the service can be reached again.
  await documents.retry((subject) => isMeant(subject) && isHere(subject));
}

function keysOf(editors: readonly vscode.TextEditor[]): ReadonlySet<string> {
  const uris = editors.map(({ document }) => document.uri).filter(({ scheme }) => scheme === documentScheme);
  return new Set(uris.map((uri) => uri.toString()));
}

function isOpen(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === key);
}
