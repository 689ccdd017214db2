import * as l10n from '@vscode/l10n';
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

/** Says why applications were not created, each reason once. The reason of one that may exist says that itself. */
export function failureSentences(
  failures: readonly { readonly name: string; readonly reason: string; readonly mayExist: boolean }[],
): readonly string[] {
  return [...new Set(failures.map(({ reason }) => reason))].map((reason) => {
    const missing = failures.filter((each) => each.reason === reason && !each.mayExist).map(({ name }) => name);
    if (missing.length === 0) return reason;
    return missing.length === 1
      ? l10n.t('{0} was not created: {1}', missing.join(), reason)
      : l10n.t('{0} were not created: {1}', missing.join(', '), reason);
  });
}
