import * as l10n from '@vscode/l10n';
import type { FilterField } from './deploymentFilter.ts';

/** The name of a filter of deployments. */
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
