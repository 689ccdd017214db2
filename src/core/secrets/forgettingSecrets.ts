import type { DeploymentDraft } from '../draft/draft.ts';

/**
 * Runs a task with a draft and clears the draft's secrets at the end, even if the task fails.
 * During the task they stay, to let the user retry a rejected or canceled request.
 */
export async function forgettingSecrets<T>(draft: DeploymentDraft, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } finally {
    draft.secrets = [];
  }
}
