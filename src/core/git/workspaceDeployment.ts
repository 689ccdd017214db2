import { sameRepository } from './remote.ts';

/** What a deployment is built from, as far as the service says so. */
export interface DeployedFrom {
  readonly id: string;
  readonly repositoryUrl?: string | undefined;
  readonly configPath?: string | undefined;
  /** A branch as it is called, or a full name such as `refs/tags/v1`. */
  readonly ref?: string | undefined;
}

/** A repository that is open in the editor. */
export interface OpenRepository {
  readonly remoteUrls: readonly string[];
  /** The branch that is checked out; undefined for a detached HEAD. */
  readonly branch?: string | undefined;
  /** Tells whether the working copy has a file, by its path from the root. */
  readonly hasFile: (path: string) => boolean;
}

/**
 * The deployments of an open repository: those built from the same repository; among them those whose config file is
 * there; among them those of the branch that is checked out. A step that would leave none is passed over. Several
 * remain where the rules cannot tell them apart: then a person has to.
 */
export function deploymentsOf(repository: OpenRepository, deployments: readonly DeployedFrom[]): readonly string[] {
  const { remoteUrls, branch, hasFile } = repository;
  const built = deployments.filter(({ repositoryUrl }) =>
    remoteUrls.some((url) => repositoryUrl !== undefined && sameRepository(url, repositoryUrl)),
  );
  const configured = preferred(built, ({ configPath }) => configPath !== undefined && hasFile(configPath));
  return preferred(configured, ({ ref }) => branch !== undefined && branchOf(ref) === branch).map(({ id }) => id);
}

/** Those of one repository's deployments that are the workspace's: what the person chose, or all where they did not. */
export function chosenOf(matches: readonly string[], chosen: readonly string[]): readonly string[] {
  return preferred(matches, (id) => chosen.includes(id));
}

/** The remembered choices with another one; choices among the deployments of other repositories stay. */
export function withChoice(chosen: readonly string[], id: string, alternatives: readonly string[]): readonly string[] {
  return [...chosen.filter((other) => !alternatives.includes(other)), id];
}

function preferred<T>(items: readonly T[], isBetter: (item: T) => boolean): readonly T[] {
  const better = items.filter(isBetter);
  return better.length > 0 ? better : items;
}

function branchOf(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '');
}
