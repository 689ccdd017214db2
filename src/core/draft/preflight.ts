import * as l10n from '@vscode/l10n';
import { sameRepository } from '../git/remote.ts';
import { secretNameProblem } from '../secrets/dotenv.ts';
import { isUsualDeploymentName, parseDeploymentRef, type DeploymentDraft } from './draft.ts';
import type { ExistingDeployment, Finding, PreflightInput } from './findings.ts';
import { fileFindings } from './preflightFiles.ts';
import { gitFindings, isSameAsRemote } from './preflightGit.ts';

/** Checks the install and build commands. The public service runs them only for JavaScript applications. */
function commandFindings({ draft, appConfig }: PreflightInput): Finding[] {
  const commands = [
    { field: 'installCommand', text: draft.installCommand, name: l10n.t('install command') },
    { field: 'buildCommand', text: draft.buildCommand, name: l10n.t('build command') },
  ] as const;
  const findings: Finding[] = [];
  for (const { field, text, name } of commands) {
    if (text === undefined || text === '') {
      continue;
    }
    if (/["`\\\n\t|;$<>]|(?<!&)&(?!&)/.test(text)) {
      const message = l10n.t('The {0} contains characters that services reject: " ` \\ | ; $ < > or a single &.', name);
      findings.push({ severity: 'warning', field, message });
    }
    if (appConfig?.kind === 'config' && appConfig.language === 'python') {
      const message = l10n.t('The {0} may be ignored: it is meant for JavaScript applications.', name);
      findings.push({ severity: 'info', field, message });
    }
  }
  return findings;
}

/**
 * Finds existing deployments with the same source as the draft.
 * No request creates a new revision. A push creates one if the deployment builds on push, and a draft always creates
 * another deployment.
 */
function existingFindings({ draft, existing = [], takenSuggestion }: PreflightInput): Finding[] {
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

/** Checks the secrets, and the config's environment variables that aren't sent. */
function secretFindings(input: PreflightInput): Finding[] {
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const { name, value } of input.draft.secrets) {
    const problem = secretNameProblem(name, input.reservedSecretNames);
    if (problem !== undefined) {
      findings.push(finding('error', problem));
    } else if (seen.has(name)) {
      findings.push(finding('error', l10n.t('The secret {0} appears twice. Remove one of them.', name)));
    } else {
      findings.push(...doubts(name, value));
    }
    seen.add(name);
  }
  return [...findings, ...environmentFindings(input, seen)];
}

function doubts(name: string, value: string): Finding[] {
  const findings: Finding[] = [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    const message = l10n.t('{0} is an unusual name: a shell cannot read it as an environment variable.', name);
    findings.push(finding('warning', message));
  }
  if (value === '') {
    findings.push(finding('warning', l10n.t('The secret {0} has an empty value.', name)));
  } else if (value.trim() !== value) {
    findings.push(finding('warning', l10n.t('The value of {0} begins or ends with white space.', name)));
  }
  return findings;
}

function environmentFindings(input: PreflightInput, sent: ReadonlySet<string>): Finding[] {
  const { appConfig, configEnvNames, reservedSecretNames } = input;
  if (appConfig?.kind !== 'config' || appConfig.env.kind === 'none') {
    return [];
  }
  const place = appConfig.env.kind === 'file' ? appConfig.env.path : appConfig.path;
  const names = appConfig.env.kind === 'inline' ? appConfig.env.names : configEnvNames;
  if (names === undefined) {
    const message = l10n.t("The service doesn't read {0}. Add what the application needs as secrets.", place);
    return [finding('info', message)];
  }
  const missing = names.filter((name) => !sent.has(name) && !reservedSecretNames.includes(name));
  if (missing.length === 0) {
    return [];
  }
  const message = l10n.t(
    "The service doesn't read {0}. Add {1} as secrets, or the application runs without them.",
    place,
    listOf(missing),
  );
  return [finding('warning', message)];
}

function finding(severity: Finding['severity'], message: string): Finding {
  return { severity, field: 'secrets', message };
}

/** Names only the first few, because a dotenv file may hold dozens. */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? l10n.t('{0} and {1} more', shown, names.length - 5) : shown;
}

export type { ExistingDeployment, Finding, GitState, PreflightInput } from './findings.ts';

/**
 * Checks a draft before it's sent and returns errors, warnings and information, in this order.
 * The service has the final say, so doubts are only warnings.
 */
export function preflight(input: PreflightInput): Finding[] {
  const findings = [
    ...existingFindings(input),
    ...nameFindings(input),
    ...sourceFindings(input.draft),
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
      'The name {0} may be rejected. Use a-z, 0-9 and hyphens, a letter first, at most 63 characters.',
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
    const message = l10n.t('No integration on {0} has access to {1}.', draft.connectionName, draft.repositoryUrl);
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
    const message = l10n.t('Build on push stays off: it works only with branches.');
    findings.push({ severity: 'info', field: 'buildOnPush', message });
  }
  return findings;
}

function configFindings({ draft, appConfig, git }: PreflightInput): Finding[] {
  if (appConfig?.kind !== 'finding') {
    return [];
  }
  // If the working copy differs from the remote, the remote's file may be valid even though this one isn't.
  const severity = isSameAsRemote(draft, git) ? 'error' : 'warning';
  return [{ severity, field: 'configPath', message: appConfig.message }];
}

function consequences(draft: DeploymentDraft): Finding[] {
  const findings: Finding[] = [];
  if (draft.name.trim() !== '') {
    const message = l10n.t("Creates a tracing project with this name. Name and source can't change later.");
    findings.push({ severity: 'info', field: 'name', message });
  }
  if (draft.resourceSpec !== undefined && Object.keys(draft.resourceSpec).length > 0) {
    const message = l10n.t('Some services use resources only for external images and ignore them here.');
    findings.push({ severity: 'info', field: 'resourceSpec', message });
  }
  return findings;
}
