import type { DeploymentDraft } from '../draft/draft.ts';

/**
 * Runs a task with plans and clears the secrets of their drafts at the end, even if the task fails.
 * During the task they stay, to let the user retry a rejected or canceled request. The task may replace the drafts.
 */
export async function forgettingSecrets<T>(
  plans: readonly { readonly draft: DeploymentDraft }[],
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task();
  } finally {
    for (const { draft } of plans) draft.secrets = [];
  }
}
