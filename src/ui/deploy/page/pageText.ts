import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { changeParts, withFileValues, type FileValue } from '../../../core/draft/deploymentFileText.ts';
import { longestSpecText, tooLongWords } from '../../../core/yaml/document.ts';
import type { PagePanel } from '../../page/pagePanel.ts';
import { UserError } from '../../window/errors.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import type { PageChecks } from './pageChecks.ts';
import type { PageContext } from './pageContext.ts';
import type { PageDeployments } from './pageDeployments.ts';

interface ShownDeployments {
  readonly checks: PageChecks;
  readonly deployments: Pick<PageDeployments, 'sharing'>;
}

/**
 * Writes into the document of a page, each time as one step of undo.
 * Every method takes the number of the change, if the page made it, and throws a `UserError` if the document can't be
 * changed there.
 */
export class PageText {
  readonly #context: Pick<PageContext, 'document' | 'lock'>;
  readonly #page: Pick<PagePanel<never>, 'change'>;
  readonly #shown: ShownDeployments;

  constructor(
    context: Pick<PageContext, 'document' | 'lock'>,
    page: Pick<PagePanel<never>, 'change'>,
    shown: ShownDeployments,
  ) {
    this.#context = context;
    this.#page = page;
    this.#shown = shown;
  }

  /** Sets values of a deployment, or removes them. */
  async set(deployment: FileDeployment, values: readonly FileValue[], id?: number): Promise<void> {
    await this.change(deployment, (text) => textAfterEdit(withFileValues(text, values)), id);
  }

  /** Gives a deployment another text. A check may have written into it since the page showed it. */
  async change(deployment: FileDeployment, change: (text: string) => string, id?: number): Promise<void> {
    const { checks } = this.#shown;
    const now = checks.now(deployment);
    await this.#replace(now, change(now.text), id);
    checks.keepTypedOf(now);
  }

  /** Sets values in all deployments that share them. */
  async setShared(values: readonly FileValue[], id?: number): Promise<void> {
    const { checks } = this.#shown;
    await this.changeShared(({ text, connection }, index) => {
      const isMoved = values.some(({ path: [key], value }) => key === 'connection' && value !== connection);
      return textAfterEdit(withFileValues(text, [...values, ...(isMoved ? checks.moved(index) : [])]));
    }, id);
  }

  /** Changes all deployments that share values. */
  async changeShared(change: (deployment: FileDeployment, index: number) => string, id?: number): Promise<void> {
    const { text, deployments } = this.#shown.checks;
    const { sharing } = this.#shown.deployments;
    const changeOne: typeof change = (each, index) => (sharing.includes(index) ? change(each, index) : each.text);
    await this.#replace({ start: 0, text }, changeParts(text, deployments, changeOne), id);
  }

  async #replace(part: Pick<FileDeployment, 'start' | 'text'>, after: string, id?: number): Promise<void> {
    const { start, text: before } = part;
    const { document, lock } = this.#context;
    const text = document.getText();
    if (lock !== '') throw new UserError(lock);
    if (text.length > longestSpecText) throw new UserError(tooLongWords());
    const end = start + before.length;
    if (text.slice(start, end) !== before) throw new UserError(vscode.l10n.t('Another change came first. Try again.'));
    await this.#page.change(text.slice(0, start) + after + text.slice(end), id);
  }
}
