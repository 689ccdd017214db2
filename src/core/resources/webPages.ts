import type { FlavorName } from '../../api/flavor.ts';
import { servicePageUrl } from '../../api/http/baseUrl.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { commitWebUrl } from '../git/remote.ts';

type DeploymentService =
  | { readonly kind: 'local' }
  | { readonly kind: 'service'; readonly flavor: FlavorName; readonly baseUrl: string };

/** The address of a deployed application, as the service gives it. */
export function applicationAddress({ source_config: config, url }: Deployment): string | undefined {
  return [config?.custom_url, url].find((address) => address !== undefined && address !== '');
}

/** The URL of a deployed application, if the service gives one that a browser can open. */
export function applicationUrl(deployment: Deployment): string | undefined {
  const address = applicationAddress(deployment) ?? '';
  // Some services leave out the scheme.
  const url = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(address) ? `https://${address}` : address;
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol) ? url : undefined;
}

/** The URL of the service's own page of a deployment, if its flavor has one. */
export function servicePage(service: DeploymentService, deployment: Deployment): string | undefined {
  return service.kind === 'local' ? undefined : servicePageUrl(service.flavor, service.baseUrl, deployment);
}

export function revisionCommit(revision: Revision | undefined): string | undefined {
  return revision?.source_revision_config?.repo_commit_sha;
}

/** The URL of the web page of a revision's commit, where the pages of its code host are known. */
export function commitPage(deployment: Deployment | undefined, revision: Revision): string | undefined {
  return commitWebUrl(deployment?.source_config?.repo_url ?? '', revisionCommit(revision) ?? '');
}
