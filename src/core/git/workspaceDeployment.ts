import * as l10n from '@vscode/l10n';
import type { Deployment } from '../../api/resources/deployments.ts';
import { deploymentRefText, parseDeploymentRef, type DeploymentRef } from './deploymentRef.ts';
import { pathBelow } from './folders.ts';
import { repositoryKey, sameRepository } from './remote.ts';

/** Groups deployments by the open repository that they are built from: the first one with such a remote. */
export function groupByRepository<T extends { readonly remoteUrls: readonly string[] }>(
  repositories: readonly T[],
  deployments: readonly Deployment[],
): ReadonlyMap<T, readonly Deployment[]> {
  const remotes = repositories.flatMap((each) => each.remoteUrls.map((url) => ({ url, each })));
  const byKey = new Map<string | undefined, typeof remotes>();
  for (const remote of remotes) {
    const key = repositoryKey(remote.url);
    byKey.set(key, [...(byKey.get(key) ?? []), remote]);
  }
  const groups = new Map<T, Deployment[]>();
  for (const deployment of deployments) {
    const built = deployment.source_config?.repo_url ?? '';
    const found = byKey.get(repositoryKey(built))?.find(({ url }) => sameRepository(url, built));
    if (found === undefined) continue;
    const group = groups.get(found.each) ?? [];
    group.push(deployment);
    groups.set(found.each, group);
  }
  return groups;
}

/** An open repository as git has read it, and the deployments that are built from it. */
export interface OpenRepository {
  /** The path of its folder. */
  readonly root: string;
  /** The checked-out branch, or the full name of a tag. Undefined for another commit. */
  readonly ref?: string | undefined;
  /** The config files of these deployments that the working copy has, from the root. */
  readonly configFiles: ReadonlySet<string>;
  readonly deployments: readonly Deployment[];
}

/**
 * Finds the workspace's own among the deployments built from an open repository.
 * Prefers an existing config file, then the checked-out ref. A preference that would leave none is skipped. If several
 * remain, the user has to choose.
 */
export function ownOf({ ref: checkedOut, configFiles, deployments }: OpenRepository): readonly Deployment[] {
  const configured = preferred(deployments, ({ source_revision_config: config }) => {
    return config?.graph_config_path !== undefined && configFiles.has(config.graph_config_path);
  });
  if (checkedOut === undefined) return configured;
  return preferred(configured, ({ source_revision_config: config }) => {
    return deploymentRefText(parseDeploymentRef(config?.repo_ref ?? '')) === checkedOut;
  });
}

/** The deployments that the user chose among a repository's matches, or all matches without a choice. */
export function chosenOf(matches: readonly string[], chosen: readonly string[]): readonly string[] {
  return preferred(matches, (id) => chosen.includes(id));
}

/** One of the workspace's own deployments, and where its files are. */
export interface OwnDeployment {
  readonly id: string;
  readonly isChosen: boolean;
  /** The path of the folder that has its config file. */
  readonly folder: string;
}

/**
 * The own deployment to show while none changes: the chosen one, else the one of the active file.
 * The innermost folder counts. Undefined if several fit equally.
 */
export function mainOf(
  own: readonly OwnDeployment[],
  activePath: string | undefined,
  platform: string,
): string | undefined {
  const candidates = preferred(own, ({ isChosen }) => isChosen);
  const around = candidates.filter(
    ({ folder }) => activePath !== undefined && pathBelow(folder, activePath, platform) !== undefined,
  );
  const innermost = Math.max(...around.map(({ folder }) => folder.length));
  return onlyId(candidates) ?? onlyId(around.filter(({ folder }) => folder.length === innermost));
}

function onlyId([only, another]: readonly OwnDeployment[]): string | undefined {
  return another === undefined ? only?.id : undefined;
}

/** Adds a choice, the newest first, and removes its alternatives. Choices for other repositories stay. */
export function withChoice(chosen: readonly string[], id: string, alternatives: readonly string[]): readonly string[] {
  return [id, ...chosen.filter((other) => !alternatives.includes(other))];
}

function preferred<T>(items: readonly T[], isBetter: (item: T) => boolean): readonly T[] {
  const better = items.filter(isBetter);
  return better.length > 0 ? better : items;
}

/** Where a search for the deployments of a repository stopped. */
export interface SearchEnd {
  readonly stoppedAt: 'name' | 'page' | 'end' | 'limit';
  /** How many deployments of the whole list were read. */
  readonly read: number;
}

/** Says where a search stopped, and so what it may have missed. */
export function searchWords({ stoppedAt, read }: SearchEnd): string {
  switch (stoppedAt) {
    case 'name':
      return l10n.t('found by name; others may have another name');
    case 'page':
      return l10n.t('stopped at a match in the first {0}', read);
    case 'end':
      return l10n.t('none in the whole list');
    case 'limit':
      return l10n.t('stopped after the first {0}', read);
  }
}

/** A config file of a repository at a ref, which a deployment may be built from. */
export interface BuildSource {
  readonly repositoryUrl: string;
  readonly configPath: string;
  readonly ref: DeploymentRef;
}

/** Whether a deployment is built from a config file at a ref. Unlike `ownOf`, prefers nothing. */
export function isBuiltFrom({ configPath, ...source }: BuildSource, deployment: Deployment): boolean {
  return deployment.source_revision_config?.graph_config_path === configPath && isOfRef(source, deployment);
}

/** Whether a deployment is built from a ref of a repository, whatever its config file. */
export function isOfRef({ repositoryUrl, ref }: Omit<BuildSource, 'configPath'>, deployment: Deployment): boolean {
  const { source_config: config, source_revision_config: revision } = deployment;
  if (revision?.repo_ref === undefined || revision.graph_config_path === undefined) return false;
  const built = parseDeploymentRef(revision.repo_ref);
  return built.kind === ref.kind && built.name === ref.name && sameRepository(config?.repo_url ?? '', repositoryUrl);
}
