import * as vscode from 'vscode';
import { deploymentWords, revisionWords } from '../../core/status/rowWords.ts';
import type { Deployments, DeploymentsChange } from '../../state/lists/deployments.ts';
import { askForResource, knownResource, type DocumentPlace, type DocumentStores } from './documentResources.ts';
import {
  documentScheme,
  parseDocumentUri,
  showDocument,
  textDocumentUri,
  type DocumentSubject,
} from './documentUri.ts';
import { OpenDocuments } from './openDocuments.ts';

/** The read-only documents, as commands use them. */
export interface Documents extends vscode.Disposable {
  /** Requests the resources of all visible documents again. */
  readonly refresh: () => Promise<void>;
  /** Shows a text as a document of its own, read-only. A text of the same name replaces it. */
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
      const subject = parseDocumentUri(uri);
      if (subject === undefined) return vscode.l10n.t('# This document cannot be read: its address is incomplete.');
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
