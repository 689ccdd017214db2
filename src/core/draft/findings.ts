import type { AppConfig, AppConfigFinding } from '../appConfig/shape.ts';
import type { RemoteBranch } from '../git/remotes.ts';
import type { DeployedFrom } from '../git/workspaceDeployment.ts';
import type { DeploymentDraft, DraftField } from './draft.ts';

/** The working copy, and the last known state of the deployed ref on the remote. Nothing is fetched. */
export interface GitState {
  /** `detached` when no branch is checked out. */
  kind: 'branch' | 'detached';
  /** The branch that is checked out. */
  branch?: string;
  /** The commit that is checked out. Missing before the first one. */
  headCommit?: string;
  /** The remote to deploy from, such as `origin`. Missing if there is none. */
  remoteName?: string;
  /** Whether the remote is known to have the branch to deploy, or a branch with the tag or commit. */
  remoteBranchExists: boolean;
  /** The remote's commit of that branch, or the commit of the tag. Missing if this clone doesn't have it. */
  remoteCommit?: string;
  /** That branch on all remotes. Empty for a tag or a commit. */
  remotes?: readonly RemoteBranch[];
  /** Commits that only the working copy has. Meaningful only if the deployed branch is checked out. */
  ahead: number;
  /** Commits that only the remote has. Meaningful only if the deployed branch is checked out. */
  behind?: number;
  uncommittedFiles: number;
  /** Those of them that the next commit takes. */
  stagedFiles: number;
}

/** When a clone last heard of a remote's branch: by a fetch, or by moving its own record of it, as a push does. */
export interface RemoteContact {
  readonly kind: 'fetched' | 'updated';
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** How old the known state of a remote's branch is. */
export interface RemoteAge extends Pick<RemoteContact, 'kind'> {
  /** Such as "3 hours ago". */
  readonly age: string;
}

/** A file that the build needs. */
export interface BuildFile {
  /** Relative to the repository's root. */
  path: string;
  /** Whether git ignores the working copy's file. */
  isIgnored: boolean;
  /** Whether the commit to deploy has it, as of the last fetch. Undefined if this clone doesn't have the commit. */
  isInRemote: boolean | undefined;
}

/** A deployment that already exists on the connection. */
export interface ExistingDeployment extends DeployedFrom {
  readonly name: string;
  /** Undefined if the service doesn't say. */
  readonly buildsOnPush?: boolean | undefined;
}

/** A message about a draft before it's created. An error means that sending it makes no sense. */
export interface Finding {
  severity: 'error' | 'warning' | 'info';
  /** The draft's field that the message is about, if any. */
  field?: DraftField;
  /** The existing deployment that the message is about, if any. */
  deployment?: Pick<ExistingDeployment, 'id' | 'name'>;
  /** One or more full sentences. Never contains the value of a secret. */
  message: string;
}

/** @param field the draft's field that the message is about, if any */
export function finding(severity: Finding['severity'], message: string, field?: DraftField): Finding {
  return field === undefined ? { severity, message } : { severity, field, message };
}

/** A draft made from a deployment or a kept draft, with findings about what it couldn't take over. */
export interface DraftWithFindings {
  readonly draft: DeploymentDraft;
  readonly findings: readonly Finding[];
}

export interface PreflightInput {
  draft: DeploymentDraft;
  /** The working copy. Missing if the repository isn't open here. */
  git?: GitState | undefined;
  /** How old the known state of the remote's branch is. Missing while that is recent or unknown. */
  remoteAge?: RemoteAge | undefined;
  /** True if the service builds from this clone's view of the remote, so nothing newer can exist there. */
  remoteIsCertain?: boolean;
  /** The known names of deployments on the connection. */
  existingNames: readonly string[];
  /** The known deployments on the connection. */
  existing?: readonly ExistingDeployment[];
  reservedSecretNames: readonly string[];
  /** The config file in the commit to deploy, or the working copy's if this clone lacks that. */
  appConfig?: AppConfig | AppConfigFinding | undefined;
  /** The config file and the files of its graphs. Missing if the repository isn't open here. */
  files?: readonly BuildFile[] | undefined;
  /** The names in the config's dotenv file, if that file could be read. */
  configEnvNames?: readonly string[] | undefined;
  /** The deployment types that the connection takes, if they are known. */
  deploymentTypes?: readonly string[];
}
