import * as l10n from '@vscode/l10n';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { flavors } from '../../../api/flavor.ts';
import { isBuiltFrom } from '../../git/workspaceDeployment.ts';
import { longestSelfHostedName } from '../deploymentName.ts';
import type { DeploymentDraft, RepositoryDraft, UploadedSourceDraft } from '../draft.ts';
import { fieldAdvice } from '../fields.ts';
import { finding, type Finding, type PreflightInput } from '../findings.ts';
import { fileFindings } from './fileFindings.ts';
import { gitFindings, isSameAsRemote } from './gitFindings.ts';
import { secretFindings } from './secretFindings.ts';
import { hasDigest, hasTag } from '../../spec/imageReference.ts';
import { shortened } from '../../text/text.ts';

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
    ...consequences(input),
  ];
  return worstFirst(findings);
}

/** Sorts findings by severity, worst first, and otherwise keeps their order. */
export function worstFirst<Found extends Pick<Finding, 'severity'>>(findings: readonly Found[]): Found[] {
  return findings.toSorted((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
}

const severityOrder: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/** Finds existing deployments with the same source as a draft that creates another one. */
function existingFindings({ draft, existing = [], isNew = true }: PreflightInput): Finding[] {
  if (draft.source !== 'repohost' || !isNew) return [];
  const same = existing.filter((deployment) => isBuiltFrom(draft, deployment));
  const [first] = same;
  if (first === undefined) return [];
  const message = deployedAlready(draft.ref.name, first, same.length - 1);
  return [{ severity: 'info', deployment: { id: first.id, name: first.name }, message }];
}

function deployedAlready(ref: string, { name, source_config: config }: Deployment, more: number): string {
  const buildsOnPush = config?.build_on_push;
  if (more > 0) return l10n.t('Already deployed from {0}: "{1}" and {2} more.', ref, name, more);
  if (buildsOnPush === undefined) return l10n.t('Already deployed from {0}: "{1}".', ref, name);
  return buildsOnPush
    ? l10n.t('Already deployed from {0}: "{1}"; a push builds it.', ref, name)
    : l10n.t('Already deployed from {0}: "{1}"; a push doesn\'t build it.', ref, name);
}

function nameFindings({ draft, isNameTaken, wasSent = false, existing = [] }: PreflightInput): Finding[] {
  const name = draft.name.trim();
  if (isNameTaken) {
    const message = wasSent
      ? l10n.t(
          '"{0}" exists on {1}. This draft was sent under that name before, and may have made it: look at it before you choose another name.',
          name,
          draft.connectionName,
        )
      : l10n.t('"{0}" is taken on {1}; choose another name.', name, draft.connectionName);
    const taken = existing.find((deployment) => deployment.name === name);
    const deployment = taken && { id: taken.id, name };
    return [{ ...finding('error', message, 'name'), ...(deployment && { deployment }) }];
  }
  // Only self-hosted services offer external images.
  const isLong = draft.source === 'external_docker' && name.length > longestSelfHostedName;
  if (isLong && fieldAdvice('name', name) === undefined) {
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
    return (appConfig?.warnings ?? []).map((message) => finding('warning', message, 'configPath'));
  }
  // Once the working copy differs, a push may bring a valid file.
  const severity = draft.source === 'repohost' && isSameAsRemote(draft, git) ? 'error' : 'warning';
  return [finding(severity, appConfig.message, 'configPath')];
}

/** Checks the install and build commands. The public service runs them only for JavaScript applications. */
function commandFindings({ draft, appConfig }: PreflightInput): Finding[] {
  const findings: Finding[] = [];
  const commands = [
    { field: 'installCommand', name: l10n.t('install command') },
    { field: 'buildCommand', name: l10n.t('build command') },
  ] as const;
  for (const { field, name } of commands) {
    const text = draft[field];
    if (text === undefined || text === '') continue;
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

function consequences({ draft, flavor, isNew = true }: PreflightInput): Finding[] {
  const findings: Finding[] = [];
  if (draft.name.trim() !== '' && isNew) {
    const message = l10n.t("Creates a tracing project with this name. Name and source can't change later.");
    findings.push(finding('info', message, 'name'));
  }
  const hasResources = draft.resourceSpec !== undefined && Object.keys(draft.resourceSpec).length > 0;
  if (hasResources && flavor === 'local') {
    findings.push(
      finding('info', l10n.t('The local service runs nothing, so it only keeps the resources.'), 'resourceSpec'),
    );
  } else if (hasResources && flavor === 'langsmith' && draft.source !== 'external_docker') {
    const message = l10n.t('According to its documentation, this service uses resources only for external images.');
    findings.push(finding('info', message, 'resourceSpec'));
  }
  return findings;
}

/** Checks the fields that a draft's source needs, and those that every source has. */
function sourceFindings({ draft, flavor, isNew = true }: PreflightInput): Finding[] {
  return [...contentFindings(draft, isNew), ...typeFindings(draft, flavor), ...namespaceFindings(draft)];
}

/** A copy or a draft from another connection may have a type that this one doesn't take. */
function typeFindings(
  { connectionName, deploymentType }: DeploymentDraft,
  flavor: PreflightInput['flavor'],
): Finding[] {
  const types: readonly string[] | undefined = flavor && flavors[flavor].deploymentTypes;
  if (types === undefined || types.includes(deploymentType)) return [];
  const message = l10n.t('{0} doesn\'t take the type "{1}". Choose another one.', connectionName, deploymentType);
  return [finding('error', message, 'deploymentType')];
}

function namespaceFindings({ listener, kubernetesNamespace }: DeploymentDraft): Finding[] {
  if (kubernetesNamespace === undefined || listener !== undefined) return [];
  const message = l10n.t('The namespace {0} needs a listener. Choose one that has it, or none.', kubernetesNamespace);
  return [finding('error', message, 'listener')];
}

function contentFindings(draft: DeploymentDraft, isNew: boolean): Finding[] {
  switch (draft.source) {
    case 'repohost':
      return repositoryFindings(draft);
    case 'external_docker':
    case 'internal_docker':
      return imageFindings(draft.imageUri ?? '');
    case 'internal_source':
      return uploadFindings(draft, isNew);
    case 'internal_template':
      return [];
  }
}

function repositoryFindings(draft: RepositoryDraft): Finding[] {
  const findings: Finding[] = [];
  if (draft.repositoryUrl === '') {
    findings.push(finding('error', l10n.t('Choose the repository to deploy.'), 'repositoryUrl'));
  } else if (draft.integrationId === '') {
    const message =
      draft.integrationProblem ?? l10n.t('Choose the integration that has access to {0}.', draft.repositoryUrl);
    findings.push(finding('error', message, 'integrationId'));
  }
  if (draft.ref.name === '') {
    findings.push(finding('error', l10n.t('Choose the branch or tag to deploy.'), 'ref'));
  }
  if (draft.buildOnPush && draft.ref.kind !== 'branch') {
    findings.push(finding('info', l10n.t('Build on push stays off: it works only with branches.'), 'buildOnPush'));
  }
  return findings;
}

function pathFindings(configPath: string): Finding[] {
  if (!/^\/|\\|(^|\/)\.\.(\/|$)/.test(configPath)) return [];
  const message = l10n.t(
    "The config path {0} should be relative to the repository's root, with forward slashes.",
    configPath,
  );
  return [finding('warning', message, 'configPath')];
}

function imageFindings(imageUri: string): Finding[] {
  if (hasDigest(imageUri)) return [];
  const message = hasTag(imageUri)
    ? l10n.t('A tag can move to another image. A digest, as in name@sha256:…, always names the same one.')
    : l10n.t(
        'Without a tag, this is {0}:latest, which can move to another image. A digest, as in name@sha256:…, always names the same one.',
        shortened(imageUri),
      );
  return [finding('warning', message, 'imageUri')];
}

function uploadFindings({ tarballPath, configPath }: UploadedSourceDraft, isNew: boolean): Finding[] {
  const findings = pathFindings(configPath);
  // One that exists keeps the upload that it has.
  if (tarballPath || !isNew) return findings;
  const message = l10n.t('Nothing is built until source is uploaded.');
  return [...findings, finding('info', message, 'tarballPath')];
}
