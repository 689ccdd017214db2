import * as vscode from 'vscode';
import { comparableResource, resourceText } from '../../core/resources/resourceText.ts';
import { detailsText } from '../../core/status/detailsWords.ts';
import { formatClock } from '../../core/status/duration.ts';
import { detailsOf, linksIn, type DetailsSources, type FoundLink } from './documentDetails.ts';
import type { DocumentPlace, DocumentResource, DocumentSubject } from './documentResources.ts';
import { messageOf, requestIdOf } from './errors.ts';
import type { DocumentContent } from './openDocuments.ts';

/** The text of a document: details as comments around its YAML, which has no secret values. */
export function documentText(
  { connection, place }: DocumentSubject,
  content: DocumentContent<DocumentResource>,
  sources: DetailsSources,
): string {
  const { status, asOf, head, end } = detailsOf({ connection, place }, content, sources);
  const { resource } = content;
  const shown = resource !== undefined && place.kind === 'comparedRevision' ? comparableResource(resource) : resource;
  const comments = [status, ...notes({ ...content, asOf }), ...head.map(detailsText)];
  const text = commentedText(kindWords[place.kind](), connection, comments, shown);
  return [text, ...end.map(detailsText).map(comment)].join('');
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
  const lines = [heading, ...comments, note ?? ''].filter((line) => line !== '');
  return lines.map(comment).join('') + yaml;
}

/** The places in a document's text that lead somewhere. */
export function documentLinks(
  text: string,
  subject: DocumentSubject,
  content: DocumentContent<DocumentResource>,
  sources: DetailsSources,
): readonly FoundLink[] {
  return linksIn(text, detailsOf(subject, content, sources));
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

/** Makes every line of a message a comment. */
function comment(text: string): string {
  return text.replaceAll(/^/gm, '# ') + '\n';
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
