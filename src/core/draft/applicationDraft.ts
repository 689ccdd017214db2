import { nameFor } from './deploymentName.ts';
import type { RepositoryDraft } from './draft.ts';
import { uniqueFields } from './fields.ts';

/**
 * A draft of another application of a draft's repository: with everything that the user set, except for the secrets,
 * which go nowhere unasked, and what no two can have.
 */
export function applicationDraft(given: RepositoryDraft, configPath: string): RepositoryDraft {
  const draft: RepositoryDraft = {
    ...given,
    name: nameFor({ ...given, configPath }),
    configPath,
    secrets: [],
    provenance: { ...given.provenance, name: { kind: 'suggested' }, configPath: { kind: 'found' } },
  };
  for (const field of uniqueFields) delete draft[field];
  for (const field of ['secrets', ...uniqueFields] as const) delete draft.provenance[field];
  return draft;
}
