import * as l10n from '@vscode/l10n';
import { DEPLOYMENT_TYPES, SOURCES, type Source } from '../../api/schema/enums.ts';
import { imageNameAdvice } from '../spec/imageReference.ts';
import {
  configPathProblem,
  customUrlProblem,
  imageProblem,
  integrationProblem,
  lineBreakProblem,
  deploymentNameAdvice,
  deploymentNameProblem,
  refProblem,
  repositoryUrlProblem,
} from './fieldProblem.ts';

/** What there is to know of a field of a deployment to be. */
export interface FieldFacts {
  /** Its key in a deployment file. */
  readonly key: string;
  /** Its path in the create request. */
  readonly path: string;
  /** The sources that have it. Default: all. */
  readonly sources?: readonly Source[];
  readonly label: () => string;
  /** Explains it, for questions, hovers and completion. */
  readonly help: () => string;
  /** Explains it in a file of the user, where it is meant otherwise than in a draft. */
  readonly fileHelp?: () => string;
  /** Whether its value may contain a secret. */
  readonly mayHoldSecret?: true;
  /** Whether the next deployment from the same place takes the last value. */
  readonly isRemembered?: true;
  /** Whether two deployments can't share a value. */
  readonly isUnique?: true;
  /** Whether the page shows it without unfolding the options. */
  readonly isMain?: true;
  /** Whether a list of VS Code asks for it best. */
  readonly isPicked?: true;
  /** Whether its value is a text or a choice that stands for itself. This table is all that such a field needs. */
  readonly isPlain?: true;
  /** Whether its value is a list or a map, which the page shows as a table. */
  readonly isTable?: true;
  /** Whether it decides what gets the values of secrets, which the user is asked to confirm. */
  readonly isDestination?: true;
  /** The values to choose from. A service may have more of them. */
  readonly choices?: readonly (string | boolean)[];
  /** The one that a deployment gets without a choice. */
  readonly usual?: string | boolean;
}

/** What there is to know of a field whose value is typed. */
export interface TextFieldFacts extends FieldFacts {
  readonly example: () => string;
  /** Explains why a text can't be its value; undefined if it can. */
  readonly problem: (text: string) => string | undefined;
  /** Explains what others than the service are known to refuse in a value, which can still be sent. */
  readonly advice?: (text: string) => string | undefined;
  /** Says that it is missing. Only for one that has to be typed. */
  readonly missing?: () => string;
  /** Whether it can be left empty. */
  readonly isOptional?: boolean;
}

/**
 * The fields of all deployments to be, in the order of requests and files.
 * Pages, requests, findings, questions and deployment files go by this table.
 */
