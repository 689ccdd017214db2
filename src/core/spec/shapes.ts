import * as l10n from '@vscode/l10n';
import type { Container, EnvironmentVariable, Volume, VolumeMount } from '../../api/schema/resourceSpec.ts';
import { shortened } from '../text/text.ts';
import { errorAt, infoAt } from './findings.ts';
import type { Findings } from './findings.ts';
import { isAbsent, isSpecList, isSpecMap } from '../yaml/value.ts';
import type { SpecMap, SpecPath, SpecValue } from '../yaml/value.ts';

/** The allowed form of a value, as plain data that checks and completion share. */
export type Shape =
  | { readonly kind: 'text'; readonly values?: readonly string[] }
  | { readonly kind: 'flag' }
  /** Keys and values of any kind. Some of them are known. */
  | { readonly kind: 'freeForm'; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly kind: 'list'; readonly item: Shape }
  | RecordShape;

export interface RecordShape {
  readonly kind: 'record';
  /** The name of such an object in a sentence, such as "a container". */
  readonly noun: () => string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** Fields that Kubernetes requires. */
  readonly needed: readonly string[];
  /** Fields without which only a part of such an object is meant. */
  readonly expected: readonly string[];
  /** Fields of which exactly one must be set. Empty if there is no such rule. */
  readonly oneOf: readonly string[];
}

type FieldsOf<Wire> = { readonly [Key in keyof Named<Wire>]-?: Shape };
/** The fields that the interface names, without the index signature of an open object. */
type Named<Wire> = { [Key in keyof Wire as string extends Key ? never : Key]: Wire[Key] };

const text: Shape = { kind: 'text' };
const flag: Shape = { kind: 'flag' };
const freeFormWith = (fields: Readonly<Record<string, Shape>>): Shape => ({ kind: 'freeForm', fields });
const freeForm = freeFormWith({});
const optional = freeFormWith({ optional: flag });
const readOnly = freeFormWith({ readOnly: flag });
const oneOfTexts = (...values: readonly string[]): Shape => ({ kind: 'text', values });
const list = (item: Shape): Shape => ({ kind: 'list', item });

function record(
  noun: RecordShape['noun'],
  needed: RecordShape['needed'],
  fields: RecordShape['fields'],
  { oneOf = [], expected = [] }: Partial<Pick<RecordShape, 'oneOf' | 'expected'>> = {},
): RecordShape {
  return { kind: 'record', noun, needed, fields, oneOf, expected };
}

/** The eight fields of "volumes" that define the kind of volume. */
export const volumeKinds = {
  configMap: optional,
  secret: optional,
  emptyDir: freeForm,
  persistentVolumeClaim: readOnly,
  nfs: readOnly,
  projected: freeFormWith({ sources: list(freeFormWith({ configMap: optional, secret: optional })) }),
  downwardAPI: freeForm,
  csi: readOnly,
};

const volume = record(() => l10n.t('a volume'), ['name'], { name: text, ...volumeKinds } satisfies FieldsOf<Volume>, {
  oneOf: Object.keys(volumeKinds),
});

const volumeMount = record(() => l10n.t('a volume mount'), ['name', 'mountPath'], {
  name: text,
  mountPath: text,
  subPath: text,
  subPathExpr: text,
  mountPropagation: oneOfTexts('None', 'HostToContainer', 'Bidirectional'),
  readOnly: flag,
} satisfies FieldsOf<VolumeMount>);

const environmentVariable = record(() => l10n.t('an environment variable'), ['name'], {
  name: text,
  value: text,
  valueFrom: freeFormWith({ configMapKeyRef: optional, secretKeyRef: optional }),
} satisfies FieldsOf<EnvironmentVariable>);

const resources = record(() => l10n.t('resources'), [], {
  limits: freeForm,
  requests: freeForm,
} satisfies FieldsOf<NonNullable<Container['resources']>>);

const containerFields = {
  name: text,
  image: text,
  imagePullPolicy: oneOfTexts('Always', 'IfNotPresent', 'Never'),
  workingDir: text,
  restartPolicy: oneOfTexts('Always', 'OnFailure', 'Never'),
  command: list(text),
  args: list(text),
  env: list(environmentVariable),
  envFrom: list(freeFormWith({ configMapRef: optional, secretRef: optional })),
  resources,
  volumeMounts: list(volumeMount),
  securityContext: freeFormWith({
    allowPrivilegeEscalation: flag,
    privileged: flag,
    readOnlyRootFilesystem: flag,
    runAsNonRoot: flag,
  }),
} satisfies FieldsOf<Container>;

const container = record(() => l10n.t('a container'), ['name'], containerFields, { expected: ['image'] });

/** The shapes of the fields that aren't numbers ("Resource spec", other fields). */
export const otherShapes = {
  labels: freeForm,
  annotations: freeForm,
  service_account_name: text,
  image_pull_secrets: list(record(() => l10n.t('an image pull secret'), ['name'], { name: text })),
  volumes: list(volume),
  volume_mounts: list(volumeMount),
  init_containers: list(container),
  sidecars: list(container),
} as const satisfies Record<string, Shape>;

