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
  /** Fields of which exactly one must be there, if there are such. */
  readonly oneOf: readonly string[];
}

type FieldsOf<Wire> = { readonly [Key in keyof Named<Wire>]-?: Shape };
/** The fields that the interface names: an open object has an index signature besides. */
type Named<Wire> = { [Key in keyof Wire as string extends Key ? never : Key]: Wire[Key] };

const text: Shape = { kind: 'text' };
const freeForm: Shape = { kind: 'freeForm' };
const oneOfTexts = (...values: readonly string[]): Shape => ({ kind: 'text', values });
const list = (item: Shape): Shape => ({ kind: 'list', item });

function record(
  noun: RecordShape['noun'],
  needed: RecordShape['needed'],
  fields: RecordShape['fields'],
  oneOf: RecordShape['oneOf'] = [],
): RecordShape {
  return { kind: 'record', noun, needed, fields, oneOf };
}

/** The eight members of "volumes" that say what a volume is. */
const volumeKinds = {
  configMap: freeForm,
  secret: freeForm,
  emptyDir: freeForm,
  persistentVolumeClaim: freeForm,
  nfs: freeForm,
  projected: freeForm,
  downwardAPI: freeForm,
  csi: freeForm,
};

const volume = record(
  () => l10n.t('a volume'),
  ['name'],
  { name: text, ...volumeKinds } satisfies FieldsOf<Volume>,
  Object.keys(volumeKinds),
);

const volumeMount = record(() => l10n.t('a volume mount'), ['name', 'mountPath'], {
  name: text,
  mountPath: text,
  subPath: text,
  subPathExpr: text,
  mountPropagation: oneOfTexts('None', 'HostToContainer', 'Bidirectional'),
  readOnly: { kind: 'flag' },
} satisfies FieldsOf<VolumeMount>);

const environmentVariable = record(() => l10n.t('an environment variable'), ['name'], {
  name: text,
  value: text,
  valueFrom: freeForm,
} satisfies FieldsOf<EnvironmentVariable>);

const resources = record(() => l10n.t('resources'), [], {
  limits: freeForm,
  requests: freeForm,
} satisfies FieldsOf<NonNullable<Container['resources']>>);

const container = record(() => l10n.t('a container'), ['name', 'image'], {
  name: text,
  image: text,
  imagePullPolicy: oneOfTexts('Always', 'IfNotPresent', 'Never'),
  workingDir: text,
  restartPolicy: oneOfTexts('Always', 'OnFailure', 'Never'),
  command: list(text),
  args: list(text),
  env: list(environmentVariable),
  envFrom: list(freeForm),
  resources,
  volumeMounts: list(volumeMount),
  securityContext: freeForm,
} satisfies FieldsOf<Container>);

/** The shapes of the fields that are no numbers ("Resource spec", other fields). */
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
