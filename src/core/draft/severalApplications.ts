import { freeDeploymentName, nameFor } from './deploymentName.ts';
import type { DraftField, RepositoryDraft } from './draft.ts';

/** What belongs to one application; everything else is the repository's or the connection's. */
const ownFields: ReadonlySet<string> = new Set<DraftField>([
  'customUrl',
  'secrets',
  'resourceSpec',
  'installCommand',
  'buildCommand',
]);

/**
 * The drafts of several applications of one repository, in the order of their config files.
 * The given draft stays the one of its own config file. The others start from the same connection, repository, ref and
 * type, without what belongs to one application. No two have the same name.
 */
export function applicationDrafts(given: RepositoryDraft, configPaths: readonly string[]): RepositoryDraft[] {
  const names = new Set(configPaths.includes(given.configPath) ? [given.name] : []);
  return configPaths.map((configPath) => {
    if (configPath === given.configPath) return given;
    const draft = anotherApplication(given, configPath);
    draft.name = freeDeploymentName(nameFor(draft), (name) => names.has(name));
    names.add(draft.name);
    return draft;
  });
}

function anotherApplication(given: RepositoryDraft, configPath: string): RepositoryDraft {
  const shared = Object.entries(given.provenance).filter(([field]) => !ownFields.has(field));
  return {
    ...given,
    configPath,
    secrets: [],
    customUrl: undefined,
    resourceSpec: undefined,
    installCommand: undefined,
    buildCommand: undefined,
    provenance: { ...Object.fromEntries(shared), name: { kind: 'suggested' }, configPath: { kind: 'found' } },
  };
}
