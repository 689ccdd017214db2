import * as l10n from '@vscode/l10n';
import { parseDeploymentRef, type DeploymentDraft } from './deploymentDraft.ts';
import { sameRepository } from './gitRemote.ts';
import type { ExistingDeployment, Finding, PreflightInput } from './preflightInput.ts';

/**
 * Looks for what is deployed already from the very source of the draft. A service has no request for a new revision:
 * what is pushed becomes one where it is built on push, and a draft always becomes another deployment.
 */
export function existingFindings({ draft, existing = [], takenSuggestion }: PreflightInput): Finding[] {
  const same = existing.filter((deployment) => isBuiltFromSame(draft, deployment));
  const findings: Finding[] = [];
  const [first] = same;
  if (first !== undefined) {
    const message = deployedAlready(draft.ref.name, first, same.length - 1);
    findings.push({ severity: 'info', deployment: { id: first.id, name: first.name }, message });
  }
  if (takenSuggestion !== undefined && !same.some(({ name }) => name === takenSuggestion)) {
    const message = l10n.t('The name {0} is taken, so another one is suggested.', takenSuggestion);
    findings.push({ severity: 'info', field: 'name', message });
  }
  return findings;
}

function isBuiltFromSame(draft: DeploymentDraft, { repositoryUrl, configPath, ref }: ExistingDeployment): boolean {
  if (repositoryUrl === undefined || ref === undefined || configPath !== draft.configPath) return false;
  const built = parseDeploymentRef(ref);
  return (
    built.kind === draft.ref.kind && built.name === draft.ref.name && sameRepository(repositoryUrl, draft.repositoryUrl)
  );
}

function deployedAlready(ref: string, { name, buildsOnPush }: ExistingDeployment, more: number): string {
  if (more > 0) return l10n.t('Already deployed from {0}: "{1}" and {2} more.', ref, name, more);
  if (buildsOnPush === undefined) return l10n.t('Already deployed from {0}: "{1}".', ref, name);
  return buildsOnPush
    ? l10n.t('Already deployed from {0}: "{1}"; a push builds it.', ref, name)
    : l10n.t('Already deployed from {0}: "{1}"; a push does not build it.', ref, name);
}