export const draftFields = {
  source: {
    key: 'source',
    path: 'source',
    label: () => l10n.t('Source'),
    help: () => l10n.t('What the deployment is made from. A repository if it is left out.'),
    isMain: true,
    choices: SOURCES,
    usual: 'repohost',
    isDestination: true,
  },
  name: {
    key: 'name',
    path: 'name',
    label: () => l10n.t('Name'),
    help: () => l10n.t("The name of the deployment. It can't be changed later."),
    example: () => 'my-application',
    missing: () => l10n.t('The name is missing.'),
    problem: deploymentNameProblem,
    advice: deploymentNameAdvice,
    isMain: true,
    isDestination: true,
  },
  repositoryUrl: {
    key: 'repository',
    path: 'source_config.repo_url',
    sources: ['repohost'],
    label: () => l10n.t('Repository'),
    help: () => l10n.t('The URL of the repository on the code host.'),
    example: () => 'https://code.example/acme/agent',
    problem: repositoryUrlProblem,
    isMain: true,
    isPicked: true,
    isDestination: true,
  },
  integrationId: {
    key: 'integration',
    path: 'source_config.integration_id',
    sources: ['repohost'],
    label: () => l10n.t('Integration'),
    help: () => l10n.t('The ID of the integration that has access to the repository.'),
    example: () => '00000000-0000-0000-0000-000000000000',
    problem: integrationProblem,
    isPicked: true,
  },
  ref: {
    key: 'ref',
    path: 'source_revision_config.repo_ref',
    sources: ['repohost'],
    label: () => l10n.t('Branch'),
    help: () => l10n.t('A branch, refs/tags/… for a tag, or a whole commit ID.'),
    example: () => 'main',
    problem: refProblem,
    isMain: true,
    isPicked: true,
    isDestination: true,
  },
  imageUri: {
    key: 'image',
    path: 'source_revision_config.image_uri',
    sources: ['external_docker', 'internal_docker'],
    label: () => l10n.t('Image'),
    help: () => l10n.t('The reference of the image. A digest always names the same image; a tag can move.'),
    example: () => 'registry.example/acme/agent:1.0',
    missing: () => l10n.t('The image is missing.'),
    problem: imageProblem,
    advice: imageNameAdvice,
    isPlain: true,
    mayHoldSecret: true,
    isRemembered: true,
    isMain: true,
    isDestination: true,
  },
  tarballPath: {
    key: 'upload',
    path: 'source_revision_config.source_tarball_path',
    sources: ['internal_source'],
    label: () => l10n.t('Upload'),
    help: () => l10n.t('The path of the tarball that was uploaded. Leave empty if nothing is uploaded yet.'),
    example: () => 'uploads/agent.tar.gz',
    problem: lineBreakProblem,
    isOptional: true,
    isPlain: true,
    mayHoldSecret: true,
    isMain: true,
    isDestination: true,
  },
  configPath: {
    key: 'config',
    path: 'source_revision_config.graph_config_path',
    sources: ['repohost', 'internal_source'],
    label: () => l10n.t('Config file'),
    help: () => l10n.t('Relative to the root of the repository, with forward slashes and the file name.'),
    fileHelp: () =>
      l10n.t(
        'Relative to this file; in a draft or another repository, to the root; in an upload, as it is sent. If left empty, the one that is found.',
      ),
    example: () => 'services/agent/graph.json',
    problem: configPathProblem,
    isMain: true,
    isPicked: true,
    isDestination: true,
  },
  deploymentType: {
    key: 'type',
    path: 'source_config.deployment_type',
    label: () => l10n.t('Type'),
    help: () => l10n.t('The type of the deployment, such as dev or prod.'),
    isPlain: true,
    isRemembered: true,
    isMain: true,
    choices: DEPLOYMENT_TYPES,
    usual: 'dev',
  },
  buildOnPush: {
    key: 'build_on_push',
    path: 'source_config.build_on_push',
    sources: ['repohost'],
    label: () => l10n.t('Build on push'),
    help: () => l10n.t('Whether each push to the branch makes a new revision.'),
    isPlain: true,
    isRemembered: true,
    choices: [true, false],
    usual: true,
  },
  secretReferences: {
    key: 'secret_references',
    path: 'secret_references',
    sources: ['external_docker'],
    label: () => l10n.t('Secret references'),
    help: () => l10n.t('Environment variables whose values are read from Kubernetes secrets in the cluster.'),
    isPicked: true,
    isRemembered: true,
    isTable: true,
  },
  secrets: {
    key: 'secrets',
    path: 'secrets',
    label: () => l10n.t('Secrets'),
    help: () => l10n.t('Names of secrets, each with where its value comes from: ask, stored, or env-file and a path.'),
    isTable: true,
  },
  resourceSpec: {
    key: 'resources',
    path: 'source_config.resource_spec',
    label: () => l10n.t('Resources'),
    help: () => l10n.t('CPU, memory, replicas and more, or the path of a resource spec.'),
    mayHoldSecret: true,
    isRemembered: true,
    isTable: true,
    isDestination: true,
  },
  listener: {
    key: 'listener',
    path: 'source_config.listener_id',
    label: () => l10n.t('Listener'),
    help: () =>
      l10n.t('The listener that runs the deployment in your own cluster. The service runs it if this is left out.'),
    isRemembered: true,
    isPicked: true,
    isDestination: true,
  },
  kubernetesNamespace: {
    key: 'namespace',
    path: 'source_config.listener_config.k8s_namespace',
    label: () => l10n.t('Namespace'),
    help: () => l10n.t("One of the listener's Kubernetes namespaces."),
    isRemembered: true,
    isPicked: true,
    isDestination: true,
  },
  customUrl: {
    key: 'custom_url',
    path: 'source_config.custom_url',
    label: () => l10n.t('Custom URL'),
    help: () => l10n.t("The application's own address, with https. Leave empty to let the service choose."),
    example: () => 'https://agent.example',
    problem: customUrlProblem,
    isOptional: true,
    isPlain: true,
    isUnique: true,
    mayHoldSecret: true,
  },
  installCommand: {
    key: 'install_command',
    path: 'source_config.install_command',
    label: () => l10n.t('Install command'),
    help: () => l10n.t("Installs the application's packages. Leave empty to let the service do it."),
    example: () => l10n.t('Command, or empty'),
    problem: lineBreakProblem,
    isOptional: true,
    isPlain: true,
    mayHoldSecret: true,
    isRemembered: true,
    isDestination: true,
  },
  buildCommand: {
    key: 'build_command',
    path: 'source_config.build_command',
    label: () => l10n.t('Build command'),
    help: () => l10n.t('Builds the application. Leave empty to let the service do it.'),
    example: () => l10n.t('Command, or empty'),
    problem: lineBreakProblem,
    isOptional: true,
    isPlain: true,
    mayHoldSecret: true,
    isRemembered: true,
    isDestination: true,
  },
} as const satisfies Record<string, FieldFacts | TextFieldFacts>;

