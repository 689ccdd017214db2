import type { DeploymentDraft } from '../draft/draft.ts';

/**
 * Runs a task with a plan and clears the secrets of its draft at the end, even if the task fails.
 * During the task they stay, to let the user retry a rejected or canceled request. The task may replace the draft.
 */
export async function forgettingSecrets<T>(
  plan: { readonly draft: DeploymentDraft },
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task();
  } finally {
    plan.draft.secrets = [];
  }
}
