import * as l10n from '@vscode/l10n';
import { secretsIn } from '../../api/redaction/hideValues.ts';
import { safeText } from '../../api/redaction/redact.ts';
import { describeSpec } from '../spec/specWords.ts';
import type { DeploymentDraft, DraftSecret, Provenance } from './draft.ts';
import { draftFields, fieldsOf, plainFields, type DraftField, type PlainField } from './fields.ts';
import { namedValue } from './fieldValues.ts';
import { lineLabel, sourceFacts, sourceOf } from './sources.ts';

/** A field that will be sent, in words. */
export interface DraftLine {
  readonly field: DraftField;
  readonly label: string;
  readonly value: string;
  /** Where the value came from, such as "remote origin"; empty without a value. */
  readonly from: string;
}

/**
 * A line for each field that will be sent, in the order of the draft's source. An unset option has none.
 * @param configPaths the config files that were found, to say which of them is meant
 */
export function draftLines(draft: DeploymentDraft, configPaths: readonly string[] = []): readonly DraftLine[] {
  const values = valuesOf(draft, configPaths);
  return fieldsOf(draft).flatMap((field) => {
    const value = values[field];
    if (value === undefined) return [];
    const from = value === '' ? '' : provenanceWords(field, draft.provenance[field]);
    return [{ field, label: lineLabel(draft, field), value, from }];
  });
}

function valuesOf(
  draft: DeploymentDraft,
  configPaths: readonly string[],
): Readonly<Partial<Record<DraftField, string | undefined>>> {
  const { listener, kubernetesNamespace } = draft;
  const repository = draft.source === 'repohost' ? draft : undefined;
  const upload = draft.source === 'internal_source' ? draft : undefined;
  const hasNamespaces = listener !== undefined && listener.namespaces.length > 0;
  return {
    source: choiceWords('source', draft.source),
    name: draft.name,
    repositoryUrl: repository?.repositoryUrl,
    integrationId: repository?.integrationName ?? repository?.integrationId,
    ref: repository?.ref.name,
    configPath: repository ? configWords(repository.configPath, configPaths) : upload?.configPath,
    secrets: secretWords(draft.secrets),
    secretReferences: draft.source === 'external_docker' ? referenceCount(draft.secretReferences.length) : undefined,
    resourceSpec: describeSpec(draft.resourceSpec ?? {}),
    ...Object.fromEntries(plainFields.map((field) => [field, plainWords(draft, field)])),
    // Only a branch can be built on push.
    buildOnPush: repository && choiceWords('buildOnPush', repository.buildOnPush && repository.ref.kind === 'branch'),
    // A namespace without a listener needs one.
    listener: listener?.name ?? (kubernetesNamespace === undefined ? undefined : ''),
    kubernetesNamespace: kubernetesNamespace ?? (hasNamespaces ? l10n.t('chosen by the service') : undefined),
  };
}

/** The value of a plain field, with masks for what may be secret. */
function plainWords(draft: DeploymentDraft, field: PlainField): string | undefined {
  const value = draft[field];
  if (value === undefined) return undefined;
  if (typeof value === 'boolean' || 'choices' in draftFields[field]) return choiceWords(field, value);
  return safeText(value, secretsIn(namedValue(field, value)));
}

/** Says which one it is of several config files. */
function configWords(configPath: string, configPaths: readonly string[]): string {
  const place = configPaths.indexOf(configPath) + 1;
  if (place === 0 || configPaths.length === 1) return configPath;
  return l10n.t('{0} ({1} of {2})', configPath, place, configPaths.length);
}

/** A choice of a field, in words. */
export function choiceWords(field: DraftField, choice: string | boolean): string {
  if (field === 'source') return sourceFacts[sourceOf({ source: choice })].title();
  if (typeof choice === 'boolean') return choice ? l10n.t('on') : l10n.t('off');
  // Saves a separate line above the fields.
  return field === 'deploymentType' && choice !== 'prod' ? l10n.t('{0} · not for production', choice) : choice;
}

/** How many secrets there are, which of them are stored on this machine, and which have no value yet. */
function secretWords(secrets: readonly DraftSecret[]): string {
  const namesOf = (wanted: readonly DraftSecret[]): string => wanted.map(({ name }) => name).join(', ');
  const stored = namesOf(secrets.filter(({ isStored }) => isStored));
  const missing = namesOf(secrets.filter(({ value }) => value === undefined));
  return [
    secretCount(secrets.length),
    ...(stored === '' ? [] : [l10n.t('stored: {0}', stored)]),
    ...(missing === '' ? [] : [l10n.t('without a value: {0}', missing)]),
  ].join(', ');
}

/** The number of secrets, in words. */
export function secretCount(count: number): string {
  if (count === 0) return l10n.t('none');
  return count === 1 ? l10n.t('1 secret') : l10n.t('{0} secrets', count);
}

/** The number of secret references, in words. */
export function referenceCount(count: number): string {
  if (count === 0) return l10n.t('none');
  return count === 1 ? l10n.t('1 reference') : l10n.t('{0} references', count);
}

/** Where the value of a field came from; empty if nothing is known of that. */
export function originOf({ provenance }: DeploymentDraft, field: DraftField): string {
  return provenance[field] === undefined ? '' : provenanceWords(field, provenance[field]);
}

function provenanceWords(field: DraftField, provenance: Provenance | undefined): string {
  if (field === 'name' && provenance?.kind === 'suggested') return l10n.t('made for you');
  return provenance === undefined ? l10n.t('default') : origins[provenance.kind](provenance.name ?? '');
}

const origins = {
  user: () => l10n.t('chosen'),
  remote: (name) => l10n.t('remote {0}', name),
  checkedOut: () => l10n.t('checked out'),
  found: () => l10n.t('found in the repository'),
  suggested: () => l10n.t('suggested'),
  integration: () => l10n.t('has the repository'),
  list: () => l10n.t("service's list"),
  form: () => l10n.t('resource form'),
  copy: (name) => l10n.t('copied from {0}', name),
  deployed: () => l10n.t('as deployed'),
  file: (name) => name,
  lastTime: () => l10n.t('as last time'),
  stored: () => l10n.t('this machine'),
  made: () => l10n.t('made here'),
} satisfies Record<Provenance['kind'], (name: string) => string>;
