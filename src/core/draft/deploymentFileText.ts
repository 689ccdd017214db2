import { isMap, stringify } from 'yaml';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { parseDeploymentRef } from '../git/deploymentRef.ts';
import { specKeys } from '../spec/fields.ts';
import { specPart } from '../spec/part.ts';
import { sentSpec, toSpecMap } from '../spec/specText.ts';
import { readSpecText, specYamlOptions } from '../yaml/document.ts';
import { applyEdits, mostSingleEdits, type EditResult, type PathEdit, type YamlEdit } from '../yaml/edit.ts';
import { memberAt, removal, type FieldText } from '../yaml/placement.ts';
import { isSpecList, isSpecMap, sameSpecValue, valueAt } from '../yaml/value.ts';
import type { SpecMap, SpecPath, SpecValue } from '../yaml/value.ts';
import { sentValues } from './createRequest.ts';
import type { FileDeployment } from './deploymentFile.ts';
import type { DeploymentSpec, SecretOrigin } from './deploymentFileSchema.ts';
import { emptyDraft, type DeploymentDraft, type Provenance } from './draft.ts';
import { tidyPath } from './fieldProblem.ts';
import { allFields, draftFields, fieldsOf, type DraftField } from './fields.ts';
import { plainValues } from './fieldValues.ts';
import { sourceOf } from './sources.ts';

/** Where a deployment file is, which decides what it leaves out. */
interface FilePlace {
  readonly connectionName: string;
  /** The name of the file, which its values come from. */
  readonly fileName: string;
  /** The URL of the repository that the file is in; empty if it is in none. */
  readonly repositoryUrl: string;
  /** What is checked out there, as the interface takes it; empty if that isn't published. */
  readonly ref: string;
  /** The config file, relative to the root of the repository. */
  readonly configPath: string;
  /** The content of the resource spec that the file names. */
  readonly resourceSpec: ResourceSpec | undefined;
}

/**
 * A draft of the deployment that a file describes.
 * Its secrets have no values, it has no listener, and only the integration that the file names.
 */
export function draftOfFile(spec: DeploymentSpec, place: FilePlace): DeploymentDraft {
  const draft = emptyDraft(sourceOf(spec), place.connectionName);
  draft.name = said(spec.name) ?? '';
  const valueOf = (field: DraftField): unknown => {
    const value = spec[draftFields[field].key] ?? undefined;
    return typeof value === 'string' ? said(value) : value;
  };
  Object.assign(draft, plainValues(draft, valueOf));
  draft.kubernetesNamespace = said(spec.namespace);
  const own = typeof spec.resources === 'string' ? undefined : spec.resources;
  draft.resourceSpec = own ? sentSpec(toSpecMap(own)) : place.resourceSpec;
  draft.secrets = Object.keys(spec.secrets ?? {}).map((name) => ({ name, value: undefined }));
  const ref = said(spec.ref);
  if ('configPath' in draft) draft.configPath = tidyPath(spec.config ?? '');
  if (draft.source === 'repohost') {
    draft.repositoryUrl = said(spec.repository) ?? place.repositoryUrl;
    draft.integrationId = said(spec.integration) ?? '';
    draft.ref = parseDeploymentRef(ref ?? place.ref);
    draft.configPath = place.configPath;
  }
  if (draft.source === 'external_docker') {
    draft.secretReferences = (spec.secret_references ?? []).map(({ name, secret, key }) => ({
      name: name.trim(),
      secretName: secret.trim(),
      secretKey: key.trim(),
    }));
  }
  const named = fieldsOf(draft).filter((field) => valueOf(field) !== undefined);
  draft.provenance = Object.fromEntries(named.map((field) => [field, { kind: 'file', name: place.fileName }]));
  if (draft.source === 'repohost' && ref === undefined && place.ref !== '') {
    draft.provenance.ref = { kind: 'checkedOut' };
  }
  return draft;
}

/** A text of a file without blanks around it. Undefined if there is none. */
export function said(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}

/** Writes a draft as a deployment file whose paths start at the repository's root, without the values of its secrets. */
export function deploymentFileText(draft: DeploymentDraft): string {
  return yamlOf(fileValues(draft, 'configPath' in draft ? draft.configPath : ''));
}

/** Kubernetes and other tools of a team read YAML 1.1. */
function yamlOf(value: unknown): string {
  return stringify(value, { ...specYamlOptions, compat: 'yaml-1.1', lineWidth: 0 });
}

