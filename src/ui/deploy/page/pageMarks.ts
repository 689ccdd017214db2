import * as vscode from 'vscode';
import { foundInFile, type FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { Services } from '../../services.ts';
import { diagnosticOf } from '../../window/diagnostics.ts';
import { openDocument } from '../../window/files.ts';
import { nameOf } from '../../window/specNames.ts';
import { tabsOf } from '../../window/tabs.ts';
import { differencesOf, findingsOf, type KnownDeployment } from './checkDeployment.ts';

/** A deployment of a file, and what is known of it. */
type Marked = KnownDeployment & { readonly deployment: FileDeployment };

/** What the check of a page shows outside of it: marks in the Deployments view, and findings in text editors. */
export class PageMarks {
  readonly #uri: vscode.Uri;
  readonly #services: Pick<Services, 'fileMarks' | 'views'>;
  /** Mistakes in the text itself have their own diagnostics. */
  readonly #diagnostics = vscode.languages.createDiagnosticCollection();

  /** Whether the text of the file isn't checked on its own. */
  #isOn = true;

  constructor(uri: vscode.Uri, services: Pick<Services, 'fileMarks' | 'views'>) {
    this.#uri = uri;
    this.#services = services;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Marks the deployments that differ from a file of the user, while they have the revision that was compared. */
  markDifferences(known: readonly KnownDeployment[]): void {
    if (!this.#isOn) return;
    const marks = known.flatMap(({ checked }): [string, string][] => {
      const { deployment, labels = [] } = (checked && differencesOf(checked)) ?? {};
      const words = vscode.l10n.t('differs from {0}: {1}', nameOf(this.#uri), labels.join(', '));
      if (deployment === undefined || labels.length === 0) return [];
      return [[`${deployment.id} ${deployment.latest_revision_id ?? ''}`, words]];
    });
    this.#services.fileMarks.set(this.#uri.toString(), new Map(marks));
    this.#services.views.deployments.redraw();
  }

  /**
   * Shows errors and warnings in text editors, as the page does. Information would fill the Problems panel.
   * @param isQuiet whether nobody waits for the check: what it lacks is no finding then, because a file can't have it
   */
  showFindings(marked: readonly Marked[], isQuiet = false): void {
    if (!this.#isOn) return;
    const found = marked.flatMap(({ deployment, ...known }) => {
      if (isQuiet && !isAnswered(known)) return [];
      const findings = findingsOf(known, deployment).filter(
        ({ severity, field }) => severity !== 'info' && !(isQuiet && severity === 'error' && field === 'secrets'),
      );
      return foundInFile(deployment, findings);
    });
    // A file without a tab has only marks.
    const document = tabsOf(this.#uri).length > 0 ? openDocument(this.#uri) : undefined;
    this.#diagnostics.set(this.#uri, document && found.map((each) => diagnosticOf(document, each)));
  }

  /** Takes everything back, because it may no longer be true. */
  clear(): void {
    // They are those of the text's own check.
    if (!this.#isOn) return;
    this.#diagnostics.clear();
    const { fileMarks, views } = this.#services;
    if (fileMarks.delete(this.#uri.toString())) views.deployments.redraw();
  }

  /** Leaves the marks to the check of the text, or takes them back. */
  turn(on: boolean): void {
    if (!on) this.#diagnostics.clear();
    this.#isOn = on;
  }

  /** The marks in the view stay for the next check of the file, until `checkTexts` forgets the file. */
  dispose(): void {
    this.#diagnostics.dispose();
  }
}

/** Whether a check had its connection and its repository, and an answer of the service. */
function isAnswered({ checked }: KnownDeployment): boolean {
  return checked?.plan !== undefined && checked.existing.lookUp(checked.plan.draft.name) !== undefined;
}
