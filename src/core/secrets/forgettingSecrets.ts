import type { DeploymentDraft } from '../draft/draft.ts';

/**
 * Runs a task with a draft and forgets the values of its secrets at the end, even when the task fails. Until then
 * they are kept, so that a request that was refused or canceled can be sent again.
 */
export async function forgettingSecrets<T>(draft: DeploymentDraft, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } finally {
    draft.secrets = [];
  }
}
