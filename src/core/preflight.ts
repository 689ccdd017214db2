import * as l10n from '@vscode/l10n';
import { isUsualDeploymentName } from './deploymentDraft.ts';
import type { DeploymentDraft } from './deploymentDraft.ts';
import { commandFindings } from './preflightCommands.ts';
import { existingFindings } from './preflightExisting.ts';
import { gitFindings, isSameAsRemote } from './preflightGit.ts';
import type { Finding, PreflightInput } from './preflightInput.ts';
import { secretFindings } from './preflightSecrets.ts';

export type { ExistingDeployment, Finding, GitState, PreflightInput } from './preflightInput.ts';

/**
 * Looks at a draft before it is sent and says what is wrong, what is doubtful and what will happen, errors first.
 * The service has the last word: what the interface allows is at most a warning.
 */
export function preflight(input: PreflightInput): Finding[] {
  const findings = [
    ...existingFindings(input),
    ...nameFindings(input),
    ...sourceFindings(input.draft),
    ...gitFindings(input),
    ...configFindings(input),
    ...commandFindings(input),
    ...secretFindings(input),
    ...consequences(input.draft),
  ];
  return worstFirst(findings);
}

/** Errors before warnings before what is only worth knowing; else in the order in which they are. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
}

const severityOrder: readonly Finding['severity'][] = ['error', 'warning', 'info'];

function nameFindings({ draft, existingNames }: PreflightInput): Finding[] {
  const name = draft.name.trim();
  if (name === '') {
    return [{ severity: 'error', field: 'name', message: l10n.t('The deployment needs a name.') }];
  }
  if (existingNames.includes(name)) {
    const message = l10n.t('"{0}" is taken on {1}; choose another name.', name, draft.connectionName);
    return [{ severity: 'error', field: 'name', message }];
  }
  if (!isUsualDeploymentName(name)) {
    const message = l10n.t(
      'The name {0} is unusual; services accept a-z, 0-9 and hyphens, a letter first, at most 63 characters.',
      name,
    );
    return [{ severity: 'warning', field: 'name', message }];
  }
  return [];
}

function sourceFindings(draft: DeploymentDraft): Finding[] {
  const findings: Finding[] = [];
  if (draft.repositoryUrl === '') {
    findings.push({ severity: 'error', field: 'repositoryUrl', message: l10n.t('Choose the repository to deploy.') });
  } else if (draft.integrationId === '') {
    const message = l10n.t('No integration of {0} has the repository {1}.', draft.connectionName, draft.repositoryUrl);
    findings.push({ severity: 'error', field: 'integrationId', message });
  }
  if (draft.ref.name === '') {
    findings.push({ severity: 'error', field: 'ref', message: l10n.t('Choose the branch or tag to deploy.') });
  }
  if (draft.configPath === '') {
    findings.push({ severity: 'error', field: 'configPath', message: l10n.t('Choose the application’s config file.') });
  } else if (/^\/|\\|(^|\/)\.\.(\/|$)/.test(draft.configPath)) {
    const message = l10n.t(
      'The config path {0} should be relative to the repository’s root, with forward slashes.',
      draft.configPath,
    );
    findings.push({ severity: 'warning', field: 'configPath', message });
  }
  if (draft.buildOnPush && draft.ref.kind !== 'branch') {
    const message = l10n.t('Build on push is left off: only a branch moves when somebody pushes.');
    findings.push({ severity: 'info', field: 'buildOnPush', message });
  }
  return findings;
}

function configFindings({ draft, appConfig, git }: PreflightInput): Finding[] {
  if (appConfig?.kind !== 'problem') {
    return [];
  }
  // Where the working copy differs from the remote, the remote's file may be better than the one that was read.
  const severity = isSameAsRemote(draft, git) ? 'error' : 'warning';
  return [{ severity, field: 'configPath', message: appConfig.message }];
}

function consequences(draft: DeploymentDraft): Finding[] {
  const findings: Finding[] = [];
  if (draft.name.trim() !== '') {
    const message = l10n.t('Adds a tracing project of this name; name and source cannot be changed later.');
    findings.push({ severity: 'info', field: 'name', message });
  }
  if (draft.resourceSpec !== undefined && Object.keys(draft.resourceSpec).length > 0) {
    const message = l10n.t('Some services use the resources for external images only and ignore them here.');
    findings.push({ severity: 'info', field: 'resourceSpec', message });
  }
  return findings;
}