/** A field of a draft that is sent. */
export type DraftField = keyof typeof draftFields;

type FieldsWith<Fact> = {
  [Field in DraftField]: (typeof draftFields)[Field] extends Fact ? Field : never;
}[DraftField];

/** A field whose value is typed. */
export type TextField = FieldsWith<Pick<TextFieldFacts, 'problem'>>;

/** A field whose value may contain a secret. */
export type GuardedField = FieldsWith<{ readonly mayHoldSecret: true }>;

/** A field whose value is a text or a choice that stands for itself. */
export type PlainField = FieldsWith<{ readonly isPlain: true }>;

/** A field that a list of VS Code asks for. */
export type PickedField = FieldsWith<{ readonly isPicked: true }>;

export const allFields = Object.keys(draftFields).filter((field): field is DraftField => field in draftFields);
export const textFields = allFields.filter(isTextField);
export const guardedFields = fieldsWith('mayHoldSecret');
export const rememberedFields = fieldsWith('isRemembered');
export const mainFields: readonly DraftField[] = fieldsWith('isMain');
export const pickedFields = fieldsWith('isPicked');
export const plainFields = fieldsWith('isPlain');
export const uniqueFields = plainFields.filter((field) => 'isUnique' in draftFields[field]);
export const tableFields: readonly DraftField[] = fieldsWith('isTable');
export const destinationFields: readonly DraftField[] = fieldsWith('isDestination');

export function isTextField(field: DraftField): field is TextField {
  return 'problem' in draftFields[field];
}

/** The fields of a source, in their order. */
export function fieldsOf({ source }: { readonly source: Source }): readonly DraftField[] {
  return allFields.filter((field) => {
    const { sources = SOURCES }: FieldFacts = draftFields[field];
    return sources.includes(source);
  });
}

type Mark = 'mayHoldSecret' | 'isRemembered' | 'isMain' | 'isPicked' | 'isPlain' | 'isTable' | 'isDestination';

function fieldsWith<Fact extends Mark>(fact: Fact): FieldsWith<Readonly<Record<Fact, true>>>[] {
  const hasFact = (field: string): field is FieldsWith<Readonly<Record<Fact, true>>> => {
    const facts: Readonly<Record<string, FieldFacts>> = draftFields;
    return facts[field]?.[fact] === true;
  };
  return Object.keys(draftFields).filter(hasFact);
}

/** Explains why a text can't be the value of a field; undefined if it can. */
export function fieldProblem(field: TextField, text: string): string | undefined {
  return draftFields[field].problem(text.trim());
}

/** Explains what others than the service are known to refuse in a value, which can still be sent. */
export function fieldAdvice(field: TextField, text: string): string | undefined {
  const { advice }: TextFieldFacts = draftFields[field];
  return advice?.(text.trim());
}
