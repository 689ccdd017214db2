import * as vscode from 'vscode';
import { DEPLOYMENT_STATUSES, DEPLOYMENT_TYPES, REVISION_STATUSES } from '../../api/schema/enums.ts';
import {
  describeStatuses,
  filterFields,
  filterLabel,
  parseFilter,
  type DeploymentFilter,
  type FilterField,
} from '../../core/resources/deploymentFilter.ts';
import { deploymentStatusView, revisionStatusView } from '../../core/status/status.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { flavorOf } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { askChoice, askChoices, askText, back } from '../window/steps.ts';

interface FieldItem extends vscode.QuickPickItem {
  /** Undefined for the item that clears the filters. */
  readonly field?: FilterField;
}

/** Changes one field of the deployment filter, which the service applies at once. */
export async function filterDeployments(
  services: Pick<Services, 'deployments' | 'views'>,
  session: ReadySession,
): Promise<void> {
  const { deployments, views } = services;
  for (;;) {
    const { filter } = deployments;
    const choice = await askChoice<FieldItem>({
      title: vscode.l10n.t('Filter Deployments of {0}', session.connection.name),
      placeholder: vscode.l10n.t('Select a field to change; the service applies the filter'),
      items: [
        ...filterFields.map((field) => ({ field, label: filterLabel(field), description: wordsOf(field, filter) })),
        ...(deployments.filters.filtered !== false ? [{ label: vscode.l10n.t('$(clear-all) Clear Filters') }] : []),
      ],
    });
    if (choice === undefined) return;
    if (choice.field === undefined) {
      await clearFilters(services);
      return;
    }
    const value = await askValue(choice.field, filter);
    if (value !== undefined) {
      const changed = parseFilter({ ...filter, [choice.field]: value });
      await views.deployments.whileLoading(() => deployments.setFilter(changed));
      return;
    }
  }
}

/** Shows all deployments and all of their revisions again. */
export async function clearFilters({ deployments, views }: Pick<Services, 'deployments' | 'views'>): Promise<void> {
  await views.deployments.whileLoading(() => deployments.clearFilters());
}

/** The new value; empty removes the filter, undefined leaves it unchanged. */
async function askValue(field: FilterField, filter: DeploymentFilter): Promise<string | boolean | undefined> {
  switch (field) {
    case 'status': {
      const known = DEPLOYMENT_STATUSES.map((value) => {
        return { value, label: deploymentStatusView(value).label, description: value };
      });
      // Services add statuses.
      const typed = { value: 'typed' as const, label: vscode.l10n.t('Other…') };
      const answer = await askListed(field, [...known, typed]);
      return answer === 'typed' ? askTyped(field, filter) : answer;
    }
    case 'deployment_type':
      return askListed(
        field,
        DEPLOYMENT_TYPES.map((type) => ({ value: type, label: type })),
      );
    case 'remote_reconciled':
      return askListed(field, reconciledItems());
    case 'name_contains':
    case 'image_version':
    case 'tag_value_ids':
    case 'deployment_ids':
      return askTyped(field, filter);
  }
}

async function askTyped(field: FilterField, filter: DeploymentFilter): Promise<string | undefined> {
  const answer = await askText({
    title: filterLabel(field),
    prompt: vscode.l10n.t('Leave empty to show all.'),
    placeholder: filterLabel(field),
    value: textOf(filter[field]),
  });
  return answer === back ? undefined : answer;
}

async function askListed<T extends string | boolean>(
  field: FilterField,
  items: readonly (vscode.QuickPickItem & { readonly value: T })[],
): Promise<T | '' | undefined> {
  const all = { value: '' as const, label: vscode.l10n.t('All') };
  const choice = await askChoice<vscode.QuickPickItem & { readonly value: T | '' }>({
    title: filterLabel(field),
    placeholder: '',
    items: [all, ...items],
  });
  return choice?.value;
}

function wordsOf(field: FilterField, filter: DeploymentFilter): string {
  const text = textOf(filter[field]);
  return withoutIcons(field === 'status' && text !== '' ? describeStatuses(text) : text);
}

function textOf(value: string | boolean | null | undefined): string {
  return value === undefined || value === null ? '' : String(value);
}

/** Asks which revisions to show; selecting none or all of a kind shows all. */
export async function filterRevisions(
  { deployments, views }: Pick<Services, 'deployments' | 'views'>,
  { connection }: ReadySession,
): Promise<void> {
  const { status: statuses, remote_reconciled: reconciled } = deployments.filters.revisions;
  const items: (vscode.QuickPickItem & { readonly value: string | boolean })[] = REVISION_STATUSES.map((value) => {
    return { value, label: revisionStatusView(value).label, description: value, picked: statuses.includes(value) };
  });
  if (flavorOf(connection).revisionFilters.remote_reconciled !== undefined) {
    items.push(...reconciledItems().map((item) => ({ ...item, picked: item.value === reconciled })));
  }
  const chosen = await askChoices({
    title: vscode.l10n.t('Filter Revisions'),
    placeholder: vscode.l10n.t('Select the revisions to show; select none to show all'),
    items,
  });
  if (chosen === undefined) return;
  const values = chosen.map(({ value }) => value);
  const [only, other] = values.filter((value) => typeof value === 'boolean');
  const filter = {
    status: values.filter((value) => typeof value === 'string'),
    remote_reconciled: other === undefined ? only : undefined,
  };
  await views.deployments.whileLoading(() => deployments.setRevisionFilter(filter));
}

const reconciledItems = () => [
  { value: true, label: vscode.l10n.t('Reconciled only') },
  { value: false, label: vscode.l10n.t('Not reconciled only') },
];
