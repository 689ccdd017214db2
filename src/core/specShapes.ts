import * as l10n from '@vscode/l10n';
import type { Container, EnvironmentVariable, Volume, VolumeMount } from '../api/resourceSpec.ts';

/** What a value may look like, as plain data: checks, completion and hover read the same table. */
export type Shape =
  | { readonly kind: 'text'; readonly values?: readonly string[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'freeForm' }
  | { readonly kind: 'list'; readonly item: Shape }
  | RecordShape;

export interface RecordShape {
  readonly kind: 'record';
  /** What one such object is called in a sentence, such as "a container". */
  readonly noun: () => string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** Fields without which Kubernetes can do nothing with the object. */
  readonly needed: readonly string[];
  /** Fields of which exactly one must be there. */
  readonly oneOf?: readonly string[];
}

type FieldsOf<Wire> = { readonly [Key in keyof Named<Wire>]-?: Shape };
/** The fields that the interface names: an open object has an index signature besides. */
type Named<Wire> = { [Key in keyof Wire as string extends Key ? never : Key]: Wire[Key] };

const text: Shape = { kind: 'text' };
const freeForm: Shape = { kind: 'freeForm' };

/** The eight members of "volumes" that say what a volume is. */
export const volumeKinds = [
  'configMap',
  'secret',
  'emptyDir',
  'persistentVolumeClaim',
  'nfs',
  'projected',
  'downwardAPI',
  'csi',
] as const;

const volume: RecordShape = {
  kind: 'record',
  noun: () => l10n.t('a volume'),
  needed: ['name'],
  oneOf: volumeKinds,
  fields: {
    name: text,
    configMap: freeForm,
    secret: freeForm,
    emptyDir: freeForm,
    persistentVolumeClaim: freeForm,
    nfs: freeForm,
    projected: freeForm,
    downwardAPI: freeForm,
    csi: freeForm,
  } satisfies FieldsOf<Volume>,
};

const volumeMount: RecordShape = {
  kind: 'record',
  noun: () => l10n.t('a volume mount'),
  needed: ['name', 'mountPath'],
  fields: {
    name: text,
    mountPath: text,
    subPath: text,
    subPathExpr: text,
    mountPropagation: { kind: 'text', values: ['None', 'HostToContainer', 'Bidirectional'] },
    readOnly: { kind: 'flag' },
  } satisfies FieldsOf<VolumeMount>,
};

const environmentVariable: RecordShape = {
  kind: 'record',
  noun: () => l10n.t('an environment variable'),
  needed: ['name'],
  fields: { name: text, value: text, valueFrom: freeForm } satisfies FieldsOf<EnvironmentVariable>,
};

const resources: RecordShape = {
  kind: 'record',
  noun: () => l10n.t('resources'),
  needed: [],
  fields: { limits: freeForm, requests: freeForm } satisfies FieldsOf<NonNullable<Container['resources']>>,
};

const container: RecordShape = {
  kind: 'record',
  noun: () => l10n.t('a container'),
  needed: ['name', 'image'],
  fields: {
    name: text,
    image: text,
    imagePullPolicy: { kind: 'text', values: ['Always', 'IfNotPresent', 'Never'] },
    workingDir: text,
    restartPolicy: { kind: 'text', values: ['Always', 'OnFailure', 'Never'] },
    command: { kind: 'list', item: text },
    args: { kind: 'list', item: text },
    env: { kind: 'list', item: environmentVariable },
    envFrom: { kind: 'list', item: freeForm },
    resources,
    volumeMounts: { kind: 'list', item: volumeMount },
    securityContext: freeForm,
  } satisfies FieldsOf<Container>,
};

const pullSecret: RecordShape = {
  kind: 'record',
  noun: () => l10n.t('an image pull secret'),
  needed: ['name'],
  fields: { name: text },
};

/** The shapes of the fields that are no numbers ("Resource spec", other fields). */
export const otherShapes = {
  labels: freeForm,
  annotations: freeForm,
  service_account_name: text,
  image_pull_secrets: { kind: 'list', item: pullSecret },
  volumes: { kind: 'list', item: volume },
  volume_mounts: { kind: 'list', item: volumeMount },
  init_containers: { kind: 'list', item: container },
  sidecars: { kind: 'list', item: container },
} as const satisfies Record<string, Shape>;

/** The shape found by following keys from a field of the spec; positions in lists are left out. */
export function shapeAt(key: keyof typeof otherShapes, names: readonly string[]): Shape | undefined {
  let shape: Shape | undefined = otherShapes[key];
  for (const name of names) {
    shape = itemShape(shape);
    if (shape?.kind !== 'record' || !Object.hasOwn(shape.fields, name)) return undefined;
    shape = shape.fields[name];
  }
  return itemShape(shape);
}

/** What stands in a list, and the shape itself where it is no list. */
function itemShape(shape: Shape | undefined): Shape | undefined {
  return shape?.kind === 'list' ? shape.item : shape;
}
