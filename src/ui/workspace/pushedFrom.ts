import type { Revision } from '../../api/resources/revisions.ts';
import { parseDeploymentRef } from '../../core/draft/draft.ts';
import { isRefName } from '../../core/draft/fieldProblem.ts';
import { remotesOf, type GitRepository } from './gitExtension.ts';
import { wasPushed } from './lastFetch.ts';

/** Whether a clone pushed the commit of a revision to its branch on any remote. */
export async function wasPushedFrom(
  repository: GitRepository,
  { source_revision_config: config }: Revision,
): Promise<boolean> {
  const commit = config?.repo_commit_sha;
  const ref = parseDeploymentRef(config?.repo_ref ?? '');
  // The service names the branch, and it becomes a part of a path.
  if (commit === undefined || ref.kind !== 'branch' || !isRefName(ref.name)) return false;
  const { fsPath: root } = repository.rootUri;
  const branches = remotesOf(repository).map(({ name: remote }) => ({ root, remote, branch: ref.name }));
  const answers = await Promise.all(branches.map((branch) => wasPushed(branch, commit)));
  return answers.includes(true);
}
