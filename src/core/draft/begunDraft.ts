import * as z from 'zod/mini';
import { readSpecText } from '../yaml/document.ts';
import { isAbsent, isSpecMap, sameSpecValue, textOf, type SpecMap, type SpecValue } from '../yaml/value.ts';
import { documentsIn } from './deploymentFile.ts';
import { changeParts, deploymentFileText, withFileValues, type FileValue } from './deploymentFileText.ts';
import { nameFor } from './deploymentName.ts';
import { emptyDraft, provenanceKinds, type DeploymentDraft, type Provenance } from './draft.ts';
import { allFields, draftFields, fieldsOf, guardedFields, type DraftField, type GuardedField } from './fields.ts';
import { plainValues } from './fieldValues.ts';
import type { DraftWithFindings, Finding } from './findings.ts';
import { sourceOf } from './sources.ts';

/** What was made of a deployment of a page. */
export const madeRevision = z.object({
  connection: z.string(),
  deploymentId: z.string(),
  revisionId: z.optional(z.string()),
  name: z.string(),
  /** The text of the file's deployment that it was made from. */
  text: z.string(),
  /** Whether the deployment was changed without a new revision. */
  isUnrevised: z.boolean(),
  /** The statuses that were seen of the last revision, and when each began, in milliseconds since 1970. */
  steps: z._default(z.readonly(z.array(z.object({ revisionId: z.string(), words: z.string(), at: z.number() }))), []),
});

export type MadeRevision = z.infer<typeof madeRevision>;

const folderUri = z.string().check(z.regex(/^file:\/\/[^/]*\/(?!\/)/));

/** A deployment of a draft as it was begun, which tells what the user has changed since. */
export const begunDeployment = z.object({
  /** As in the draft's file. */
  text: z.string(),
  origins: z.partialRecord(
    z.enum(allFields),
    z.object({ kind: z.enum(provenanceKinds), name: z.optional(z.string()) }),
  ),
  findings: z.array(
    z.object({ severity: z.enum(['error', 'warning', 'info']), field: z.enum(allFields), message: z.string() }),
  ),
  /** The ID of the deployment that gets a new revision, if none is created. */
  changes: z.optional(z.string()),
  /** The URI of the folder on disk that is uploaded. */
  folder: z.optional(folderUri),
  /** The URI of the root of the working copy that it was begun in. The repository may have others. */
  root: z.optional(folderUri),
  /** It was sent. Its name then stays, because looking it up tells whether that worked. */
  isSent: z.optional(z.boolean()),
  /** The name and connection of a request that may have worked, as `typedKey` joins them without a secret. */
  sentAs: z.optional(z.string()),
  made: z.optional(madeRevision),
});

export type BegunDeployment = z.infer<typeof begunDeployment>;

/**
 * Begins a draft with everything that a deployment has. Its repository and ref are explicit, its paths start at the root.
 * @param connection the name of its connection; without one, it is for the connection of the window
 */
export function beginDraft({ draft, findings }: DraftWithFindings, connection = ''): BegunDeployment {
  const text = deploymentFileText(draft);
  return {
    text: connection === '' ? text : withValues(text, [{ path: ['connection'], value: connection }]),
    origins: draft.provenance,
    // What is about no field can't be seen to be settled.
    findings: findings.flatMap(({ field, ...found }) => (field === undefined ? [] : [{ ...found, field }])),
  };
}

/** Notes in a draft where the values that its file says come from: from where they were begun with, or else the user. */
export function noteOrigins(begun: BegunDeployment, content: SpecMap, { source, provenance }: DeploymentDraft): void {
  const before = contentOf(begun);
  for (const field of fieldsOf({ source })) {
    const { key } = draftFields[field];
    if (isAbsent(content[key])) continue;
    const origin = sameSpecValue(content[key], before[key]) ? begun.origins[field] : { kind: 'user' as const };
    if (origin === undefined) delete provenance[field];
    else provenance[field] = origin;
  }
}

/** The findings about how a draft was begun whose fields are still as they were. */
export function findingsSince(begun: BegunDeployment, content: SpecMap): readonly Finding[] {
  const before = contentOf(begun);
  return begun.findings.filter(({ field }) => {
    const { key } = draftFields[field];
    return sameSpecValue(content[key], before[key]);
  });
}

