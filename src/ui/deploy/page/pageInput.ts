import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import {
  changeParts,
  withFileValues,
  withResourceEdits,
  type FileValue,
} from '../../../core/draft/deploymentFileText.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { valueOfInput } from '../../../core/draft/fieldValues.ts';
import { isSpecKey } from '../../../core/spec/fields.ts';
import { writtenYaml } from '../../../core/spec/part.ts';
import { longestSpecText, tooLongWords } from '../../../core/yaml/document.ts';
import type { KeptInput } from '../../page/messages.ts';
import type { TypedInput } from '../../page/yamlEdits.ts';
import { otherChangeFirst, type PagePanel } from '../../page/pagePanel.ts';
import { messageOf, showError, UserError } from '../../window/errors.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import type { PageChecks } from './pageChecks.ts';
import type { PageContext } from './pageContext.ts';
import { refusedPart, type FromPageMessages, type RefusedPart } from './pageMessages.ts';
import type { ToPageMessage } from './protocol.ts';
import { differentValues, sharedValue } from './sharedFields.ts';

type ResourceEdits = Pick<FromPageMessages['editResources'], 'number' | 'edits'>;

interface InputSetup {
  readonly context: Pick<PageContext, 'document' | 'unfinished' | 'lock' | 'services' | 'tell'>;
  readonly page: PagePanel<ToPageMessage>;
  readonly checks: PageChecks;
}

/**
 * Writes what the user enters on a page into its document, each time as one step of undo, or keeps it until the document
 * can take it.
 */
export class PageInput {
  readonly #context: InputSetup['context'];
  readonly #page: InputSetup['page'];
  readonly #checks: PageChecks;
  /** What was refused a change, until the page has heard it: the resources of a deployment, or fields. */
  readonly #unheard = new Set<string>();

  constructor({ context, page, checks }: InputSetup) {
    this.#context = context;
    this.#page = page;
    this.#checks = checks;
  }

  /** Whether the page may still count on a change that was refused. */
  get isRefused(): boolean {
    return this.#unheard.size > 0;
  }

  /** The page knows that a change was refused. A new page counts on none. */
  hear(part?: RefusedPart): void {
    if (part === undefined) this.#unheard.clear();
    else this.#unheard.delete(refusedPart(part));
  }

