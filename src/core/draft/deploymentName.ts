import { parseGitRemote } from '../git/remote.ts';
import type { DeploymentDraft } from './draft.ts';

/** The longest name known to be accepted (a DNS label). */
const longestDeploymentName = 63;

/** The longest name that self-hosted services are known to accept. */
export const longestSelfHostedName = 21;

/**
 * Suggests a deployment name: lowercase letters, digits and hyphens, a letter first, at most 63 characters.
 * If the config file is in a folder, adds that folder's name, because a repository may hold several applications.
 */
export function suggestDeploymentName(repositoryName: string, configPath: string): string {
  const folder = configPath.split('/').slice(0, -1).at(-1) ?? '';
  const words = [repositoryName, folder].map(nameWords).filter((word, index, all) => all.indexOf(word) === index);
  const joined = words.filter((word) => word !== '').join('-');
  const named = /^[a-z]/.test(joined) ? joined : `app-${joined}`;
  return named.slice(0, longestDeploymentName).replace(/(?<!-)-+$/, '');
}

/** The name that suits a config file of a repository. */
export function nameForRepository(repositoryUrl: string, configPath: string): string {
  return suggestDeploymentName(parseGitRemote(repositoryUrl)?.name ?? 'application', configPath);
}

/** The name that suits what a draft is made from. Without a clue, the name that it has. */
export function nameFor(draft: DeploymentDraft): string {
  if (draft.source === 'repohost') return nameForRepository(draft.repositoryUrl, draft.configPath);
  const path = draft.imageUri || draft.tarballPath;
  return path ? suggestDeploymentName(nameInPath(path), '') : draft.name;
}

/** Returns the name if it's free, else the name with the first free number from 2, in place of one that it got before. */
export function freeDeploymentName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  const before = name.replace(/-\d{1,3}$/, '');
  const base = isTaken(before) ? before : name;
  for (let number = 2; isTaken(free); number += 1) {
    const ending = `-${number}`;
    free = `${base.slice(0, longestDeploymentName - ending.length).replace(/(?<!-)-+$/, '')}${ending}`;
  }
  return free;
}

/** Whether every service is known to accept a name of this form. */
export function isUsualDeploymentName(name: string): boolean {
  return name.length <= longestDeploymentName && /^[a-z][a-z0-9-]*$/.test(name) && !name.endsWith('-');
}

/** The name in an image reference or in the path of a tarball: its last part, without tag, digest and ending. */
function nameInPath(path: string): string {
  const [withoutDigest = ''] = path.slice(0, 2048).split('@');
  const last = withoutDigest.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/:[^:]*$/, '').replace(/\.(?:tar\.gz|tgz|tar)$/i, '');
}

function nameWords(text: string): string {
  return text
    .slice(0, 4 * longestDeploymentName)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
}
