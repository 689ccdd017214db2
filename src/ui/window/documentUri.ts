import * as vscode from 'vscode';
import { shortened } from '../../core/text/text.ts';
import { parsePlace, type DocumentPlace } from './documentResources.ts';

/** What a read-only document shows. */
export interface DocumentSubject {
  readonly connection: string;
  readonly place: DocumentPlace;
}

export const documentScheme = 'deployment-manager';

/**
 * The address of a subject's document, with the title that its tab shows; its path ends in `.yaml`, so that the editor
 * treats it as YAML.
 */
export function documentUri({ connection, place }: DocumentSubject, title: string): vscode.Uri {
  const query = JSON.stringify({ connection, kind: place.kind, ids: place.ids });
  const path = [connection, title].map((part) => shortened(part).replaceAll(/[\\/:]/g, '-')).join('/');
  return vscode.Uri.from({ scheme: documentScheme, path: `/${path}.yaml`, query });
}

/** An address can be typed, restored or shared, so that it is read as any other input. */
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

/** Opens a document in an editor that the next one replaces. */
export async function showDocument(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, 'yaml'), {
    preview: true,
  });
}
