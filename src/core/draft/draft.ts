import type { Listener } from '../../api/resources/listeners.ts';
import type { Source } from '../../api/schema/enums.ts';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { nameOfListener, namespacesOf } from '../resources/listeners.ts';
import { deploymentRefText, type DeploymentRef } from '../git/deploymentRef.ts';
import { draftFields, type DraftField } from './fields.ts';
import { plainValues, type PlainValues } from './fieldValues.ts';

export interface DraftSecret {
  name: string;
  /** Undefined until the user gives it: a copied draft has names only. */
  value: string | undefined;
  /** Present if the value is the one that is stored on this machine for the draft's connection and application. */
  isStored?: true;
}

/** A key of a Kubernetes secret, read in the cluster under the name of an environment variable. */
export interface SecretReference {
  name: string;
  secretName: string;
  secretKey: string;
}

/** The listener that a deployment will run on, with its namespaces to choose from. */
interface DraftListener {
  readonly id: string;
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** Where values come from. */
export const provenanceKinds = [
  'user',
  'remote',
  'checkedOut',
  'found',
  'suggested',
  'integration',
  'list',
  'form',
  'copy',
  /** The deployment that is changed. */
  'deployed',
  /** A deployment file. */
  'file',
  /** The last deployment from the same place. */
  'lastTime',
  /** The encrypted storage of this machine. */
  'stored',
  /** The user has just created it on the service. */
  'made',
] as const;

/** Where a value came from. `name` is the remote, the deployment or the file. */
export interface Provenance {
  readonly kind: (typeof provenanceKinds)[number];
  readonly name?: string | undefined;
}

/** What every source takes. */
interface CommonDraft extends PlainValues {
  /** The connection to create it on. Every confirmation names it. */
  connectionName: string;
  name: string;
  /** A type of the interface, or of the connection's flavor. */
  deploymentType: string;
  secrets: DraftSecret[];
  resourceSpec?: ResourceSpec | undefined;
  /** Missing if the service runs the deployment itself. */
  listener?: DraftListener | undefined;
  /** One of the listener's namespaces. */
  kubernetesNamespace?: string | undefined;
  /** Missing for defaults. */
  provenance: Partial<Record<DraftField, Provenance>>;
}

/** A deployment that the service builds from a repository on a code host. */
export interface RepositoryDraft extends CommonDraft {
  readonly source: 'repohost';
  integrationId: string;
  /** The account of the integration, if the service named it. */
  integrationName?: string | undefined;
  /** Why the search for the integration ended without one. Missing if nothing was searched to the end. */
  integrationProblem?: string | undefined;
  repositoryUrl: string;
  ref: DeploymentRef;
  /** Relative to the repository's root, with forward slashes. */
  configPath: string;
  /** Applies only to branches. */
  buildOnPush: boolean;
}

/** A deployment of an image in a registry of the user's own. */
export interface ExternalImageDraft extends CommonDraft {
  readonly source: 'external_docker';
  secretReferences: SecretReference[];
}

/** A deployment of an image that a command-line tool has pushed to the service, or of a prebuilt template. */
interface PushedImageOrTemplateDraft extends CommonDraft {
  readonly source: 'internal_docker' | 'internal_template';
}

/** A deployment built from source that a command-line tool has uploaded. The path of the config file may be empty. */
export interface UploadedSourceDraft extends CommonDraft {
  readonly source: 'internal_source';
  configPath: string;
}

/** A deployment to be, edited before it's sent. */
export type DeploymentDraft = RepositoryDraft | ExternalImageDraft | PushedImageOrTemplateDraft | UploadedSourceDraft;

/** A draft of a source with nothing filled in. */
export function emptyDraft(source: Source, connectionName: string): DeploymentDraft {
  const deploymentType = draftFields.deploymentType.usual;
  const usual = plainValues({ source }, () => undefined);
  const common: CommonDraft = { ...usual, connectionName, name: '', deploymentType, secrets: [], provenance: {} };
  switch (source) {
    case 'repohost':
      return {
        ...common,
        source,
        integrationId: '',
        repositoryUrl: '',
        ref: { kind: 'branch', name: '' },
        configPath: '',
        buildOnPush: draftFields.buildOnPush.usual,
      };
    case 'external_docker':
      return { ...common, source, secretReferences: [] };
    case 'internal_source':
      return { ...common, source, configPath: '' };
    case 'internal_docker':
    case 'internal_template':
      return { ...common, source };
  }
}

/**
 * Deploys what is checked out, as the draft's remote calls it, unless the user chose another ref.
 * @param before what is checked out, as the former remote calls it
 */
export function fillCheckedOut(
  draft: RepositoryDraft,
  checkedOut: DeploymentRef | undefined,
  before: DeploymentRef | undefined,
): void {
  const { ref, provenance } = draft;
  const isChosen = ['user', 'copy', 'file'].includes(provenance.ref?.kind ?? '');
  const isBefore = before !== undefined && deploymentRefText(before) === deploymentRefText(ref);
  if (checkedOut === undefined || (isChosen && !isBefore)) return;
  draft.ref = checkedOut;
  if (!isChosen) provenance.ref = { kind: 'checkedOut' };
}

/**
 * Assigns a draft to a listener, or to none.
 * Keeps the selected namespace if the new listener has it too. Selects a listener's only namespace automatically.
 */
export function chooseListener(draft: DeploymentDraft, listener: Listener | undefined): void {
  const namespaces = listener === undefined ? [] : namespacesOf(listener);
  const kept = namespaces.find((namespace) => namespace === draft.kubernetesNamespace);
  draft.listener = listener === undefined ? undefined : { id: listener.id, name: nameOfListener(listener), namespaces };
  draft.kubernetesNamespace = kept ?? (namespaces.length === 1 ? namespaces[0] : undefined);
  if (kept !== undefined) return;
  if (draft.kubernetesNamespace === undefined) delete draft.provenance.kubernetesNamespace;
  else draft.provenance.kubernetesNamespace = { kind: 'suggested' };
}
