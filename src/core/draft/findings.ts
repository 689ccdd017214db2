import type { AppConfig, AppConfigFinding } from '../appConfig/shape.ts';
import type { DeployedFrom } from '../git/workspaceDeployment.ts';
import type { DeploymentDraft } from './draft.ts';

/**
 * What the remote was last heard to have of the branch that is deployed, next to the working copy. Nothing is fetched
 * for it.
 */
export interface GitState {
  /** `detached` when no branch is checked out. */
  kind: 'branch' | 'detached';
  /** The branch that is checked out. */
  branch?: string;
  /** The remote that is deployed from, such as `origin`; absent when there is none. */
  remoteName?: string;
  /** Whether the remote is known to have the branch that is deployed. */
  remoteBranchExists: boolean;
  /** The commit that the remote has for it. */
  remoteCommit?: string;
  /** Whether that commit has the config file; absent when it is not known. */
  configInRemote?: boolean | undefined;
  /** Commits of the working copy that the remote does not have. Counts when the branch is the one checked out. */
  ahead: number;
  /** Commits of the remote that the working copy does not have. Counts when the branch is the one checked out. */
  behind?: number;
  uncommittedFiles: number;
}

/** A deployment that the connection has already. */
export interface ExistingDeployment extends DeployedFrom {
  readonly name: string;
  /** Undefined where the service does not say. */
  readonly buildsOnPush?: boolean | undefined;
}

/** Something to know before a deployment is created. An error means that sending it makes no sense. */
export interface Finding {
  severity: 'error' | 'warning' | 'info';
  /** The draft's field that it is about, where there is one. */
  field?: keyof DeploymentDraft;
  /** The deployment that it is about, where it is about one that exists. */
  deployment?: Pick<ExistingDeployment, 'id' | 'name'>;
  /** One or more whole sentences. Never carries the value of a secret. */
  message: string;
}

export interface PreflightInput {
  draft: DeploymentDraft;
  /** The working copy; absent when the repository is not open here. */
  git?: GitState;
  /** True where the service builds what this clone knows of the remote, so that nothing newer can be there. */
  remoteIsCertain?: boolean;
  /** Names of the deployments that the connection already has, as far as they are known. */
  existingNames: readonly string[];
  /** The deployments that the connection already has, as far as they are known. */
  existing?: readonly ExistingDeployment[];
  /** The name that would have been suggested, had it not been taken. */
  takenSuggestion?: string;
  reservedSecretNames: readonly string[];
  /** The config file of the working copy, when it could be read. */
  appConfig?: AppConfig | AppConfigFinding;
  /** The names in the dotenv file that the config names, when that file could be read. */
  configEnvNames?: readonly string[];
}