  /** Sets a field, as one step of undo. */
  async change({ id, number, key, value }: FromPageMessages['change']): Promise<void> {
    const input = { number, key, text: value };
    try {
      await this.#setField(input, id);
      this.#context.tell();
    } catch (error) {
      this.#refuse(id, error, { ofResources: false, number });
      // A page that is hidden by now can't keep it.
      if (!this.#page.isListening) await this.#keepOrSay(input, error);
    }
    await this.#context.unfinished.forgetTyped();
  }

  async #setField({ number, key, text }: KeptInput, id?: number): Promise<void> {
    // A path may be pasted as Windows writes it.
    const value = key === 'config' ? text.replaceAll('\\', '/') : text;
    if (number === undefined) {
      if (value !== differentValues) {
        await this.setShared([sharedValue(key, value, (of) => this.#deployment(of))], id);
      }
      this.#page.applied = id ?? this.#page.applied;
    } else {
      const deployment = this.#deployment(number);
      const following = await this.#checks.following(this.#checks.positionOf(deployment), key, value);
      const others = following.filter(({ path: [other] }) => other !== key);
      await this.set(deployment, [{ path: [key], value: valueOfInput(key, value) }, ...others], id);
    }
  }

  /** Changes resources, as one step of undo. */
  async editResources({ id, number, edits }: FromPageMessages['editResources']): Promise<void> {
    const part = { ofResources: true, number };
    const { unfinished } = this.#context;
    // Otherwise, the change was made already, when the page was hidden.
    const isWaiting = unfinished.typed(this.#checks.text) !== undefined;
    if (!this.#unheard.has(refusedPart(part))) {
      const input = { number, edits };
      try {
        await this.#setResources(input, id);
        this.#context.tell();
      } catch (error) {
        this.#refuse(id, error, part);
        if (!this.#page.isListening && isWaiting) await this.#keepOrSay(input, error);
      }
    }
    await unfinished.forgetTyped();
  }

  async #setResources({ number, edits }: ResourceEdits, id?: number): Promise<void> {
    const change = ({ text }: Pick<FileDeployment, 'text'>): string => textAfterEdit(withResourceEdits(text, edits));
    if (number === undefined) await this.#changeShared(change, id);
    else await this.replace(this.#deployment(number), (text) => change({ text }), id);
  }

  #refuse(id: number, error: unknown, part: RefusedPart): void {
    this.#unheard.add(refusedPart(part));
    this.#page.post({ type: 'refused', id, message: messageOf(error), ...part });
  }

  /** @throws {UserError} the file has it no longer */
  #deployment(number: number): FileDeployment {
    const deployment = this.#checks.withNumber(number);
    if (deployment !== undefined) return deployment;
    throw new UserError(vscode.l10n.t('The file no longer has this deployment.'));
  }

  /** Keeps everything that the page has and the file can't have. */
  async keep(kept: readonly KeptInput[]): Promise<void> {
    if (this.#context.lock !== '') return;
    await this.#context.unfinished.keep(kept);
    this.#context.tell();
  }

  /** Keeps what is being typed until it is sent. */
  async keepTyped({ typed }: FromPageMessages['typing']): Promise<void> {
    const { unfinished, lock } = this.#context;
    if (lock !== '') return;
    if (typed === undefined) await unfinished.forgetTyped();
    else await unfinished.keepTyped(this.#checks.text, typed);
  }

  /** Makes the change for which a page that is gone had no time. What the file can't have waits for the next page. */
  async applyTyped(isOpening = false): Promise<void> {
    const { unfinished, lock } = this.#context;
    const typed = lock === '' ? unfinished.typed(this.#checks.text) : undefined;
    if (typed === undefined) return;
    const { input, isOfText } = typed;
    try {
      // What follows another repository is known only later.
      const isEarly = 'key' in input && input.key === draftFields.repositoryUrl.key;
      const ofResources = 'edits' in input || isSpecKey(input.key);
      // It counts on a change that was refused.
      const isRefused = ofResources && this.#unheard.has(refusedPart({ ofResources, number: input.number }));
      if (isRefused || (isOpening && (isEarly || !isOfText))) throw changedMeanwhile();
      if ('edits' in input) await this.#setResources(input);
      else if (isSpecKey(input.key)) {
        const { number, key, text: yaml } = input;
        await this.#setResources({ number, edits: [{ kind: 'set', path: [key], value: writtenYaml(yaml) }] });
      } else await this.#setField(input);
    } catch (error) {
      await this.#keepOrSay(input, error);
    }
    await unfinished.forgetTyped();
  }

  /** Keeps a text that the file can't have until its page is shown, or says why it has no other input. */
  async #keepOrSay(input: TypedInput, error: unknown): Promise<void> {
    const { unfinished, services, lock, tell } = this.#context;
    if (lock !== '') return;
    if ('edits' in input) return void showError(error, services.log);
    await unfinished.add(input);
    tell();
  }

  /**
   * Sets values of a deployment, or removes them.
   * @param id the number of the change, if the page made it
   * @throws {UserError} the document can't be changed there
   */
  async set(deployment: FileDeployment, values: readonly FileValue[], id?: number): Promise<void> {
    await this.replace(deployment, (text) => textAfterEdit(withFileValues(text, values)), id);
  }

  /** Gives a deployment another text, as `set` does. A check may have written into it since the page showed it. */
  async replace(deployment: FileDeployment, change: (text: string) => string, id?: number): Promise<void> {
    const now = this.#checks.now(deployment);
    await this.#write(now, change(now.text), id);
    this.#checks.keepTypedOf(now);
  }

  /** Sets values in all deployments that share them, as `set` does. */
  async setShared(values: readonly FileValue[], id?: number): Promise<void> {
    await this.#changeShared(({ text, connection }, index) => {
      const isMoved = values.some(({ path: [key], value }) => key === 'connection' && value !== connection);
      return textAfterEdit(withFileValues(text, [...values, ...(isMoved ? this.#checks.moved(index) : [])]));
    }, id);
  }

  async #changeShared(change: (deployment: FileDeployment, index: number) => string, id?: number): Promise<void> {
    const { text, deployments, sharing } = this.#checks;
    const changeOne: typeof change = (each, index) => (sharing.includes(index) ? change(each, index) : each.text);
    await this.#write({ start: 0, text }, changeParts(text, deployments, changeOne), id);
  }

  async #write(part: Pick<FileDeployment, 'start' | 'text'>, after: string, id?: number): Promise<void> {
    const { start, text: before } = part;
    const { document, lock } = this.#context;
    const text = document.getText();
    if (lock !== '') throw new UserError(lock);
    if (text.length > longestSpecText) throw new UserError(tooLongWords());
    const end = start + before.length;
    if (text.slice(start, end) !== before) throw otherChangeFirst();
    await this.#page.change(text.slice(0, start) + after + text.slice(end), id);
  }
}

function changedMeanwhile(): UserError {
  return new UserError(
    vscode.l10n.t("The file has changed since you typed resources in its page. They aren't in it: enter them again."),
  );
}
