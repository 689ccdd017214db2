/** A repository on a code host: how all of its addresses name it, and the path of its web page. */
export interface HostedRepository {
  readonly host: string;
  /** All folders above the name. */
  readonly owner: readonly string[];
  readonly name: string;
  readonly page: readonly string[];
  /** The path from that page to those of commits. Missing where the host's pages aren't known. */
  readonly commits?: readonly string[] | undefined;
}

/** The main names of hosts that serve ssh under a second name. */
const mainNames = new Map([
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
  ['ssh.dev.azure.com', 'dev.azure.com'],
  ['vs-ssh.visualstudio.com', 'dev.azure.com'],
]);

const knownHosts = new Set(mainNames.values());

/** The main name of a host, in lowercase. */
function mainName(host: string): string {
  const lower = host.toLowerCase();
  return mainNames.get(lower) ?? lower;
}

/**
 * Whether a name is an alias for a host. A name with a dot may be the host's own, which ssh reaches elsewhere.
 * @param behind the host that ssh connects to
 */
export function isAliasOf(name: string, behind: string): boolean {
  if (isKnownHost(name) || /^[\d.]+$/.test(behind)) return false;
  return !name.includes('.') || isKnownHost(behind) || name.toLowerCase().includes(behind.toLowerCase());
}

/** Whether a host is known, so its name can't be an alias. */
export function isKnownHost(host: string): boolean {
  return knownHosts.has(mainName(host)) || azureAccount.test(host);
}

/** Reads the path of a repository's address as its code host does. Undefined if the path is empty. */
export function onCodeHost(host: string, port: string, path: readonly string[]): HostedRepository | undefined {
  const main = mainName(host);
  return azureRepository(main, path) ?? dataCenterRepository(main, port, path) ?? plainRepository(main, path);
}

const commitPaths = new Map([
  ['github.com', ['commit']],
  ['gitlab.com', ['-', 'commit']],
  ['bitbucket.org', ['commits']],
]);

function plainRepository(host: string, path: readonly string[]): HostedRepository | undefined {
  const name = path.at(-1);
  if (name === undefined) return undefined;
  return { host, owner: path.slice(0, -1), name, page: path, commits: commitPaths.get(host) };
}

const azureAccount = /^([\w-]+)\.visualstudio\.com$/i;

/** Parts of Azure DevOps' addresses that name nothing. */
const azureMarks = new Set(['_git', '_full', '_optimized', 'defaultcollection']);

/** Azure DevOps' addresses differ for https, ssh, older accounts, and projects with a repository of their name. */
function azureRepository(host: string, path: readonly string[]): HostedRepository | undefined {
  const account = azureAccount.exec(host)?.[1];
  if (host !== 'dev.azure.com' && account === undefined) return undefined;
  const isSsh = path[0] === 'v3';
  if (!isSsh && !path.includes('_git')) return undefined;
  const named = isSsh ? path.slice(1) : path.filter((part) => !azureMarks.has(part.toLowerCase()));
  const [organization, project, name = project, ...more] = account === undefined ? named : [account, ...named];
  if (organization === undefined || project === undefined || name === undefined || more.length > 0) return undefined;
  return {
    host: 'dev.azure.com',
    owner: [organization, project],
    name,
    page: [organization, project, '_git', name],
    commits: ['commit'],
  };
}

/** Bitbucket Data Center's port for ssh. */
const dataCenterPort = '7999';

/** Bitbucket Data Center serves pages and clones at different paths, below a folder if it is set up so. */
function dataCenterRepository(host: string, port: string, path: readonly string[]): HostedRepository | undefined {
  if (knownHosts.has(host)) return undefined;
  const browsed = path.at(-1) === 'browse' ? path.slice(0, -1) : path;
  for (const start of [0, 1]) {
    const [first, project, third, fourth, ...more] = browsed.slice(start);
    if (project === undefined || third === undefined || more.length > 0) continue;
    const context = browsed.slice(0, start);
    if (first === 'scm' && fourth === undefined) return inProject(host, context, project, third);
    if (fourth === undefined || third !== 'repos') continue;
    if (first === 'projects') return inProject(host, context, project, fourth);
    if (first === 'users') return inProject(host, context, `~${project}`, fourth);
  }
  const [project, name, ...more] = path;
  if (port !== dataCenterPort || project === undefined || name === undefined || more.length > 0) return undefined;
  return inProject(host, [], project, name);
}

function inProject(host: string, context: readonly string[], project: string, name: string): HostedRepository {
  const folder = project.startsWith('~') ? ['users', project.slice(1)] : ['projects', project];
  return { host, owner: [project], name, page: [...context, ...folder, 'repos', name], commits: ['commits'] };
}