/** Finds where a value differs from its shape. Null equals absent. */
export function* checkShape(value: SpecValue | undefined, shape: Shape, path: SpecPath): Findings {
  if (isAbsent(value)) return;
  if (shape.kind === 'list' && isSpecList(value)) {
    for (const [index, item] of value.entries()) {
      const place = [...path, index];
      if (item === null) yield errorAt(place, l10n.t('This list item is empty. Fill it in or remove the line.'));
      else yield* checkShape(item, shape.item, place);
    }
  } else if (shape.kind === 'record' && isSpecMap(value)) {
    yield* checkRecord(value, shape, path);
  } else if (shape.kind === 'freeForm' && isSpecMap(value)) {
    for (const [key, field] of Object.entries(shape.fields)) {
      // The interface allows everything here.
      const findings = [...checkShape(value[key], field, [...path, key])];
      yield* findings.filter(({ severity }) => severity === 'info');
    }
  } else {
    const problem = kindProblem(value, shape);
    if (problem !== undefined) yield errorAt(path, problem);
    else if (shape.kind === 'text' && typeof value === 'string') yield* checkUsualText(value, shape.values, path);
    else if (shape.kind === 'flag' && typeof value === 'string') {
      yield infoAt(path, l10n.t('Kubernetes reads "{0}" as {1}. Better write {1}.', value, String(flagOf(value))));
    }
  }
}

/** Explains why a value has the wrong type. Undefined if it fits. */
function kindProblem(value: SpecValue, shape: Shape): string | undefined {
  const kind = kindWords(value);
  switch (shape.kind) {
    case 'text':
      if (typeof value === 'string') return undefined;
      return typeof value === 'object'
        ? l10n.t('This must be text, not {0}.', kind)
        : l10n.t('This must be text. Put it in quotes: "{0}".', String(value));
    case 'flag':
      return flagOf(value) === undefined ? l10n.t('Enter true or false, not {0}.', kind) : undefined;
    case 'freeForm':
      return l10n.t('Enter keys and values, not {0}.', kind);
    case 'list':
      return l10n.t('Enter a list (lines that begin with "- "), not {0}.', kind);
    case 'record':
      return l10n.t('Enter the fields of {0}, not {1}.', shape.noun(), kind);
  }
}

function* checkUsualText(value: string, usual: readonly string[] | undefined, path: SpecPath): Findings {
  if (usual === undefined || usual.includes(value)) return;
  const known = usual.join(', ');
  yield infoAt(path, l10n.t('"{0}" is unusual here. Kubernetes supports {1}.', shortened(value), known));
}

function* checkRecord(
  value: SpecMap,
  { noun, fields, needed, oneOf, expected }: RecordShape,
  path: SpecPath,
): Findings {
  for (const [key, member] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) yield errorAt([...path, key], unknownField(key, noun(), Object.keys(fields)), 'key');
    else yield* checkShape(member, field, [...path, key]);
  }
  for (const key of needed) {
    const isMissing = isAbsent(value[key]) || value[key] === '';
    if (isMissing) yield errorAt(path, l10n.t('The field "{0}" of {1} is missing.', key, noun()));
  }
  for (const key of expected) {
    if (!isAbsent(value[key]) && value[key] !== '') continue;
    yield infoAt(
      path,
      l10n.t('The field "{0}" of {1} is missing. Leave it out only to change {1} that the service adds.', key, noun()),
    );
  }
  const present = oneOf.filter((choice) => !isAbsent(value[choice]));
  if (oneOf.length > 0 && present.length === 0) {
    yield infoAt(
      path,
      l10n.t('No kind is set. Kubernetes takes this as an emptyDir. The kinds are {0}.', oneOf.join(', ')),
    );
  } else if (present.length > 1) {
    yield errorAt(path, l10n.t('Keep only one of {0}: {1} has a single type.', present.join(', '), noun()));
  }
}

function unknownField(key: string, noun: string, known: readonly string[]): string {
  const words = l10n.t('"{0}" isn\'t a field of {1} in this service.', shortened(key), noun);
  return `${words} ${l10n.t('The fields are {0}.', known.join(', '))}`;
}

/** The flag that a value is. Kubernetes reads YAML 1.1, which has more words for it. Undefined if it is none. */
export function flagOf(value: SpecValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(yes|y|on)$/i.test(value)) return true;
  return /^(no|n|off)$/i.test(value) ? false : undefined;
}

/** A spec as it is sent, with true and false for the flags that were written in other words. */
export function withPlainFlags(spec: SpecMap): SpecMap {
  const plain = (value: SpecValue, shape: Shape | undefined): SpecValue => {
    if (shape?.kind === 'flag') return flagOf(value) ?? value;
    if (shape?.kind === 'list' && isSpecList(value)) return value.map((item) => plain(item, shape.item));
    if ((shape?.kind !== 'record' && shape?.kind !== 'freeForm') || !isSpecMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, shape.fields[key])]));
  };
  const shapes: Readonly<Record<string, Shape>> = otherShapes;
  return Object.fromEntries(Object.entries(spec).map(([key, value]) => [key, plain(value, shapes[key])]));
}

/** Names the type of a value. Never quotes the value, which may be a secret. */
function kindWords(value: SpecValue): string {
  if (isSpecList(value)) return l10n.t('a list');
  if (isSpecMap(value)) return l10n.t('keys and values');
  if (typeof value === 'number') return l10n.t('a number');
  if (typeof value === 'boolean') return l10n.t('true or false');
  return l10n.t('text');
}
