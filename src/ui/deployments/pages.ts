import { servicePageUrl } from '../../api/http/baseUrl.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Connection } from '../../state/connections/connection.ts';

/** The address of a deployed application, where the service gives one that a browser can be sent to. */
export function applicationUrl(deployment: Deployment): string | undefined {
  const url = deployment.source_config?.custom_url;
  if (url === undefined || !URL.canParse(url)) return undefined;
  return ['http:', 'https:'].includes(new URL(url).protocol) ? url : undefined;
}

/** The service's own page of a deployment, where its flavor has one. */
export function servicePage(connection: Connection, deployment: Deployment): string | undefined {
  return connection.kind === 'local' ? undefined : servicePageUrl(connection.flavor, connection.baseUrl, deployment);
}
