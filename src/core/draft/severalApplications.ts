import { nameFor } from './deploymentName.ts';
import type { RepositoryDraft } from './draft.ts';

/**
 * A draft of another application of a draft's repository: with everything that the user set, except for the secrets,
 * which go nowhere unasked, and the address, which no two can have.
 */
export function applicationDraft(given: RepositoryDraft, configPath: string): RepositoryDraft {
  const { secrets: _secrets, customUrl: _customUrl, ...provenance } = given.provenance;
  return {
    ...given,
    name: nameFor({ ...given, configPath }),
    configPath,
    secrets: [],
    customUrl: undefined,
    provenance: { ...provenance, name: { kind: 'suggested' }, configPath: { kind: 'found' } },
  };
}