/** The values of a draft by their keys in a file, in the order of a new file. */
function fileValues(draft: DeploymentDraft, configPath: string): Readonly<Record<string, unknown>> {
  const sent = sentValues(draft);
  const values: Readonly<Partial<Record<DraftField, unknown>>> = {
    ...sent,
    ...(draft.source === 'repohost' && {
      source: undefined,
      // Any other one is found again, also for a colleague with other accounts.
      integrationId: isChosen(draft.provenance.integrationId) ? draft.integrationId : undefined,
      configPath,
      buildOnPush: draft.ref.kind === 'branch' ? draft.buildOnPush : undefined,
    }),
    // The cluster is the same on another connection.
    listener: draft.listener?.name,
    secrets: originsOf(draft),
    secretReferences: referencesOf(draft),
  };
  const order: readonly DraftField[] = ['name', ...fieldsOf(draft).filter((field) => field !== 'name')];
  return Object.fromEntries(
    order.flatMap((field) => {
      const value = values[field];
      return value === undefined || value === '' ? [] : [[draftFields[field].key, value] as const];
    }),
  );
}

/** A value of a deployment's file. An undefined one, or an empty text, removes it. */
export interface FileValue {
  readonly path: SpecPath;
  readonly value: SpecValue | undefined;
}

function isChosen(provenance: Provenance | undefined): boolean {
  return ['user', 'list', 'lastTime', 'deployed', 'file'].includes(provenance?.kind ?? '');
}

/**
 * Sets values of a deployment in its text, or removes them, and changes no other line. One that it has already keeps its
 * comments. The name stays when it is emptied, because every deployment has one.
 */
export function withFileValues(text: string, values: readonly FileValue[]): EditResult {
  const document = readSpecText(text);
  const isThere = ({ path, value }: FileValue): boolean =>
    document.kind === 'readable' && sameSpecValue(valueAt(document.spec, path), value);
  const changed = values.filter((value) => !isThere(value));
  const edits = changed.map(({ path, value }): YamlEdit => {
    const isGone = value === undefined || (value === '' && path[0] !== 'name');
    return { kind: 'set', path, value: isGone ? undefined : fieldText(value) };
  });
  return applyEdits({ document }, edits, fileKeys);
}

/** A file in which parts of the text, which are in its order, are changed. */
export function changeParts<Part extends Pick<FileDeployment, 'start' | 'text'>>(
  file: string,
  parts: readonly Part[],
  change: (part: Part, index: number) => string,
): string {
  let end = 0;
  const texts = parts.flatMap((part, index) => {
    const between = file.slice(end, part.start);
    end = part.start + part.text.length;
    return [between, change(part, index)];
  });
  return [...texts, file.slice(end)].join('');
}

const { key: resourcesKey } = draftFields.resourceSpec;

/** The keys of a file in the order of a new one. */
const fileKeys = [
  ...new Set(['name', 'connection', ...allFields.map((field) => draftFields[field].key)]),
  ...specKeys.map((key) => `${resourcesKey}/${key}`),
];

/** The YAML below `resources`, without its indentation. Empty if there is none, or if the text can't be read. */
export function resourcesText(text: string): string {
  const document = readSpecText(text);
  if (document.kind === 'unreadable' || isEmptied(document.spec[resourcesKey] ?? {})) return '';
  // Ends as a text does to which a line was added.
  return `${specPart(document, resourcesKey).text}\n`;
}

/**
 * Applies edits of a deployment's resources to its text.
 * Refuses what nobody could read: it would make the whole file unreadable. The last value is removed with its key, unless
 * there are comments beside it.
 */
export function withResourceEdits(text: string, edits: readonly PathEdit[]): EditResult {
  const before = readSpecText(text);
  const inFile = edits.map((edit) => ({ ...edit, path: [resourcesKey, ...edit.path] }));
  const result = applyEdits({ document: before }, inFile, fileKeys);
  if (result.kind === 'refused') return result;
  const { document } = result.state;
  if (document.kind === 'unreadable') return { kind: 'refused', message: document.findings[0].message };
  if (!isEmptied(document.spec[resourcesKey])) return result;
  const last = before.kind === 'readable' ? memberAt(text, before.root, resourcesKey) : undefined;
  const change =
    isMap(last?.node) &&
    text.slice(last.afterMark, last.valueEnd).includes('#') &&
    !last.node.flow &&
    last.node.items.length === 1
      ? removal(text, last.node, 0)
      : undefined;
  if (change === undefined) return withFileValues(document.text, [{ path: [resourcesKey], value: undefined }]);
  return { kind: 'edited', state: { document: readSpecText(text.slice(0, change.start) + text.slice(change.end)) } };
}

function isEmptied(value: SpecValue | undefined): boolean {
  return isSpecMap(value) && Object.keys(value).length === 0;
}