/** The fields of a deployment that may hold a secret and are as in another text of it. A named file may have changed. */
export function sameGuarded(text: string, content: SpecMap): readonly GuardedField[] {
  const before = contentOf({ text });
  return guardedFields.filter((field) => {
    const { key } = draftFields[field];
    const isFile = field === 'resourceSpec' && typeof content[key] === 'string';
    return !isFile && sameSpecValue(content[key], before[key]);
  });
}

/** The fields and the names of secrets that a deployment had in other texts of it, and has no longer. */
export function removedSince(
  texts: readonly string[],
  content: SpecMap,
): { readonly removed: readonly DraftField[]; readonly removedSecrets: readonly string[] } {
  const before = texts.map((text) => contentOf({ text }));
  const lacks = (value: SpecValue | undefined): boolean => isAbsent(value) || value === '';
  const secretsOf = ({ secrets }: SpecMap): readonly string[] => (isSpecMap(secrets) ? Object.keys(secrets) : []);
  const now = new Set(secretsOf(content));
  return {
    removed: allFields.filter((field) => {
      const { key } = draftFields[field];
      return lacks(content[key]) && before.some((had) => !lacks(had[key]));
    }),
    removedSecrets: before.flatMap(secretsOf).filter((name) => !now.has(name)),
  };
}

/** Whether a deployment that isn't made yet was begun without a repository, or with one that the user chose. */
export function isOfChosenRepository(begun: BegunDeployment): boolean {
  const { kind } = begun.origins.repositoryUrl ?? {};
  const isChosen = begunRepository(begun) === '' || kind === 'list' || kind === 'user';
  return isChosen && begun.isSent !== true && begun.made === undefined && begun.changes === undefined;
}

/** The URL of the repository that a deployment was begun with; empty if there was none. */
export function begunRepository(begun: BegunDeployment): string {
  return textOf(contentOf(begun), 'repository');
}

/** The same deployment with another suggested name. */
export function withSuggestedName(begun: BegunDeployment, name: string): BegunDeployment {
  const text = withValues(begun.text, [{ path: ['name'], value: name }]);
  return { ...begun, text, origins: { ...begun.origins, name: { kind: 'suggested' } } };
}

/**
 * A deployment that is begun again, with the name that was suggested for it before, if both names are suggestions.
 * One that was sent keeps its name, and what was made of it. One that was begun for a repository that the user chose stays
 * as it is, but for resources that come from the form now.
 */
export function withNameOf(before: BegunDeployment, now: BegunDeployment): BegunDeployment {
  if (now.changes !== before.changes) return now;
  if (hasChosenRepository(before)) return withResourcesOfForm(before, now);
  const { isSent, sentAs, made } = before;
  // A deployment that exists keeps its name.
  if (now.changes !== undefined) return { ...now, isSent, sentAs, made };
  const name = textOf(contentOf(before), 'name');
  if (isSent === true) {
    const { origins, ...named } = withSuggestedName(now, name);
    return {
      ...named,
      origins: { ...origins, name: before.origins.name ?? { kind: 'suggested' } },
      isSent,
      sentAs,
      made,
    };
  }
  return name !== '' && isNameSuggested(before) && isNameSuggested(now) ? withSuggestedName(now, name) : now;
}

/** A deployment with the resources of another one, if they come from the resource form. */
export function withResourcesOfForm(begun: BegunDeployment, other: BegunDeployment): BegunDeployment {
  const { resourceSpec } = other.origins;
  if (resourceSpec?.kind !== 'form') return begun;
  const { key } = draftFields.resourceSpec;
  const text = withValues(begun.text, [{ path: [key], value: contentOf(other)[key] }]);
  const findings = begun.findings.filter(({ field }) => field !== 'resourceSpec');
  return { ...begun, text, origins: { ...begun.origins, resourceSpec }, findings };
}

/** Whether a deployment was begun again for a repository that the user chose. */
export function hasChosenRepository({ origins }: BegunDeployment): boolean {
  return origins.repositoryUrl?.kind === 'user';
}

