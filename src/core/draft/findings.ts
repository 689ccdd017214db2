import type { DeployedFrom } from '../git/workspaceDeployment.ts';
import type { DeploymentDraft, DraftField } from './draft.ts';

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
