import * as l10n from '@vscode/l10n';
import { correctTracingAddress } from '../flavor.ts';

/** Suggests a next step when the public service's error message doesn't. */
export function hintFor(status: number, detail: string, origin: string): string | undefined {
  const corrected = status === 404 || status === 405 ? correctTracingAddress(origin) : undefined;
  if (corrected !== undefined) {
    return l10n.t('This is the address of the tracing service. The deployments are at {0}.', corrected);
  }
  if (status === 400 && detail.includes('listener_id')) {
    return l10n.t('Choose one of the listeners of your workspace.');
  }
  if (status === 403 && detail.includes('org-scoped')) {
    return l10n.t('Add the header X-Tenant-Id with your workspace id to the headers of the connection.');
  }
  if (status === 403 && detail.includes('not enabled')) {
    return l10n.t('Ask the owner of the organization to enable deployments.');
  }
  if (status === 409 && detail.includes('already exists')) {
    return l10n.t('A tracing project of that name may be left over. Choose another name, or delete the project.');
  }
  return undefined;
}
