import * as l10n from '@vscode/l10n';
import type { Deployment, DeploymentListQuery } from './deployments.ts';
import { ApiError } from './errors.ts';
import type { CallOptions } from './http.ts';
import { MAX_PAGE_SIZE } from './limits.ts';
import { isUnreadable } from './page.ts';
import type { Page } from './page.ts';

type List = (query: DeploymentListQuery, options?: CallOptions) => Promise<Page<Deployment>>;

/**
 * A create that failed after it was sent may have worked all the same, and it must not be sent again. This looks the
 * name up once and gives the failure with what was found in its message. Other failures are given back as they are.
 */
export async function explainFailedCreate(
  failure: unknown,
  name: string,
  list: List,
  options: CallOptions | undefined,
): Promise<unknown> {
  if (!(failure instanceof ApiError) || !isAmbiguous(failure)) return failure;
  const finding = await lookUp(name, list, options);
  const { kind, status, requestId, fields, retryAfterMs, sent, cause } = failure;
  return new ApiError({
    kind,
    message: `${failure.message} ${finding}`,
    status,
    requestId,
    fields,
    retryAfterMs,
    sent,
    cause,
  });
}

function isAmbiguous({ sent, kind }: ApiError): boolean {
  return sent && (kind === 'network' || kind === 'timeout' || kind === 'server' || kind === 'unexpectedResponse');
}

async function lookUp(name: string, list: List, options: CallOptions | undefined): Promise<string> {
  try {
    const { resources } = await list({ name_contains: name, limit: MAX_PAGE_SIZE }, options);
    return resources.some((row) => !isUnreadable(row) && row.name === name)
      ? l10n.t('A deployment named "{0}" exists now. Look at it before you create it again.', name)
      : l10n.t('No deployment named "{0}" was found, so it was probably not created.', name);
  } catch {
    return l10n.t('Whether a deployment named "{0}" exists now could not be found out.', name);
  }
}
