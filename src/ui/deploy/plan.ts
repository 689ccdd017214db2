import type { DeploymentDraft } from '../../core/draft/draft.ts';
import type { Finding } from '../../core/draft/findings.ts';
import { sameRepository } from '../../core/git/remote.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Remedy } from '../window/errors.ts';
import type { Asking } from '../window/steps.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';

/** A finding with what helps besides another value of its field. */
export interface HelpedFinding extends Finding {
  readonly remedies?: readonly Remedy[];
}

/** A draft to send, with its working copy if that is open in this window. */
export interface DeploymentPlan extends Asking {
  /** The title of every prompt. */
  readonly title: string;
  /** The session of the draft's connection. */
  session: ReadySession;
  draft: DeploymentDraft;
  /** The open repository through the remote chosen last, even while the draft is of another; see `workingCopyOf`. */
  repository: WorkspaceRepository | undefined;
  /** The name of a deployment that was found after its create got no answer. */
  foundLate?: string;
}

/** The open repository, unless the draft is of another one. */
export function workingCopyOf({ draft, repository }: DeploymentPlan): WorkspaceRepository | undefined {
  const url = draft.source === 'repohost' ? draft.repositoryUrl : '';
  const isOfOther = url !== '' && repository !== undefined && !sameRepository(repository.remoteUrl, url);
  return isOfOther ? undefined : repository;
}

/** A draft's suggested name, which is replaced if it is taken. Undefined if the user chose it. */
export function suggestionOf({ name, provenance }: DeploymentDraft): string | undefined {
  return provenance.name?.kind === 'user' ? undefined : name;
}
