import * as l10n from '@vscode/l10n';
import { ApiError } from '../errors.ts';
import { decoded, isLoopback } from './baseUrl.ts';
import type { TransportOptions } from './transport.ts';

/** A proxy address with its password split off. */
export interface Proxy {
  /** Without user information, for example `http://proxy:3128`. */
  readonly url: string;
  /** The value of `Proxy-Authorization`, if the address has user information. */
  readonly authorization?: string | undefined;
}

type ProxyOptions = Pick<TransportOptions, 'proxy' | 'editorProxy' | 'noProxy' | 'environment'>;

/**
 * Picks the proxy for a service: the connection's, else the editor's, else the environment's.
 * The last two are never used for this machine, because they can't reach a local service.
 * @throws ApiError `proxy` when the proxy's address is unusable.
 */
export function chooseProxy(origin: string, options: ProxyOptions): Proxy | undefined {
  const target = new URL(origin);
  const excluded = (hosts: readonly string[]) => hosts.some((host) => matches(host, target));
  if (isSet(options.proxy)) return excluded(options.noProxy ?? []) ? undefined : parseProxy(options.proxy);
  if (isLoopback(target.hostname)) return undefined;
  if (isSet(options.editorProxy)) return excluded(options.noProxy ?? []) ? undefined : parseProxy(options.editorProxy);

  const environment = options.environment ?? process.env;
  const lookUp = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  const fromEnvironment = lookUp(target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (!isSet(fromEnvironment) || excluded((lookUp('NO_PROXY') ?? '').split(/[\s,]+/))) return undefined;
  return parseProxy(fromEnvironment);
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/** Parses a proxy's address. The messages never quote it, because it can contain a password. */
function parseProxy(text: string): Proxy {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === '') {
    throw unusable(l10n.t("The proxy address isn't a web address. Enter one like http://host:3128."));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw unusable(
      l10n.t(
        '"{0}" proxies aren\'t supported. Use an http:// or https:// proxy, or set deploymentManager.network.transport to "editor".',
        url.protocol,
      ),
    );
  }
  if (url.username === '' && url.password === '') return { url: url.origin };
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return { url: url.origin, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function unusable(message: string): ApiError {
  return new ApiError({ kind: 'proxy', message, sent: false });
}

/** Whether an entry of a no-proxy list fits: `*`, `host`, `.suffix` or `*.suffix`, with or without a port. */
function matches(entry: string, target: URL): boolean {
  const parts = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d+))?$/.exec(entry.trim().toLowerCase())?.groups;
  const host = parts?.['host'] ?? '';
  if (host === '') return false;
  if (host === '*') return true;
  const targetPort = target.port || (target.protocol === 'https:' ? '443' : '80');
  if ((parts?.['port'] ?? targetPort) !== targetPort) return false;
  const suffix = host.replace(/^\*?\./, '');
  return target.hostname === suffix || target.hostname.endsWith(`.${suffix}`);
}