/** The name that follows another value of a field, unless the user has chosen the name. Undefined if it stays. */
export function followingName(
  begun: BegunDeployment,
  content: SpecMap,
  key: string,
  value: string,
): string | undefined {
  if (!hasSuggestedName(begun, content)) return undefined;
  const name = suggestedFor({ ...content, [key]: value });
  return name === '' || name === suggestedFor(content) ? undefined : name;
}

/** Whether a deployment's name is still the one that was suggested. */
export function hasSuggestedName(begun: BegunDeployment, content: SpecMap): boolean {
  const isRenamed = !sameSpecValue(content['name'] ?? '', contentOf(begun)['name'] ?? '');
  return !isRenamed && isNameSuggested(begun);
}

function isNameSuggested({ origins, isSent = false }: BegunDeployment): boolean {
  return !isSent && (origins.name ?? { kind: 'suggested' }).kind === 'suggested';
}

function suggestedFor(content: SpecMap): string {
  const draft = emptyDraft(sourceOf(content), '');
  if ('repositoryUrl' in draft) draft.repositoryUrl = textOf(content, 'repository');
  if ('configPath' in draft) draft.configPath = textOf(content, 'config');
  Object.assign(
    draft,
    plainValues(draft, (field) => content[draftFields[field].key]),
  );
  return nameFor(draft);
}

/**
 * The text of a draft that is begun again: what the user hasn't changed since it was begun is as it is begun now.
 * What they changed or added stays.
 */
export function continuedText(
  text: string,
  before: readonly BegunDeployment[],
  now: readonly BegunDeployment[],
): string {
  return changeParts(text, documentsIn(text), ({ text: part }, index) => {
    const [then, fresh] = [before[index], now[index]];
    return then && fresh ? withValues(part, continuedValues(part, then, fresh)) : part;
  });
}

/** What changes in a deployment's part of a text if it is begun again for another repository. */
export function valuesOfRepository(part: string, before: BegunDeployment, now: BegunDeployment): readonly FileValue[] {
  const content = contentOf(now);
  // Any other integration is found again.
  const own = [draftFields.repositoryUrl.key, draftFields.integrationId.key];
  return [...continuedValues(part, before, now), ...own.map((key) => ({ path: [key], value: content[key] }))];
}

function continuedValues(part: string, before: BegunDeployment, now: BegunDeployment): readonly FileValue[] {
  const document = readSpecText(part);
  if (document.kind === 'unreadable') return [];
  const [then, fresh] = [contentOf(before), contentOf(now)];
  const isNew = (field: 'resourceSpec' | 'configPath', kind: Provenance['kind']): boolean =>
    now.origins[field]?.kind === kind && now.origins[field] !== before.origins[field];
  // Somebody who has just used the resource form wants its resources.
  const isOfForm = (key: string): boolean => key === 'resources' && isNew('resourceSpec', 'form');
  // A deployment that exists keeps its name. A config file that was chosen to begin with counts.
  const isFixed = (key: string): boolean =>
    (key === 'name' && now.changes !== undefined) || (key === 'config' && isNew('configPath', 'user'));
  const isKept = (key: string): boolean =>
    sameSpecValue(document.spec[key], then[key]) || isOfForm(key) || isFixed(key);
  return [...new Set([...Object.keys(then), ...Object.keys(fresh)])]
    .filter((key) => isKept(key) && !sameSpecValue(document.spec[key], fresh[key]))
    .map((key) => ({ path: [key], value: fresh[key] }));
}

function withValues(text: string, values: readonly FileValue[]): string {
  const result = withFileValues(text, values);
  return result.kind === 'edited' ? result.state.document.text : text;
}

/** The names of the deployments in the text of a draft; empty if none has one. */
export function namesInDraft(text: string): string {
  const names = documentsIn(text).map((part) => textOf(contentOf(part), 'name').trim());
  return names.filter((name) => name !== '').join(', ');
}

/** The names of the secrets in the text of a draft. */
export function secretsInDraft(text: string): readonly string[] {
  return documentsIn(text).flatMap((part) => {
    const { secrets } = contentOf(part);
    return isSpecMap(secrets) ? Object.keys(secrets) : [];
  });
}

/** What a deployment's part of a text says; nothing if it can't be read. */
export function contentOf({ text }: Pick<BegunDeployment, 'text'>): SpecMap {
  const document = readSpecText(text);
  return document.kind === 'readable' ? document.spec : {};
}
