import * as vscode from 'vscode';
import { shortened } from '../../core/text/text.ts';
import { deploymentWords, revisionWords } from '../../core/status/rowWords.ts';
import type { Deployments, DeploymentsChange } from '../../state/lists/deployments.ts';
import {
  askForResource,
  knownResource,
  parsePlace,
  type DocumentPlace,
  type DocumentStores,
  type DocumentSubject,
} from './documentResources.ts';
import { OpenDocuments } from './openDocuments.ts';

const documentScheme = 'deployment-manager';

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

const textEnding = '.jsonc';

/** The URI of a document whose text is given. */
function textDocumentUri(name: string): vscode.Uri {
  const path = shortened(name).replaceAll(/[\\:]/g, '-');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${path}${textEnding}` });
}

/** What a document says whose text is gone since the window was reloaded. */
function goneText({ path }: vscode.Uri): string {
  const name = path.slice(1, -textEnding.length).replaceAll(/\p{Cc}/gu, ' ');
  const lines = [
    vscode.l10n.t('The request "{0}" was shown before the window reloaded. Requests aren\'t kept.', name),
    vscode.l10n.t(
      'To see it again, open the review, for example with "Create Deployment…", and select "Show Request".',
    ),
  ];
  return lines.map((line) => `// ${line}\n`).join('');
}

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
  /** Shows a request as a document of its own, read-only. A request of the same name replaces it. */
  readonly showText: (name: string, text: string) => Promise<void>;
}

/** Provides the documents and updates them when their resources change. */
export function registerDocuments(stores: DocumentStores): Documents {
  const { connections, deployments, listeners, repositories, agents, poller, clock } = stores;
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** The texts that are shown as they are, by URI. They are gone after a reload. */
  const texts = new Map<string, string>();
  const isHere = ({ connection }: DocumentSubject): boolean => {
    const { session } = connections;
    return session.kind !== 'none' && session.connection.name === connection;
  };
  const documents = new OpenDocuments({
    find: (subject) => (isHere(subject) ? knownResource(subject.place, stores) : undefined),
    ask: async ({ connection, place }, signal) =>
      askForResource(place, await connections.clientNamed(connection), { signal }),
    loadWriter: async () => {
      const { documentText } = await import('./documentText.ts');
      return (subject, content) =>
        documentText(subject, content, isHere(subject) ? statusOf(subject.place, stores) : '');
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
      if (uri.path.endsWith(textEnding)) return goneText(uri);
      const subject = parseDocumentUri(uri);
      if (subject === undefined) return vscode.l10n.t("# This document can't be read: its address is incomplete.");
      return documents.read(uri.toString(), subject);
    },
  };
  const updateKinds = (...kinds: readonly DocumentPlace['kind'][]): void =>
    void documents.update(({ place }) => kinds.includes(place.kind));
  const subscriptions = vscode.Disposable.from(
    changed,
    deployments.onDidChange((change) => void takeUp(change, deployments, documents, isHere)),
    listeners.onDidChange(() => updateKinds('listener')),
    repositories.onDidChange(() => updateKinds('installation', 'repository')),
    agents.onDidChange(() => updateKinds('agentConnection')),
    poller.onDidFail((failure) => void documents.fail(failure, failure.error)),
    // The service may have been restarted, or the key set.
    connections.onDidChange(() => void documents.retry()),
    vscode.window.onDidChangeVisibleTextEditors((editors) => void documents.setVisible(keysOf(editors))),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      // VS Code closes and reopens a document when its language changes.
      if (uri.scheme !== documentScheme || isOpen(uri)) return;
      documents.close(uri.toString());
      texts.delete(uri.toString());
    }),
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, provider),
    documents,
  );
  void documents.setVisible(keysOf(vscode.window.visibleTextEditors));
  return {
    refresh: () => documents.refresh(),
    showText: async (name, text) => {
      const uri = textDocumentUri(name);
      texts.set(uri.toString(), text);
      changed.fire(uri);
      await showDocument(uri, 'jsonc');
    },
    dispose: () => subscriptions.dispose(),
  };
}

async function takeUp(
  change: DeploymentsChange,
  deployments: Deployments,
  documents: OpenDocuments,
  isHere: (subject: DocumentSubject) => boolean,
): Promise<void> {
  const isMeant = ({ place: { kind, ids } }: DocumentSubject): boolean =>
    (kind === 'deployment' || kind === 'revision') && (change.kind === 'list' || change.deploymentId === ids[0]);
  await documents.update(isMeant);
  if (change.kind === 'list') return;
  const { deploymentId, deployment } = change;
  // The list doesn't take a deployment that is filtered out or on a later page.
  if (deployment !== undefined && deployments.find(deploymentId) === undefined) {
    await documents.put(
      (subject) => subject.place.kind === 'deployment' && isMeant(subject) && isHere(subject),
      deployment,
    );
  }
  // An answer about its revision means that the service can be reached again.
  await documents.retry((subject) => isMeant(subject) && isHere(subject));
}

/** The verdict on a deployment or revision, as in its row. */
function statusOf({ kind, ids: [deploymentId, id] }: DocumentPlace, { deployments, clock }: DocumentStores): string {
  if (kind === 'revision') return revisionWords(deployments.observe(deploymentId, id), clock.now()).first.join(' · ');
  const deployment = kind === 'deployment' ? deployments.find(deploymentId) : undefined;
  if (deployment === undefined) return '';
  const observed = deployments.observe(deploymentId, deployment.latest_revision_id);
  return deploymentWords(deployment, observed, { now: clock.now() }).first.join(' · ');
}

function keysOf(editors: readonly vscode.TextEditor[]): ReadonlySet<string> {
  const uris = editors.map(({ document }) => document.uri).filter(({ scheme }) => scheme === documentScheme);
  return new Set(uris.map((uri) => uri.toString()));
}

function isOpen(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === key);
}
