import * as vscode from 'vscode';
import {
  askForResource,
  knownResource,
  parsePlace,
  type DocumentPlace,
  type DocumentStores,
} from './documentResources.ts';
import { messageOf } from './errors.ts';

/** What a read-only document shows. */
export interface DocumentSubject {
  readonly connection: string;
  /** Shown in the tab. */
  readonly title: string;
  readonly place: DocumentPlace;
}

const scheme = 'deployment-manager';

/** The address of a subject's document; its path ends in `.yaml`, so that the editor treats it as YAML. */
export function documentUri({ connection, title, place }: DocumentSubject): vscode.Uri {
  const query = JSON.stringify({ connection, kind: place.kind, ids: place.ids });
  const path = [connection, title].map((part) => part.replaceAll(/[\\/:]/g, '-')).join('/');
  return vscode.Uri.from({ scheme, path: `/${path}.yaml`, query });
}

/** Provides the documents and draws them again when what they show changed. */
export function registerDocuments(stores: DocumentStores): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const subject = parseUri(uri);
      if (subject === undefined) return vscode.l10n.t('# This document cannot be read: its address is incomplete.');
      try {
        return await render(subject, await findResource(subject, stores));
      } catch (error) {
        // A document that outlived its window may not be there any more; an editor shows words, not a failure.
        return `# ${vscode.l10n.t('This cannot be shown: {0}', messageOf(error))}\n`;
      }
    },
  };
  const redraw = (isMeant: (place: DocumentPlace) => boolean): void => {
    for (const { uri } of vscode.workspace.textDocuments) {
      const subject = uri.scheme === scheme ? parseUri(uri) : undefined;
      // What the lists do not hold has not changed in them, and asking the service again would be polling.
      if (subject === undefined || !isMeant(subject.place)) continue;
      if (knownResource(subject.place, stores) !== undefined) changed.fire(uri);
    }
  };
  return vscode.Disposable.from(
    changed,
    stores.deployments.onDidChange((change) =>
      redraw(
        ({ kind, ids }) =>
          (kind === 'deployment' || kind === 'revision') && (change.kind === 'list' || change.deploymentId === ids[0]),
      ),
    ),
    stores.listeners.onDidChange(() => redraw(({ kind }) => kind === 'listener')),
    stores.repositories.onDidChange(() => redraw(({ kind }) => kind === 'installation' || kind === 'repository')),
    stores.agents.onDidChange(() => redraw(({ kind }) => kind === 'agentConnection')),
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider),
  );
}

/** Whether one of the documents stands in an editor that can be seen. */
export function isDocumentVisible(): boolean {
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.scheme === scheme);
}

type UriSubject = Omit<DocumentSubject, 'title'>;

/** An address can be typed, restored or shared, so that it is read as any other input. */
function parseUri(uri: vscode.Uri): UriSubject | undefined {
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

/** What the lists already know, and otherwise what the service says, for a document that outlived its window. */
async function findResource({ connection, place }: UriSubject, stores: DocumentStores): Promise<object | undefined> {
  const { session } = stores.connections;
  const isPresent = session.kind !== 'none' && session.connection.name === connection;
  const known = isPresent ? knownResource(place, stores) : undefined;
  return known ?? askForResource(place, await stores.connections.clientNamed(connection));
}

async function render({ connection, place }: UriSubject, resource: object | undefined): Promise<string> {
  const { documentText } = await import('./documentText.ts');
  const heading = vscode.l10n.t(
    '{0} on {1}, read-only. Values of secrets and variables are not shown.',
    kindWords[place.kind](),
    connection,
  );
  return documentText(heading, resource);
}

const kindWords = {
  deployment: () => vscode.l10n.t('Deployment'),
  revision: () => vscode.l10n.t('Revision'),
  listener: () => vscode.l10n.t('Listener'),
  installation: () => vscode.l10n.t('Integration'),
  repository: () => vscode.l10n.t('Repository'),
  agentConnection: () => vscode.l10n.t('Agent connection'),
} satisfies Record<DocumentPlace['kind'], () => string>;
