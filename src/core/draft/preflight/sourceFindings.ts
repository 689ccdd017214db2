import * as l10n from '@vscode/l10n';
import type { DeploymentDraft, RepositoryDraft, UploadedSourceDraft } from '../draft.ts';
import { hasDigest } from '../../spec/imageReference.ts';
import { fieldAdvice, fieldProblem } from '../fieldProblem.ts';
import { finding, type Finding } from '../findings.ts';
import type { PreflightInput } from './preflightInput.ts';

/** Checks the fields that a draft's source needs, and those that every source has. */
export function sourceFindings({ draft, deploymentTypes }: PreflightInput): Finding[] {
  const customUrl = draft.customUrl === undefined ? undefined : fieldProblem('customUrl', draft.customUrl);
  return [
    ...ownFindings(draft),
    ...typeFindings(draft, deploymentTypes),
    ...namespaceFindings(draft),
    ...(customUrl === undefined ? [] : [finding('error', customUrl, 'customUrl')]),
  ];
}

/** A copy or a draft from another connection may have a type that this one doesn't take. */
function typeFindings(
  { connectionName, deploymentType }: DeploymentDraft,
  types: PreflightInput['deploymentTypes'],
): Finding[] {
  if (types === undefined || types.includes(deploymentType)) return [];
  const message = l10n.t('{0} doesn\'t take the type "{1}". Choose another one.', connectionName, deploymentType);
  return [finding('error', message, 'deploymentType')];
}

function namespaceFindings({ listener, kubernetesNamespace }: DeploymentDraft): Finding[] {
  if (kubernetesNamespace === undefined) return [];
  if (listener === undefined) {
    const message = l10n.t('The namespace {0} needs a listener. Choose one that has it, or none.', kubernetesNamespace);
    return [finding('error', message, 'listener')];
  }
  if (listener.namespaces.length === 0 || listener.namespaces.includes(kubernetesNamespace)) return [];
  const message = l10n.t('{0} has no namespace {1}. Choose one that it has.', listener.name, kubernetesNamespace);
  return [finding('error', message, 'kubernetesNamespace')];
}

function ownFindings(draft: DeploymentDraft): Finding[] {
  switch (draft.source) {
    case 'repohost':
      return repositoryFindings(draft);
    case 'external_docker':
    case 'internal_docker':
      return imageFindings(draft.imageUri);
    case 'internal_source':
      return uploadFindings(draft);
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
  if (draft.configPath === '') {
    findings.push(finding('error', l10n.t("Choose the application's config file."), 'configPath'));
  }
  findings.push(...pathFindings(draft.configPath));
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
  const problem = fieldProblem('imageUri', imageUri);
  if (problem !== undefined) return [finding('error', problem, 'imageUri')];
  const advice = fieldAdvice('imageUri', imageUri);
  const findings = advice === undefined ? [] : [finding('warning', advice, 'imageUri')];
  if (hasDigest(imageUri)) return findings;
  const message = l10n.t('A tag can move to another image. A digest, as in name@sha256:…, always names the same one.');
  return [...findings, finding('warning', message, 'imageUri')];
}

function uploadFindings({ tarballPath, configPath }: UploadedSourceDraft): Finding[] {
  const findings = pathFindings(configPath);
  if (tarballPath !== '') return findings;
  const message = l10n.t('Nothing is built until source is uploaded.');
  return [...findings, finding('info', message, 'tarballPath')];
}
