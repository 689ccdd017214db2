import * as vscode from 'vscode';
import { comparableResource, resourceText } from '../../core/resources/resourceText.ts';
import { detailsText } from '../../core/status/detailsWords.ts';
import { formatClock } from '../../core/status/duration.ts';
import type { DocumentPlace, DocumentSubject } from '../window/documentPlace.ts';
import { messageOf, requestIdOf } from '../window/errors.ts';
import { commentLines, detailsOf, type DetailsSources } from './documentDetails.ts';
import type { DocumentContent } from './openDocuments.ts';

/** The text of a document: a page for a person as comments, above its YAML, which has no secret values. */
export function documentText(
  { connection, place }: DocumentSubject,
  content: DocumentContent,
  sources: DetailsSources,
): string {
  const { status, asOf, lines } = detailsOf({ connection, place }, content, sources);
  const { resource } = content;
  const shown = resource !== undefined && place.kind === 'comparedRevision' ? comparableResource(resource) : resource;
  const state = [status, ...notes({ ...content, asOf })].filter((text) => text !== '');
  const paragraphs = [state, lines.map(detailsText)].filter((paragraph) => paragraph.length > 0);
  const comments = paragraphs.flatMap((paragraph) => ['', ...paragraph]);
  return commentedText(kindWords[place.kind](), connection, comments, shown);
}

/** The text of a document: a heading and notes as comments, then a resource as YAML without secret values. */
export function commentedText(
  kind: string,
  connection: string,
  comments: readonly string[],
  resource: object | undefined,
): string {
  const heading = vscode.l10n.t('{0} on {1}, read-only. Values that may be secret are hidden.', kind, connection);
  const { yaml, note } = resource === undefined ? { yaml: '' } : resourceText(resource);
  const lines = [heading, ...comments, ...(note === undefined ? [] : [note])].flatMap(commentLines);
  const gap = comments.length === 0 || yaml === '' ? '' : '\n';
  return lines.map((line) => `${line}\n`).join('') + gap + yaml;
}

/** What a document says whose text is gone since the window was reloaded. */
export function goneText({ path }: vscode.Uri): string {
  const isRequest = path.endsWith('.jsonc');
  const name = path.slice(1, path.lastIndexOf('.')).replaceAll(/\p{Cc}/gu, ' ');
  if (path.endsWith('.txt')) {
    return vscode.l10n.t('"{0}" was shown before the window reloaded. Run its command again to see it.', name);
  }
  const lines = isRequest
    ? [
        vscode.l10n.t('The request "{0}" was shown before the window reloaded. Requests aren\'t kept.', name),
        vscode.l10n.t(
          'To see it again, open the page of the deployment, for example with "Create Deployment…", and select "Show Request".',
        ),
      ]
    : [vscode.l10n.t('"{0}" was shown before the window reloaded. Answers aren\'t kept.', name)];
  return lines.map((line) => `${isRequest ? '//' : '#'} ${line}\n`).join('');
}

/** Notes about why a document is incomplete or outdated. */
function notes({ resource, asOf, error }: DocumentContent): readonly string[] {
  const isGone = resource === undefined && asOf !== undefined;
  const gone = isGone ? [vscode.l10n.t('It no longer exists.')] : [];
  if (error === undefined) return gone;
  const words = messageOf(error) + requestIdOf(error);
  if (asOf === undefined) return [vscode.l10n.t("Couldn't show this: {0}", words)];
  const age = vscode.l10n.t("As of {0}. Since then, the service hasn't answered as expected:", formatClock(asOf));
  return [age, words, ...gone];
}

const kindWords = {
  deployment: () => vscode.l10n.t('Deployment'),
  revision: () => vscode.l10n.t('Revision'),
  comparedRevision: () => vscode.l10n.t('Revision without ID and dates'),
  listener: () => vscode.l10n.t('Listener'),
  installation: () => vscode.l10n.t('Integration'),
  repository: () => vscode.l10n.t('Repository'),
  agentConnection: () => vscode.l10n.t('Agent connection'),
} satisfies Record<DocumentPlace['kind'], () => string>;
