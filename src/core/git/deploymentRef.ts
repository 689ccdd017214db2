/** The ref to deploy. Branches move; tags and commits don't. */
export interface DeploymentRef {
  kind: 'branch' | 'tag' | 'commit';
  name: string;
}

/**
 * Parses a ref as a user or a service writes it.
 * `refs/tags/…` is a tag, 40 hexadecimal digits are a commit, and `refs/heads/…` or a bare name is a branch.
 */
export function parseDeploymentRef(text: string): DeploymentRef {
  const ref = text.trim();
  if (ref.startsWith('refs/tags/')) {
    return { kind: 'tag', name: ref.slice('refs/tags/'.length) };
  }
  if (/^[0-9a-f]{40}$/i.test(ref)) {
    return { kind: 'commit', name: ref.toLowerCase() };
  }
  return { kind: 'branch', name: ref.replace(/^refs\/heads\//, '') };
}

/** Writes a ref as the interface takes it. A tag gets its full name, which no branch has. */
export function deploymentRefText(ref: DeploymentRef): string {
  return ref.kind === 'tag' ? `refs/tags/${ref.name}` : ref.name;
}
