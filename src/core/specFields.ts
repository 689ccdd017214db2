import * as l10n from '@vscode/l10n';
import type { ResourceSpec } from '../api/resourceSpec.ts';

/** The keys of "Resource spec" whose values are numbers. */
export type NumberKey = {
  [Key in keyof ResourceSpec]-?: NonNullable<ResourceSpec[Key]> extends number ? Key : never;
}[keyof ResourceSpec];

/** The other keys, each edited in its own way. */
export type OtherKey = Exclude<keyof ResourceSpec, NumberKey>;

export type SpecKey = NumberKey | OtherKey;

/** What a number of the spec counts; everything but its group follows from it. */
export type NumberRole =
  | 'minScale'
  | 'maxScale'
  | 'cpu'
  | 'cpuLimit'
  | 'memory'
  | 'memoryLimit'
  | 'storage'
  | 'connections';

export type GroupId = 'scale' | 'main' | 'queue' | 'orchestrator' | 'executor' | 'redis' | 'database';

export interface NumberField {
  readonly key: NumberKey;
  readonly group: GroupId;
  readonly role: NumberRole;
}

/** Two fields of which the second must not be below the first: minimum and maximum, request and limit. */
export interface FieldPair {
  readonly lower: NumberField;
  readonly upper: NumberField;
}

export interface FieldGroup {
  readonly id: GroupId;
  /** One line of the form each: a pair side by side, or a field alone. */
  readonly rows: readonly (readonly NumberField[])[];
}

export type FieldEditor = 'rows' | 'text' | 'names' | 'yaml';

export interface OtherField {
  readonly key: OtherKey;
  readonly editor: FieldEditor;
}

/** The table of "Resource spec", numeric fields: the group of each key and its role there. */
const numbers = {
  min_scale: ['scale', 'minScale'],
  max_scale: ['scale', 'maxScale'],
  cpu: ['main', 'cpu'],
  cpu_limit: ['main', 'cpuLimit'],
  memory_mb: ['main', 'memory'],
  memory_limit_mb: ['main', 'memoryLimit'],
  queue_min_scale: ['queue', 'minScale'],
  queue_max_scale: ['queue', 'maxScale'],
  queue_cpu: ['queue', 'cpu'],
  queue_cpu_limit: ['queue', 'cpuLimit'],
  queue_memory_mb: ['queue', 'memory'],
  queue_memory_limit_mb: ['queue', 'memoryLimit'],
  orchestrator_min_scale: ['orchestrator', 'minScale'],
  orchestrator_max_scale: ['orchestrator', 'maxScale'],
  orchestrator_cpu: ['orchestrator', 'cpu'],
  orchestrator_cpu_limit: ['orchestrator', 'cpuLimit'],
  orchestrator_memory_mb: ['orchestrator', 'memory'],
  orchestrator_memory_limit_mb: ['orchestrator', 'memoryLimit'],
  executor_cpu: ['executor', 'cpu'],
  executor_cpu_limit: ['executor', 'cpuLimit'],
  executor_memory_mb: ['executor', 'memory'],
  executor_memory_limit_mb: ['executor', 'memoryLimit'],
  redis_cpu: ['redis', 'cpu'],
  redis_cpu_limit: ['redis', 'cpuLimit'],
  redis_memory_mb: ['redis', 'memory'],
  redis_memory_limit_mb: ['redis', 'memoryLimit'],
  db_cpu: ['database', 'cpu'],
  db_cpu_limit: ['database', 'cpuLimit'],
  db_memory_mb: ['database', 'memory'],
  db_memory_limit_mb: ['database', 'memoryLimit'],
  db_storage_gi: ['database', 'storage'],
  db_max_connections: ['database', 'connections'],
} as const satisfies Record<NumberKey, readonly [GroupId, NumberRole]>;

/** How the fields that are no numbers are edited: one text, rows of key and value, a list of names, or YAML. */
const others = {
  labels: 'rows',
  annotations: 'rows',
  service_account_name: 'text',
  image_pull_secrets: 'names',
  volumes: 'yaml',
  volume_mounts: 'yaml',
  init_containers: 'yaml',
  sidecars: 'yaml',
} as const satisfies Record<OtherKey, FieldEditor>;

export const groupIds = ['scale', 'main', 'queue', 'orchestrator', 'executor', 'redis', 'database'] as const;

const rowRoles = [
  ['minScale', 'maxScale'],
  ['cpu', 'cpuLimit'],
  ['memory', 'memoryLimit'],
  ['storage'],
  ['connections'],
] as const;

export const numberFields: readonly NumberField[] = Object.keys(numbers)
  .filter(isNumberKey)
  .map((key) => ({ key, group: numbers[key][0], role: numbers[key][1] }));

export const otherFields: readonly OtherField[] = Object.keys(others)
  .filter(isOtherKey)
  .map((key) => ({ key, editor: others[key] }));

export const fieldGroups: readonly FieldGroup[] = groupIds.map((id) => ({
  id,
  rows: rowRoles.map((roles) => roles.flatMap((role) => fieldOf(id, role) ?? [])).filter((row) => row.length > 0),
}));

export const fieldPairs: readonly FieldPair[] = fieldGroups.flatMap((group) =>
  group.rows.flatMap(([lower, upper]) => (lower === undefined || upper === undefined ? [] : [{ lower, upper }])),
);

/** Every key of the spec, in the order in which a new document lists them. */
export const specKeys: readonly SpecKey[] = [
  ...numberFields.map((field) => field.key),
  ...otherFields.map((field) => field.key),
];

export function isNumberKey(key: string): key is NumberKey {
  return Object.hasOwn(numbers, key);
}

export function isOtherKey(key: string): key is OtherKey {
  return Object.hasOwn(others, key);
}

export function isSpecKey(key: string): key is SpecKey {
  return isNumberKey(key) || isOtherKey(key);
}

/** The field that plays a role in a group, if the group has one. */
export function fieldOf(group: GroupId, role: NumberRole): NumberField | undefined {
  return numberFields.find((field) => field.group === group && field.role === role);
}

/** The group of a numeric key and its role there. */
export function placeOf(key: NumberKey): { readonly group: GroupId; readonly role: NumberRole } {
  const [group, role] = numbers[key];
  return { group, role };
}

/** How a field that is no number is edited. */
export function editorOf(key: OtherKey): FieldEditor {
  return others[key];
}

/** The unit that a person reads beside the number. */
export function unitOf(role: NumberRole): string {
  switch (role) {
    case 'minScale':
    case 'maxScale':
      return l10n.t('replicas');
    case 'cpu':
    case 'cpuLimit':
      return l10n.t('cores');
    case 'memory':
    case 'memoryLimit':
      return l10n.t('MB');
    case 'storage':
      return l10n.t('Gi');
    case 'connections':
      return l10n.t('connections');
  }
}

/** Only cpu may be a fraction; the form asks for whole units everywhere else. */
export function isWhole(role: NumberRole): boolean {
  return role !== 'cpu' && role !== 'cpuLimit';
}
