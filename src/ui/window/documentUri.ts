import * as vscode from 'vscode';
import { isRecord } from '../../api/schema/json.ts';
import { shortened } from '../../core/text/text.ts';
import { parsePlace, type DocumentSubject } from './documentPlace.ts';

export const documentScheme = 'deployment-manager';

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
    if (!isRecord(query)) return undefined;
    const { connection, kind, ids } = query;
    const place = parsePlace(kind, ids);
    return typeof connection !== 'string' || place === undefined ? undefined : { connection, place };
  } catch {
    return undefined;
  }
}

/** Opens a document as a preview, which the next one replaces. */
export async function showDocument(uri: vscode.Uri, language = 'yaml'): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, language), {
    preview: true,
  });
}
