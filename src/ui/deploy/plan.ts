import type { DeploymentDraft } from '../../core/draft/draft.ts';
import { sameRepository } from '../../core/git/remote.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { SecretPlace } from '../../state/deploying/storedSecrets.ts';
import type { Asking } from '../window/steps.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';

/** A draft to send, with its working copy if that is open in this window. */
export interface DeploymentPlan extends Asking {
  /** The title of every prompt. */
  readonly title: string;
  /** The session of the draft's connection. */
  session: ReadySession;
  /** Replaced when the user changes the source. */
  draft: DeploymentDraft;
  /** The open repository through the remote chosen last, even while the draft is of another; see `workingCopyOf`. */
  repository: WorkspaceRepository | undefined;
  /** The name of a deployment that was found after its create got no answer. */
  foundLate?: string;
  /** True after a create request. The name then stays, because looking it up tells whether the request worked. */
  isSent?: boolean;
  /** When the review was left that this one continues, in milliseconds since 1970. */
  continuedFrom?: number;
  /** Findings about imported secrets, from a file or the clipboard, that the user hasn't dismissed. Without values. */
  importFindings?: readonly { readonly from: string; readonly message: string }[];
  /** Where stored secrets were looked up for the draft. */
  secretPlace?: SecretPlace | undefined;
}

/** The open repository, unless the draft is of another one. */
export function workingCopyOf({ draft, repository }: DeploymentPlan): WorkspaceRepository | undefined {
  const url = draft.source === 'repohost' ? draft.repositoryUrl : '';
  const isOfOther = url !== '' && repository !== undefined && !sameRepository(repository.remoteUrl, url);
  return isOfOther ? undefined : repository;
}

/** A draft's suggested name, which is replaced if it is taken. Undefined if the user chose it, or it was sent. */
export function suggestionOf({ draft: { name, provenance }, isSent = false }: DeploymentPlan): string | undefined {
  return isSent || provenance.name?.kind === 'user' ? undefined : name;
}
