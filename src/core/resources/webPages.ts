import type { FlavorName } from '../../api/flavor.ts';
import { servicePageUrl } from '../../api/http/baseUrl.ts';
import type { Deployment } from '../../api/resources/deployments.ts';

/** The service that a deployment is on. */
type DeploymentService =
  | { readonly kind: 'local' }
  | { readonly kind: 'service'; readonly flavor: FlavorName; readonly baseUrl: string };

/** The address of a deployed application, where the service gives one that a browser can be sent to. */
export function applicationUrl(deployment: Deployment): string | undefined {
  const url = deployment.source_config?.custom_url;
  if (url === undefined || !URL.canParse(url)) return undefined;
  return ['http:', 'https:'].includes(new URL(url).protocol) ? url : undefined;
}

/** The service's own page of a deployment, where its flavor has one. */
export function servicePage(service: DeploymentService, deployment: Deployment): string | undefined {
  return service.kind === 'local' ? undefined : servicePageUrl(service.flavor, service.baseUrl, deployment);
}
