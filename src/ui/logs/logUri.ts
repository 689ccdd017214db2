import * as vscode from 'vscode';
import { logName, parseLogSubject, type LogSubject } from '../../core/logs/logSubject.ts';
import { shortened } from '../../core/text/text.ts';
import { documentScheme } from '../window/documentUri.ts';

/** The URI of a log's document. The path ends in `.log`, which is a language of VS Code, and is the title of its tab. */
export function logUri(subject: LogSubject): vscode.Uri {
  const { filter, ...log } = subject;
  const path = [subject.connection, logName(subject)].map((part) => shortened(part, 80).replaceAll(/[\\/:]/g, '-'));
  const query = JSON.stringify({ kind: 'log', ...log, ...filter });
  return vscode.Uri.from({ scheme: documentScheme, path: `/${path.join('/')}.log`, query });
}

/** The log that a URI names; undefined for other documents. Takes any URI, because it may be typed or restored. */
export function logOf(uri: vscode.Uri): LogSubject | undefined {
  if (uri.scheme !== documentScheme || !uri.path.endsWith('.log')) return undefined;
  try {
    return parseLogSubject(JSON.parse(uri.query));
  } catch {
    return undefined;
  }
}
