import * as vscode from 'vscode';
import { createRequest } from '../../../core/draft/createRequest.ts';
import {
  changeSource,
  type DeploymentDraft,
  type DraftField,
  type RepositoryDraft,
} from '../../../core/draft/draft.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import { deploymentTypesOf } from '../../../state/connections/connection.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import type { Services } from '../../services.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { type DeploymentPlan, workingCopyOf } from '../plan.ts';
import { editListener, editNamespace } from './editListener.ts';
import { askConfigPath, askDeploymentType, askField, askRef, askSource } from './fieldQuestions.ts';
import { chooseIntegration, editRepository } from './repositoryQuestions.ts';
import { editSecretReferences } from '../secrets/secretReferencesEditor.ts';
import { editSecrets } from '../secrets/secretsEditor.ts';

/**
 * Asks for another value of a field. Without an answer, nothing changes.
 * @param isTaken whether a deployment is known to have a name, which is said while the user types it
 * @returns findings about the answer, for the review
 */
export async function editField(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
  field: DraftField,
  isTaken: (name: string) => boolean,
): Promise<readonly Finding[]> {
  const { draft, title } = plan;
  switch (field) {
    case 'source': {
      const source = await askSource(title, draft.source);
      if (source !== undefined) plan.draft = changeSource(draft, source);
      return [];
    }
    case 'name': {
      const noteOf = (name: string): string | undefined =>
        isTaken(name.trim()) ? vscode.l10n.t('"{0}" is taken on {1}.', name.trim(), draft.connectionName) : undefined;
      take(draft, field, textOf(await askField({ title, noteOf }, field, draft.name)), (name) => {
        draft.name = name;
      });
      return [];
    }
    case 'customUrl':
    case 'installCommand':
    case 'buildCommand':
      await editText(title, draft, field);
      return [];
    case 'listener':
      return editListener(services, session, plan);
    case 'kubernetesNamespace':
      // A copied namespace whose listener was not found needs that first.
      if (draft.listener === undefined) return editListener(services, session, plan);
      await editNamespace(title, draft);
      return [];
    case 'deploymentType':
      take(
        draft,
        field,
        await askDeploymentType(title, draft.deploymentType, deploymentTypesOf(session.connection)),
        (type) => {
          draft.deploymentType = type;
        },
      );
      return [];
    case 'secrets':
      take(draft, field, await editSecrets(services.secrets, session.connection, plan), (secrets) => {
        draft.secrets = [...secrets];
      });
      return [];
    case 'resourceSpec': {
      const spec = await services.resourceForms.edit(vscode.l10n.t('Resources of {0}', draft.name), draft.resourceSpec);
      take(draft, field, spec, (used) => {
        draft.resourceSpec = used;
      });
      return [];
    }
    case 'imageUri':
      if ('imageUri' in draft) {
        take(draft, field, textOf(await askField({ title }, field, draft.imageUri)), (image) => {
          draft.imageUri = image;
        });
      }
      return [];
    case 'tarballPath':
      if (draft.source === 'internal_source') {
        take(draft, field, textOf(await askField({ title }, field, draft.tarballPath)), (path) => {
          draft.tarballPath = path;
        });
      }
      return [];
    case 'secretReferences':
      if (draft.source === 'external_docker') {
        take(draft, field, await editSecretReferences(draft, reservedSecretNames()), (references) => {
          draft.secretReferences = [...references];
        });
      }
      return [];
    case 'configPath':
      if ('configPath' in draft) {
        const isOptional = draft.source === 'internal_source';
        const known = isOptional ? [] : (workingCopyOf(plan)?.configPaths ?? []);
        take(draft, field, await askConfigPath({ title, isOptional }, draft.configPath, known), (path) => {
          draft.configPath = path;
        });
      }
      return [];
    case 'repositoryUrl':
    case 'integrationId':
    case 'ref':
    case 'buildOnPush':
      return draft.source === 'repohost' ? editRepositoryField(services, session, plan, draft, field) : [];
  }
}

/** Edits a field that only a draft from a repository has. */
async function editRepositoryField(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
  draft: RepositoryDraft,
  field: 'repositoryUrl' | 'integrationId' | 'ref' | 'buildOnPush',
): Promise<readonly Finding[]> {
  const { title } = plan;
  switch (field) {
    case 'repositoryUrl':
      return editRepository(services, session, plan, draft);
    case 'integrationId':
      await chooseIntegration(session, { title }, draft);
      return [];
    case 'ref':
      take(draft, field, await askRef(title, draft.ref, workingCopyOf(plan)), (ref) => {
        draft.ref = ref;
      });
      return [];
    case 'buildOnPush':
      take(draft, field, !draft.buildOnPush, (isOn) => {
        draft.buildOnPush = isOn;
      });
      return [];
  }
}

async function editText(
  title: string,
  draft: DeploymentDraft,
  field: 'customUrl' | 'installCommand' | 'buildCommand',
): Promise<void> {
  take(draft, field, textOf(await askField({ title }, field, draft[field] ?? '')), (text) => {
    draft[field] = text === '' ? undefined : text;
  });
}

/** Applies an answer. A value that changes is the user's from now on. */
function take<T>(draft: DeploymentDraft, field: DraftField, answer: T | undefined, apply: (answer: T) => void): void {
  if (answer === undefined) return;
  const before = JSON.stringify(createRequest(draft));
  apply(answer);
  if (JSON.stringify(createRequest(draft)) !== before) draft.provenance[field] = { kind: 'user' };
}

function textOf(answer: Awaited<ReturnType<typeof askField>>): string | undefined {
  return typeof answer === 'string' ? answer : undefined;
}
