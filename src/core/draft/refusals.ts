import * as l10n from '@vscode/l10n';
import type { ApiError, ApiErrorKind } from '../../api/errors.ts';
import type { DeploymentDraft } from './draft.ts';
import { finding, type Finding } from './findings.ts';
import { lineLabel } from './sources.ts';
import { draftFields, fieldsOf, type DraftField } from './fields.ts';

/** What a service said when it refused a create request. */
export type Refusal = Pick<ApiError, 'kind' | 'message'> & Partial<Pick<ApiError, 'fields' | 'requestId'>>;

/**
 * Puts a refusal on the lines of its fields, each with the name of its line.
 * A refusal is only a warning, because the same request may be accepted later.
 */
export function refusalFindings(draft: DeploymentDraft, refusal: Refusal): Finding[] {
  const { kind, message, fields = [], requestId } = refusal;
  const byField = new Map<DraftField, string[]>();
  for (const { path, message: said } of fields) {
    const field = fieldAt(draft, path);
    if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), said.replace(/\.$/, '')]);
  }
  const named = [...byField].map(([field, said]) => onLine(draft, field, `${said.join('; ')}.`));
  const isTold = fields.length > 0 && fields.every(({ path }) => fieldAt(draft, path) !== undefined);
  const ending = requestId === undefined ? '' : l10n.t(' Request ID: {0}.', requestId);
  if (isTold) {
    return named.map((finding, index) => (index === 0 ? { ...finding, message: finding.message + ending } : finding));
  }
  const field = byField.size > 0 ? undefined : (quotedField(draft, message) ?? fieldOfKind(draft, kind, message));
  const whole = message + ending;
  return [field === undefined ? finding('warning', whole) : onLine(draft, field, whole), ...named];
}

function onLine(draft: DeploymentDraft, field: DraftField, said: string): Finding {
  return finding('warning', l10n.t('{0}: {1}', lineLabel(draft, field), said), field);
}

/** Further paths that a refusal may name: a flavor's config path, and the object around the namespace. */
const otherNames = [
  ['configPath', 'source_revision_config.langgraph_config_path'],
  ['listener', 'source_config.listener_config'],
] as const;

function pathsOf(draft: DeploymentDraft): readonly (readonly [DraftField, string])[] {
  const paths = fieldsOf(draft).map((field) => [field, draftFields[field].path] as const);
  return [...paths, ...otherNames.filter(([field]) => fieldsOf(draft).includes(field))];
}

/** The field at a path of the body, or around it. */
function fieldAt(draft: DeploymentDraft, path: string): DraftField | undefined {
  return pathsOf(draft).find(([, known]) => path === known || path.startsWith(`${known}.`))?.[0];
}

/** The field that a text names as the interface does. Only a quoted `name` or `source` is meant: both are words. */
function quotedField(draft: DeploymentDraft, text: string): DraftField | undefined {
  const isNamed = (known: string): boolean => {
    const name = known.split('.').at(-1) ?? known;
    if (name.includes('_')) return hasWord(text, name);
    return ["'", '"', '`'].some((quote) => [quote, '.', '['].some((end) => text.includes(quote + name + end)));
  };
  return pathsOf(draft).find(([, known]) => isNamed(known))?.[0];
}

function hasWord(text: string, word: string): boolean {
  const start = text.indexOf(word);
  if (start < 0) return false;
  const isPart = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);
  return !isPart(text[start - 1]) && !isPart(text[start + word.length]);
}

/** The field that a refusal is about by its kind, or by what it says was not found. */
function fieldOfKind(draft: DeploymentDraft, kind: ApiErrorKind, text: string): DraftField | undefined {
  if (kind === 'conflict') return 'name';
  if (kind !== 'invalid' && kind !== 'notFound') return undefined;
  const fields = fieldsOf(draft);
  if (fields.includes('integrationId') && /\bintegration\b/i.test(text)) return 'integrationId';
  if (/\blistener\b/i.test(text)) return 'listener';
  return /\bsource\b/i.test(text) && /\bavailable\b/i.test(text) ? 'source' : undefined;
}
