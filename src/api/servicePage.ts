import { encodeStep, withoutTrailingSlashes } from './baseUrl.ts';
import type { FlavorName } from './flavor.ts';

/**
 * The service's own web page of a deployment, or undefined where the flavor has none or the tenant is not known.
 * Self-hosted services carry it beside their `/api-host`.
 */
export function servicePageUrl(
  flavor: FlavorName,
  baseUrl: string,
  deployment: { readonly id: string; readonly tenant_id?: string | undefined },
): string | undefined {
  if (flavor !== 'langsmith' || deployment.tenant_id === undefined || !URL.canParse(baseUrl)) return undefined;
  const { protocol, host, pathname } = new URL(baseUrl);
  const hosted = /^(?<region>(?:eu|apac|aws)\.)?api\.host\.langchain\.com$/.exec(host)?.groups;
  const selfHostedPrefix = withoutTrailingSlashes(pathname).replace(/\/api-host$/, '');
  const site =
    hosted === undefined
      ? `${protocol}//${host}${selfHostedPrefix}`
      : `https://${hosted['region'] ?? ''}smith.langchain.com`;
  const tenant = encodeStep(deployment.tenant_id);
  return `${site}/o/${tenant}/host/deployments/${encodeStep(deployment.id)}`;
}
