/**
 * Corrects the address of the tracing service (`api.smith…`, `smith…`) to the deployment service's base URL.
 * Undefined for any other address.
 */
export function correctTracingAddress(baseUrl: string): string | undefined {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const region = /^(?:(?<region>eu|apac|aws)\.)?(?:api\.)?smith\.langchain\.com$/.exec(host)?.groups;
  if (region === undefined) return undefined;
  const prefix = region['region'] === undefined ? '' : `${region['region']}.`;
  return `https://${prefix}api.host.langchain.com`;
}
