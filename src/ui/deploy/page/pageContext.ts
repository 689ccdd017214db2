import type * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { FileValue } from '../../../core/draft/deploymentFileText.ts';
import type { TypedSecrets } from '../../../state/deploying/typedSecrets.ts';
import type { Services } from '../../services.ts';
import type { LeftInput } from '../deploymentDrafts.ts';
import type { UnfinishedInput } from '../unfinishedInput.ts';
import type { CheckedDeployment, PageFacts } from './checkDeployment.ts';
import type { ButtonMaker } from './pageButtons.ts';

/** The pause after a change in an editor, a file or git before deployments are checked, in milliseconds. */
export const changePause = 300;

/** What the deployments of a page work with. */
export interface PageContext extends LeftInput {
  readonly document: vscode.TextDocument;
  readonly services: Services;
  readonly typed: TypedSecrets;
  /** Whether nobody waits for the checks: they ask nothing, show no progress, and don't tell what they lack. */
  readonly isQuiet?: true;
  /** Sets values of a deployment in the document, or removes them. */
  readonly set: (deployment: FileDeployment, values: readonly FileValue[]) => Promise<void>;
  /** Sets values in all deployments that share them, or removes them. */
  readonly setShared: (values: readonly FileValue[]) => Promise<void>;
  /** Gives a deployment the text that a change makes of the one that it has by now. */
  readonly replace: (deployment: FileDeployment, change: (text: string) => string) => Promise<void>;
  /** Gives a draft another text, without any input that isn't in it yet. */
  readonly startOver: (text: string) => Promise<void>;
  /** Tells the page that something changed. */
  readonly tell: () => void;
}

/** What the checks of a file work with. It may be open in no editor. */
export interface CheckContext extends Omit<
  PageContext,
  'document' | 'leftAt' | 'unfinished' | 'setShared' | 'replace' | 'startOver'
> {
  /** What the page has besides the file, if there is one. */
  readonly unfinished?: Pick<UnfinishedInput, 'numbers' | 'made' | 'keepMade'>;
  readonly document: Pick<vscode.TextDocument, 'uri' | 'getText'>;
  /** What is found out, if that is shared with the checks of other files. */
  readonly facts?: PageFacts;
}

/** A deployment of the page, and what its buttons work with. */
export interface PageSubject extends PageContext {
  /** Where the paths of the deployment start. */
  readonly file: vscode.Uri;
  /** The position of the deployment among those of the file. */
  readonly index: number;
  readonly deployment: FileDeployment;
  readonly checked: CheckedDeployment | undefined;
  readonly facts: PageFacts;
  readonly button: ButtonMaker;
  /** Keeps a value that was typed for a secret. */
  readonly keep: (secret: string, value: string) => void;
}
