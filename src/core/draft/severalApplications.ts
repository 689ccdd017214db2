import { freeDeploymentName, nameFor } from './deploymentName.ts';
import type { RepositoryDraft } from './draft.ts';

/**
 * The drafts of several applications of one repository, in the order of their config files.
 * That of the given config file is a copy of the given draft. The others start with everything that the user set in it, except
 * for the secrets, which go nowhere unasked, and its address, which no two can have. No two have the same name.
 */
export function applicationDrafts(given: RepositoryDraft, configPaths: readonly string[]): RepositoryDraft[] {
  const names = new Set(configPaths.includes(given.configPath) ? [given.name] : []);
  return configPaths.map((configPath) => {
    if (configPath === given.configPath) return structuredClone(given);
    const draft = anotherApplication(given, configPath);
    draft.name = freeDeploymentName(nameFor(draft), (name) => names.has(name));
    names.add(draft.name);
    return draft;
  });
}

function anotherApplication(given: RepositoryDraft, configPath: string): RepositoryDraft {
  const { secrets: _secrets, customUrl: _customUrl, ...provenance } = given.provenance;
  return {
    ...given,
    configPath,
    secrets: [],
    customUrl: undefined,
    provenance: { ...provenance, name: { kind: 'suggested' }, configPath: { kind: 'found' } },
  };
}
