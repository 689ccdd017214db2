import type { AppConfig, AppConfigProblem } from './appConfigShape.ts';
import type { DeploymentDraft } from './deploymentDraft.ts';

/** The working copy and what it last heard of its remote. Nothing is fetched for it. */
export interface GitState {
  kind: 'branch' | 'detached';
  /** The branch that is checked out. */
  branch?: string;
  /** The remote that is deployed from, such as `origin`; absent when there is none. */
  remoteName?: string;
  /** The commit that the remote has for the branch. */
  remoteCommit?: string;
  /** Whether the remote is known to have the branch. */
  remoteBranchExists: boolean;
  /** Local commits that the remote does not have. */
  ahead: number;
  uncommittedFiles: number;
  /** Whether the remote's commit has the config file; absent when that is not known. */
  configInRemote?: boolean | undefined;
}

/** Something to know before a deployment is created. An error means that sending it makes no sense. */
export interface Finding {
  severity: 'error' | 'warning' | 'info';
  /** The draft's field that it is about, where there is one. */
  field?: keyof DeploymentDraft;
  /** One or more whole sentences. Never carries the value of a secret. */
  message: string;
}

export interface PreflightInput {
  draft: DeploymentDraft;
  /** The working copy; absent when the repository is not open here. */
  git?: GitState;
  /** Names of the deployments that the connection already has, as far as they are known. */
  existingNames: readonly string[];
  reservedSecretNames: readonly string[];
  /** The config file of the working copy, when it could be read. */
  appConfig?: AppConfig | AppConfigProblem;
  /** The names in the dotenv file that the config names, when that file could be read. */
  configEnvNames?: readonly string[];
}
