import * as l10n from '@vscode/l10n';
import { isBuiltFrom } from '../../git/workspaceDeployment.ts';
import { longestSelfHostedName } from '../deploymentName.ts';
import type { DeploymentDraft } from '../draft.ts';
import { fieldAdvice } from '../fieldProblem.ts';
import { finding, type ExistingDeployment, type Finding } from '../findings.ts';
import type { PreflightInput } from './preflightInput.ts';
import { fileFindings } from './fileFindings.ts';
import { gitFindings, isSameAsRemote } from './gitFindings.ts';
import { secretFindings } from './secretFindings.ts';
import { optionName } from '../sources.ts';
import { sourceFindings } from './sourceFindings.ts';

/**
 * Checks a draft before it's sent and returns errors, warnings and information, in this order.
 * The service has the final say, so doubts are only warnings.
 */
export function preflight(input: PreflightInput): Finding[] {
  const findings = [
    ...existingFindings(input),
    ...nameFindings(input),
    ...sourceFindings(input),
    ...fileFindings(input),
    ...gitFindings(input),
    ...configFindings(input),
    ...commandFindings(input),
    ...secretFindings(input),
    ...consequences(input.draft),
  ];
  return worstFirst(findings);
}

/** Sorts findings by severity, worst first, and otherwise keeps their order. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
}

const severityOrder: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/**
 * Finds existing deployments with the same source as the draft.
 * No request creates a new revision. A push creates one if the deployment builds on push, and a draft always creates
 * another deployment.
 */
function existingFindings({ draft, existing = [] }: PreflightInput): Finding[] {
  if (draft.source !== 'repohost') return [];
  const same = existing.filter((deployment) => isBuiltFrom(draft, deployment));
  const [first] = same;
  if (first === undefined) return [];
  const message = deployedAlready(draft.ref.name, first, same.length - 1);
  return [{ severity: 'info', deployment: { id: first.id, name: first.name }, message }];
}

function deployedAlready(ref: string, { name, buildsOnPush }: ExistingDeployment, more: number): string {
  if (more > 0) return l10n.t('Already deployed from {0}: "{1}" and {2} more.', ref, name, more);
  if (buildsOnPush === undefined) return l10n.t('Already deployed from {0}: "{1}".', ref, name);
  return buildsOnPush
    ? l10n.t('Already deployed from {0}: "{1}"; a push builds it.', ref, name)
    : l10n.t('Already deployed from {0}: "{1}"; a push doesn\'t build it.', ref, name);
}

function nameFindings({ draft, existingNames }: PreflightInput): Finding[] {
  const name = draft.name.trim();
  if (name === '') {
    return [finding('error', l10n.t('The deployment needs a name.'), 'name')];
  }
  if (existingNames.includes(name)) {
    const message = l10n.t('"{0}" is taken on {1}; choose another name.', name, draft.connectionName);
    return [finding('error', message, 'name')];
  }
  const advice = fieldAdvice('name', name);
  if (advice !== undefined) return [finding('warning', advice, 'name')];
  // Only self-hosted services offer external images.
  if (draft.source === 'external_docker' && name.length > longestSelfHostedName) {
    const message = l10n.t(
      'Self-hosted services may reject a name of more than {0} characters; this one has {1}.',
      longestSelfHostedName,
      name.length,
    );
    return [finding('warning', message, 'name')];
  }
  return [];
}

function configFindings({ draft, appConfig, git }: PreflightInput): Finding[] {
  if (appConfig?.kind !== 'finding') {
    return [];
  }
  // Once the working copy differs, a push may bring a valid file.
  const severity = draft.source === 'repohost' && isSameAsRemote(draft, git) ? 'error' : 'warning';
  return [finding(severity, appConfig.message, 'configPath')];
}

/** Checks the install and build commands. The public service runs them only for JavaScript applications. */
function commandFindings({ draft, appConfig }: PreflightInput): Finding[] {
  const findings: Finding[] = [];
  for (const field of ['installCommand', 'buildCommand'] as const) {
    const text = draft[field];
    if (text === undefined || text === '') continue;
    const name = optionName(field);
    if (/["`\\\n\t|;$<>]|(?<!&)&(?!&)/.test(text)) {
      const message = l10n.t('The {0} contains characters that services reject: " ` \\ | ; $ < > or a single &.', name);
      findings.push(finding('warning', message, field));
    }
    if (draft.source !== 'repohost' && draft.source !== 'internal_source') {
      const message = l10n.t("The {0} may be ignored: the service doesn't build this source.", name);
      findings.push(finding('info', message, field));
    } else if (appConfig?.kind === 'config' && appConfig.language === 'python') {
      const message = l10n.t('The {0} may be ignored: it is meant for JavaScript applications.', name);
      findings.push(finding('info', message, field));
    }
  }
  return findings;
}

function consequences(draft: DeploymentDraft): Finding[] {
  const findings: Finding[] = [];
  if (draft.name.trim() !== '') {
    const message = l10n.t("Creates a tracing project with this name. Name and source can't change later.");
    findings.push(finding('info', message, 'name'));
  }
  const hasResources = draft.resourceSpec !== undefined && Object.keys(draft.resourceSpec).length > 0;
  if (hasResources && draft.source !== 'external_docker') {
    const message = l10n.t('Some services use resources only for external images and ignore them here.');
    findings.push(finding('info', message, 'resourceSpec'));
  }
  return findings;
}
