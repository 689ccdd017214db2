import * as l10n from '@vscode/l10n';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';

/** The meaning of a number in the spec. Together with the group, it determines the key. */
export type NumberRole =
  | 'minScale'
  | 'maxScale'
  | 'cpu'
  | 'cpuLimit'
  | 'memory'
  | 'memoryLimit'
  | 'storage'
  | 'connections';

/** The numeric fields of table "Resource spec": the keys of each group by role. */
const groups = {
  scale: { minScale: 'min_scale', maxScale: 'max_scale' },
  main: { cpu: 'cpu', cpuLimit: 'cpu_limit', memory: 'memory_mb', memoryLimit: 'memory_limit_mb' },
  queue: {
    minScale: 'queue_min_scale',
    maxScale: 'queue_max_scale',
    cpu: 'queue_cpu',
    cpuLimit: 'queue_cpu_limit',
    memory: 'queue_memory_mb',
    memoryLimit: 'queue_memory_limit_mb',
  },
  orchestrator: {
    minScale: 'orchestrator_min_scale',
    maxScale: 'orchestrator_max_scale',
    cpu: 'orchestrator_cpu',
    cpuLimit: 'orchestrator_cpu_limit',
    memory: 'orchestrator_memory_mb',
    memoryLimit: 'orchestrator_memory_limit_mb',
  },
  executor: {
    cpu: 'executor_cpu',
    cpuLimit: 'executor_cpu_limit',
    memory: 'executor_memory_mb',
    memoryLimit: 'executor_memory_limit_mb',
  },
  redis: {
    cpu: 'redis_cpu',
    cpuLimit: 'redis_cpu_limit',
    memory: 'redis_memory_mb',
    memoryLimit: 'redis_memory_limit_mb',
  },
  database: {
    cpu: 'db_cpu',
    cpuLimit: 'db_cpu_limit',
    memory: 'db_memory_mb',
    memoryLimit: 'db_memory_limit_mb',
    storage: 'db_storage_gi',
    connections: 'db_max_connections',
  },
} as const satisfies Record<string, Partial<Record<NumberRole, NumericKey>>>;

type NumericKey = {
  [Key in keyof ResourceSpec]-?: NonNullable<ResourceSpec[Key]> extends number ? Key : never;
}[keyof ResourceSpec];

export type GroupId = keyof typeof groups;

type KeysOf<Group> = Group[keyof Group];
export type NumberKey = { [Group in GroupId]: KeysOf<(typeof groups)[Group]> }[GroupId];

/** The keys that aren't in the table above. Each has its own editor. */
export type OtherKey = Exclude<keyof ResourceSpec, NumberKey>;

export type SpecKey = NumberKey | OtherKey;

export interface NumberField {
  readonly key: NumberKey;
  readonly group: GroupId;
  readonly role: NumberRole;
}

/** Two fields where the second must not be below the first: minimum and maximum, or request and limit. */
export interface FieldPair {
  readonly lower: NumberField;
  readonly upper: NumberField;
}

/** The editors of the other fields: one text, rows of key and value, a list of names, or of items with fields. */
const others = {
  labels: 'rows',
  annotations: 'rows',
  service_account_name: 'text',
  image_pull_secrets: 'names',
  volumes: 'items',
  volume_mounts: 'items',
  init_containers: 'items',
  sidecars: 'items',
} as const satisfies Record<OtherKey, string>;

export const groupIds = ['scale', 'main', 'queue', 'orchestrator', 'executor', 'redis', 'database'] as const;

const rowRoles = [
  ['minScale', 'maxScale'],
  ['cpu', 'cpuLimit'],
  ['memory', 'memoryLimit'],
  ['storage'],
  ['connections'],
] as const;

/** The groups with the lines of the form. Each line holds a pair of fields or a single one. */
export const fieldGroups = groupIds.map((id) => ({
  id,
  rows: rowRoles.map((roles) => roles.flatMap((role) => fieldOf(id, role) ?? [])).filter((row) => row.length > 0),
}));

export const numberFields: readonly NumberField[] = fieldGroups.flatMap(({ rows }) => rows.flat());

export const otherKeys: readonly OtherKey[] = Object.keys(others).filter(isOtherKey);

export const fieldPairs: readonly FieldPair[] = fieldGroups.flatMap((group) =>
  group.rows.flatMap(([lower, upper]) => (lower === undefined || upper === undefined ? [] : [{ lower, upper }])),
);

/** All keys of the spec, in the order of a new document. */
export const specKeys: readonly SpecKey[] = [...numberFields.map((field) => field.key), ...otherKeys];

export function isNumberKey(key: string): key is NumberKey {
  return numberFields.some((field) => field.key === key);
}

function isOtherKey(key: string): key is OtherKey {
  return Object.hasOwn(others, key);
}

/** The lists of the spec whose items have fields of their own. */
export type ItemsKey = { [Key in OtherKey]: (typeof others)[Key] extends 'items' ? Key : never }[OtherKey];

export function isItemsKey(key: SpecKey): key is ItemsKey {
  return !isNumberKey(key) && others[key] === 'items';
}

export function isSpecKey(key: string): key is SpecKey {
  return isNumberKey(key) || isOtherKey(key);
}

export function fieldOf(group: GroupId, role: NumberRole): NumberField | undefined {
  const keys: Partial<Readonly<Record<NumberRole, NumberKey>>> = groups[group];
  const key = keys[role];
  return key && { key, group, role };
}

export function placeOf(key: NumberKey): NumberField {
  const found = numberFields.find((field) => field.key === key);
  if (found === undefined) throw new RangeError(key);
  return found;
}

export function editorOf(key: SpecKey): (typeof others)[OtherKey] {
  return isNumberKey(key) ? 'text' : others[key];
}

export function unitOf(role: NumberRole): string {
  if (!isWhole(role)) return l10n.t('cores');
  if (role.startsWith('memory')) return l10n.t('MB');
  if (role === 'storage') return l10n.t('Gi');
  return role === 'connections' ? l10n.t('connections') : l10n.t('replicas');
}

/** Whether a number must be whole. Only CPU can be a fraction. */
export function isWhole(role: NumberRole): boolean {
  return !role.startsWith('cpu');
}