/** A deployment of a file and of the service, and the config file of each relative to the file. */
interface Compared {
  readonly draft: DeploymentDraft;
  readonly configPath: string;
}

/** Writes the fields in which two drafts of a deployment differ into its text, and keeps order and comments. */
export function withDraftValues(text: string, before: Compared, after: Compared): EditResult {
  return withDifferences(text, valuesOf(before), valuesOf(after), []);
}

/**
 * The text of a deployment as it would be if its file said what the service has: with the file's order and comments, unless
 * aliases make it impossible to change one value. Fields that can't be compared stay as they are.
 */
export function textOfService(
  text: string,
  own: Compared,
  theirs: Compared,
  notCompared: readonly (DraftField | undefined)[],
): string {
  const after = valuesOf(theirs);
  const edited = withDifferences(text, valuesOf(own), after, notCompared);
  return edited.kind === 'edited' ? edited.state.document.text : yamlOf(after);
}

function valuesOf({ draft, configPath }: Compared): SpecMap {
  return toSpecMap(fileValues(draft, configPath));
}

function withDifferences(
  text: string,
  before: SpecMap,
  after: SpecMap,
  notCompared: readonly (DraftField | undefined)[],
): EditResult {
  const document = readSpecText(text);
  const written = document.kind === 'readable' ? document.spec : {};
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const skipped = new Set<string | undefined>(notCompared.map((field) => field && draftFields[field].key));
  const edits = keys
    .filter((key) => !skipped.has(key) && !isSame(key, before[key], after[key]))
    .flatMap((key): readonly YamlEdit[] => {
      const value = key === 'secrets' ? withOrigins(written[key], after[key]) : after[key];
      return isSpecList(value) && isSpecList(written[key])
        ? listEdits(key, written[key], value)
        : [setting([key], value)];
    });
  return applyEdits({ document }, edits, keys);
}

/** The edits that make one list of another, and leave alone the items that both have. No item is in a list twice. */
function listEdits(key: string, before: readonly SpecValue[], after: readonly SpecValue[]): readonly YamlEdit[] {
  const wanted = new Set(after.map(inOneOrder));
  const gone = [...before.entries()].flatMap(([index, item]) => (wanted.has(inOneOrder(item)) ? [] : [index]));
  const removed = new Set(gone.slice(0, Math.max(before.length - after.length, 0)));
  const left = before.filter((_, index) => !removed.has(index));
  const edits = [
    ...[...removed].toReversed().map((index) => setting([key, index], undefined)),
    ...after.flatMap((item, index) => (sameSpecValue(left[index], item) ? [] : [setting([key, index], item)])),
  ];
  return edits.length > mostSingleEdits ? [setting([key], after)] : edits;
}

/** The same text for the same item, whatever the order of its keys. */
function inOneOrder(item: SpecValue): string {
  return JSON.stringify(item, isSpecMap(item) ? Object.keys(item).toSorted() : undefined);
}

function setting(path: SpecPath, value: SpecValue | undefined): YamlEdit {
  return { kind: 'set', path, value: value === undefined ? undefined : fieldText(value) };
}

/** Whether both have the same value. Of secrets only the names are known. */
function isSame(key: string, own: SpecValue | undefined, theirs: SpecValue | undefined): boolean {
  if (key !== 'secrets') return sameSpecValue(own, theirs);
  const namesOf = (value: SpecValue | undefined) => (isSpecMap(value) ? Object.keys(value).toSorted() : []);
  return sameSpecValue(namesOf(own), namesOf(theirs));
}

function withOrigins(own: SpecValue | undefined, theirs: SpecValue | undefined): SpecValue | undefined {
  if (!isSpecMap(theirs)) return theirs;
  return Object.fromEntries(Object.entries(theirs).map(([name, origin]) => [name, valueAt(own, [name]) ?? origin]));
}

function fieldText(value: SpecValue): FieldText {
  const text = yamlOf(value).trimEnd();
  return { style: typeof value === 'object' && value !== null ? 'block' : 'inline', text };
}

function referencesOf(draft: DeploymentDraft): DeploymentSpec['secret_references'] {
  if (draft.source !== 'external_docker' || draft.secretReferences.length === 0) return undefined;
  return draft.secretReferences.map(({ name, secretName: secret, secretKey: key }) => ({ name, secret, key }));
}

function originsOf({ secrets }: DeploymentDraft): Readonly<Record<string, SecretOrigin>> | undefined {
  if (secrets.length === 0) return undefined;
  return Object.fromEntries(secrets.map(({ name, isStored }) => [name, isStored ? 'stored' : 'ask']));
}
