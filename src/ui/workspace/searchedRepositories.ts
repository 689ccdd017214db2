import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { suggestDeploymentName } from '../../core/draft/deploymentName.ts';
import { parseGitRemote, sameRepository } from '../../core/git/remote.ts';
import type { SearchedRepository } from '../../state/deploying/searchDeployments.ts';
import { openGit, type GitRepository } from './gitExtension.ts';
import type { RemoteAddresses } from './remoteAddresses.ts';

/** The open repositories, and how to recognize their deployments. None in Restricted Mode or without git. */
export async function searchedRepositories(addresses: RemoteAddresses): Promise<readonly SearchedRepository[]> {
  const repositories = await openRepositories().catch(() => []);
  const remotes = await Promise.all(repositories.map((repository) => addresses.urlsOf(repository)));
  return remotes.flatMap((urls): SearchedRepository[] => {
    const names = urls.flatMap((url) => parseGitRemote(url)?.name ?? []);
    const isWanted = ({ source_config: config }: Deployment): boolean =>
      urls.some((url) => config?.repo_url !== undefined && sameRepository(url, config.repo_url));
    // Names that are suggested for a folder of the repository contain the one without a folder.
    return urls.length === 0 ? [] : [{ usualNames: names.map((name) => suggestDeploymentName(name, '')), isWanted }];
  });
}

async function openRepositories(): Promise<readonly GitRepository[]> {
  const isOnDisk = (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file');
  return vscode.workspace.isTrusted && isOnDisk ? (await openGit()).repositories : [];
}
