import type { Git } from './git.ts';

export interface ConfiguredRemote {
  readonly name: string;
  /** As spelled in the configuration. */
  readonly url: string;
  /** Where git fetches from, after `url.*.insteadOf`. */
  readonly fetchUrl: string;
}

/**
 * Lists all remotes with their first URL, in the order of the configuration, and then those that can only be pushed to.
 * Reads the user's configuration too, because it may rewrite URLs.
 * @throws {GitError} git failed
 */
export async function readRemotes(git: Git): Promise<readonly ConfiguredRemote[]> {
  const remotes = new Map<string, string>();
  const pushed = new Map<string, string>();
  const rewrites: { readonly base: string; readonly insteadOf: string }[] = [];
  const args = ['config', '-z', '--get-regexp', String.raw`^(remote\..*\.(push)?url|url\..*\.insteadof)$`];
  const settings = await git.find(args, { withUserSettings: true });
  for (const entry of settings?.split('\0') ?? []) {
    const [, section, name, key, value] = /^(remote|url)\.([^\n]+)\.((?:push)?url|insteadof)\n(.+)$/s.exec(entry) ?? [];
    if (name === undefined || value === undefined) continue;
    if (section === 'url') rewrites.push({ base: name, insteadOf: value });
    else {
      const urls = key === 'url' ? remotes : pushed;
      if (!urls.has(name)) urls.set(name, value);
    }
  }
  const onlyPushed = [...pushed].filter(([name]) => !remotes.has(name));
  return [...remotes, ...onlyPushed].map(([name, url]) => {
    // Like git, take the longest beginning, and the first of equally long ones.
    const [rewrite] = rewrites
      .filter(({ insteadOf }) => url.startsWith(insteadOf))
      .toSorted((a, b) => b.insteadOf.length - a.insteadOf.length);
    return { name, url, fetchUrl: rewrite === undefined ? url : rewrite.base + url.slice(rewrite.insteadOf.length) };
  });
}
