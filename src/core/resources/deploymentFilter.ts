import * as l10n from '@vscode/l10n';
import type { DeploymentListQuery } from '../../api/resources/deployments.ts';
import { DEPLOYMENT_TYPES, REVISION_STATUSES } from '../../api/schema/enums.ts';
import { isRecord } from '../../api/schema/json.ts';
import { deploymentStatusView, revisionStatusView } from '../status/status.ts';

/** The filters of the deployment list (the interface, `GET /v2/deployments`), without paging. */
export type DeploymentFilter = Omit<DeploymentListQuery, 'limit' | 'offset'>;

/** Which revisions to show, with the client's names. */
export interface RevisionFilter {
  /** Empty for all. */
  readonly status: readonly string[];
  readonly remote_reconciled?: boolean | undefined;
}

export type FilterField = keyof DeploymentFilter;

/** All filters of the interface, in display order. */
export const filterFields = [
  'name_contains',
  'status',
  'deployment_type',
  'image_version',
  'tag_value_ids',
  'deployment_ids',
  'remote_reconciled',
] as const satisfies readonly FilterField[];

export function filterLabel(field: FilterField): string {
  const labels: Record<FilterField, string> = {
    name_contains: l10n.t('Name contains'),
    status: l10n.t('Status'),
    deployment_type: l10n.t('Type'),
    image_version: l10n.t('Image version'),
    tag_value_ids: l10n.t('Tag value IDs, separated by commas'),
    deployment_ids: l10n.t('Deployment IDs, separated by commas'),
    remote_reconciled: l10n.t('Reconciled'),
  };
  return labels[field];
}

/** The view's summary of its filter, such as `"agent" · Ready`. Empty without a filter. */
export function describeFilter(filter: DeploymentFilter): string {
  const count = (ids: string): number => ids.split(',').length;
  const parts: Record<FilterField, (value: string) => string> = {
    name_contains: (value) => `"${value}"`,
    status: describeStatuses,
    deployment_type: (value) => value,
    image_version: (value) => l10n.t('image {0}', value),
    tag_value_ids: (value) => (count(value) === 1 ? l10n.t('1 tag') : l10n.t('{0} tags', count(value))),
    deployment_ids: (value) => (count(value) === 1 ? l10n.t('1 ID') : l10n.t('{0} IDs', count(value))),
    remote_reconciled: (value) => reconciledWords(value === 'true'),
  };
  return filterFields
    .flatMap((field) =>
      filter[field] === undefined || filter[field] === null ? [] : parts[field](String(filter[field])),
    )
    .join(' · ');
}

function reconciledWords(isReconciled: boolean): string {
  return isReconciled ? l10n.t('reconciled') : l10n.t('not reconciled');
}

/** The display names of comma-separated deployment statuses. */
export function describeStatuses(statuses: string): string {
  return statuses
    .split(',')
    .map((status) => deploymentStatusView(status.trim()).label)
    .join(', ');
}

/** Reads a stored filter and drops invalid parts. */
export function parseFilter(value: unknown): DeploymentFilter {
  if (!isRecord(value)) return {};
  const entries = new Map(Object.entries(value));
  const text = (field: FilterField): string | undefined => {
    const entry = entries.get(field);
    return typeof entry === 'string' && entry.trim() !== '' ? entry.trim() : undefined;
  };
  const reconciled = entries.get('remote_reconciled');
  const filter: DeploymentFilter = {
    name_contains: text('name_contains'),
    status: text('status'),
    image_version: text('image_version'),
    tag_value_ids: listOf(text('tag_value_ids')),
    deployment_ids: listOf(text('deployment_ids')),
    deployment_type: DEPLOYMENT_TYPES.find((type) => type === text('deployment_type')),
    remote_reconciled: typeof reconciled === 'boolean' ? reconciled : undefined,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, entry]) => entry !== undefined));
}

/** The view's summary of the revisions it shows. Empty if it shows all. */
export function describeRevisionFilter({ status: statuses, remote_reconciled: reconciled }: RevisionFilter): string {
  const parts = [
    ...(statuses.length > mostNamedStatuses
      ? [l10n.t('{0} statuses', statuses.length)]
      : statuses.map((status) => revisionStatusView(status).label)),
    ...(reconciled === undefined ? [] : [reconciledWords(reconciled)]),
  ];
  return parts.length === 0 ? '' : l10n.t('revisions: {0}', parts.join(', '));
}

/** A view's title has room for a few words. */
const mostNamedStatuses = 2;

/** Reads a stored filter of revisions. A list of all statuses becomes an empty one. */
export function parseRevisionFilter(value: unknown): RevisionFilter {
  // Earlier versions stored only the list of statuses.
  const { status: list, remote_reconciled: reconciled } = isRecord(value) ? value : { status: value };
  const stored: readonly unknown[] = Array.isArray(list) ? list : [];
  const statuses = REVISION_STATUSES.filter((status) => stored.includes(status));
  const status = statuses.length === REVISION_STATUSES.length ? [] : statuses;
  return { status, ...(typeof reconciled === 'boolean' ? { remote_reconciled: reconciled } : {}) };
}

/** Joins IDs with commas. Accepts commas and white space between them. */
function listOf(text: string | undefined): string | undefined {
  const ids = text?.split(/[\s,]+/).filter((id) => id !== '') ?? [];
  return ids.length === 0 ? undefined : ids.join(',');
}
