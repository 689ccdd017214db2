import type { FlavorName } from '../../api/flavor.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { AppConfig, AppConfigFinding } from '../appConfig/config.ts';
import type { BuildFile, GitState, RemoteAge } from '../git/gitState.ts';
import type { DeploymentDraft } from './draft.ts';
import { draftFields, type DraftField } from './fields.ts';

export interface PreflightInput {
  draft: DeploymentDraft;
  /** The working copy. Missing if the repository isn't open here. */
  git?: GitState | undefined;
  /** The first line of the message of the remote's commit, if this clone has it. */
  subject?: string | undefined;
  /** How old the known state of the remote's branch is. Missing while that is recent or unknown. */
  remoteAge?: RemoteAge | undefined;
  /** True if the service builds from this clone's view of the remote, so nothing newer can exist there. */
  remoteIsCertain?: boolean;
  /** Whether a deployment on the connection is known to have the draft's name. */
  isNameTaken: boolean;
  /** Whether the draft was sent under its name before, without an answer that this window knows. */
  wasSent?: boolean;
  /** False if an existing deployment gets a new revision. */
  isNew?: boolean;
  /** The known deployments on the connection. */
  existing?: readonly Deployment[];
  reservedSecretNames: readonly string[];
  /** The config file in the commit to deploy, or the working copy's if this clone lacks that. */
  appConfig?: AppConfig | AppConfigFinding | undefined;
  /** The paths of `buildPaths`. Missing if the repository isn't open here. */
  files?: readonly BuildFile[] | undefined;
  /** What can be imported from the config's dotenv file and isn't yet, if that file could be read, and why not more. */
  configEnv?: { readonly names: readonly string[]; readonly findings: readonly string[] } | undefined;
  /** The kind of service, if it is known. */
  flavor?: FlavorName;
}

/** A message about a draft before it's created. An error means that sending it makes no sense. */
export interface Finding {
  severity: 'error' | 'warning' | 'info';
  /** The draft's field that the message is about, if any. */
  field?: DraftField;
  /** Whether it is about the connection, which is no field of a request. */
  isOfConnection?: boolean;
  /** The existing deployment that the message is about, if any. */
  deployment?: Pick<Deployment, 'id' | 'name'>;
  /** What helps with secrets besides entering values: importing names of a file, or confirming values of one. */
  remedy?: 'import' | 'confirm';
  /** One or more full sentences. Never contains the value of a secret. */
  message: string;
}

/** @param field the draft's field that the message is about, if any */
export function finding(severity: Finding['severity'], message: string, field?: DraftField): Finding {
  return field === undefined ? { severity, message } : { severity, field, message };
}

/** The key in a file of what a finding is about; empty if that is nothing in particular. */
export function keyInFile({ field, isOfConnection }: Finding): string {
  if (isOfConnection) return 'connection';
  return field === undefined ? '' : draftFields[field].key;
}

/** A draft as it is begun, with findings about what it couldn't take over. */
export interface DraftWithFindings {
  readonly draft: DeploymentDraft;
  readonly findings: readonly Finding[];
}
