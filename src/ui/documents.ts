import * as vscode from 'vscode';
import type { Client } from '../api/client.ts';
import { hideValues } from '../core/hideValues.ts';
import type { Connections } from '../state/connections.ts';
import type { Deployments } from '../state/deployments.ts';
import { readableRows } from '../state/pagedList.ts';
import { messageOf } from './errors.ts';

/** What a read-only document shows: a deployment, or one of its revisions. */
export interface DocumentSubject {
  readonly connection: string;
  /** Shown in the tab. */
  readonly title: string;
  readonly deploymentId: string;
  readonly revisionId?: string;
}

export interface DocumentsDependencies {
  readonly connections: Connections;
  readonly deployments: Deployments;
}

const scheme = 'deployment-manager';

/** The address of a subject's document; its path ends in `.yaml`, so that the editor treats it as YAML. */
export function documentUri({ connection, title, deploymentId, revisionId }: DocumentSubject): vscode.Uri {
  const query = JSON.stringify({ connection, deploymentId, ...(revisionId === undefined ? {} : { revisionId }) });
  const path = [connection, title].map((part) => part.replaceAll(/[\\/:]/g, '-')).join('/');
  return vscode.Uri.from({ scheme, path: `/${path}.yaml`, query });
}

/** Provides the documents and draws them again when what they show changed. */
export function registerDocuments({ connections, deployments }: DocumentsDependencies): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const subject = parseUri(uri);
      if (subject === undefined) return vscode.l10n.t('# This document cannot be read: its address is incomplete.');
      try {
        return await render(subject, await findResource(subject, { connections, deployments }));
      } catch (error) {
        // A document that outlived its window may not be there any more; an editor shows words, not a failure.
        return `# ${vscode.l10n.t('This cannot be shown: {0}', messageOf(error))}\n`;
      }
    },
  };
  const update = deployments.onDidChange((change) => {
    for (const { uri } of vscode.workspace.textDocuments) {
      const subject = uri.scheme === scheme ? parseUri(uri) : undefined;
      if (subject === undefined) continue;
      if (change.kind === 'list' || change.deploymentId === subject.deploymentId) changed.fire(uri);
    }
  });
  return vscode.Disposable.from(
    changed,
    update,
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
    if (!('connection' in query) || !('deploymentId' in query)) return undefined;
    const { connection, deploymentId } = query;
    const revisionId = 'revisionId' in query ? query.revisionId : undefined;
    if (typeof connection !== 'string' || typeof deploymentId !== 'string') return undefined;
    return typeof revisionId === 'string' ? { connection, deploymentId, revisionId } : { connection, deploymentId };
  } catch {
    return undefined;
  }
}

/** What the lists already know, and otherwise what the service says, for a document that outlived its window. */
async function findResource(
  { connection, deploymentId, revisionId }: UriSubject,
  { connections, deployments }: DocumentsDependencies,
): Promise<object | undefined> {
  const { session } = connections;
  if (session.kind !== 'none' && session.connection.name === connection) {
    const known = revisionId === undefined ? deployments.find(deploymentId) : deployments.revision(revisionId);
    if (known !== undefined) return known;
  }
  return ask(await connections.clientNamed(connection), deploymentId, revisionId);
}

async function ask(client: Client, deploymentId: string, revisionId: string | undefined): Promise<object | undefined> {
  if (revisionId !== undefined) return client.revisions.get(deploymentId, revisionId);
  const page = await client.deployments.list({ deployment_ids: deploymentId, limit: 1 });
  return readableRows(page.resources)[0];
}

async function render({ connection, revisionId }: UriSubject, resource: object | undefined): Promise<string> {
  const { stringify } = await import('yaml');
  const kind = revisionId === undefined ? vscode.l10n.t('Deployment') : vscode.l10n.t('Revision');
  const heading = vscode.l10n.t(
    '{0} on {1}, read-only. Values of secrets and variables are not shown.',
    kind,
    connection,
  );
  if (resource === undefined) return `# ${heading}\n# ${vscode.l10n.t('The service does not have it any more.')}\n`;
  return `# ${heading}\n${stringify(hideValues(resource), { lineWidth: 0 })}`;
}
