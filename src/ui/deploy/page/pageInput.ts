import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withResourceEdits } from '../../../core/draft/deploymentFileText.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { valueOfInput } from '../../../core/draft/fieldValues.ts';
import { isSpecKey } from '../../../core/spec/fields.ts';
import type { KeptInput } from '../../page/messages.ts';
import type { PagePanel } from '../../page/pagePanel.ts';
import { messageOf, showError, UserError } from '../../window/errors.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import type { PageChecks } from './pageChecks.ts';
import type { PageContext } from './pageContext.ts';
import { refusedPart, type FromPageMessages, type RefusedPart } from './pageMessages.ts';
import type { PageText } from './pageText.ts';
import type { ToPageMessage } from './protocol.ts';
import { differentValues, sharedValue } from './sharedFields.ts';

/** What is meant for a deployment of the page, with the version of the document that the page showed. */
type ShownIn<Change> = Change & { readonly version: number };

type ResourceEdits = Pick<FromPageMessages['editResources'], 'index' | 'edits'>;

/** Takes what the user enters on a page: writes it into the document, or keeps what the document can't have. */
export class PageInput {
  readonly #context: Pick<PageContext, 'unfinished' | 'lock' | 'services' | 'tell'>;
  readonly #page: PagePanel<ToPageMessage>;
  readonly #checks: PageChecks;
  readonly #text: PageText;
  /** The version of the document in which it got other deployments. */
  recounted = 0;
  /** What was refused a change, until the page has heard it: the resources of a deployment, or fields. */
  readonly #unheard = new Set<string>();

  constructor(context: PageContext, page: PagePanel<ToPageMessage>, checks: PageChecks, text: PageText) {
    this.#context = context;
    this.#page = page;
    this.#checks = checks;
    this.#text = text;
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
  async change({ id, version, index, key, value }: FromPageMessages['change']): Promise<void> {
    try {
      await this.#setField({ version, index, key, text: value }, id);
      this.#context.tell();
    } catch (error) {
      // A page that is hidden by now can't keep it.
      const isThere = version >= this.recounted;
      if (!this.#page.isListening && isThere) await this.#keepAlso({ index, key, text: value });
      this.#refuse(id, error, { ofResources: false, index });
    }
    await this.#context.unfinished.forgetTyped();
  }

  async #setField({ version, index, key, text }: ShownIn<KeptInput>, id?: number): Promise<void> {
    // A path may be pasted as Windows writes it.
    const value = key === 'config' ? text.replaceAll('\\', '/') : text;
    const deployment = this.#shownAt(index ?? 0, version);
    if (index === undefined) {
      if (value !== differentValues) {
        await this.#text.setShared([sharedValue(this.#checks.deployments, key, value)], id);
      }
      this.#page.applied = id ?? this.#page.applied;
    } else {
      const following = await this.#checks.following(index, key, value);
      const others = following.filter(({ path: [other] }) => other !== key);
      await this.#text.set(deployment, [{ path: [key], value: valueOfInput(key, value) }, ...others], id);
    }
  }

  /** Changes resources, as one step of undo. */
  async editResources({ id, ...change }: FromPageMessages['editResources']): Promise<void> {
    const part = { ofResources: true, index: change.index };
    if (!this.#unheard.has(refusedPart(part))) {
      try {
        await this.#setResources(change, id);
        this.#context.tell();
      } catch (error) {
        this.#refuse(id, error, part);
      }
    }
    await this.#context.unfinished.forgetTyped();
  }

  async #setResources({ version, index, edits }: ShownIn<ResourceEdits>, id?: number): Promise<void> {
    const change = ({ text }: Pick<FileDeployment, 'text'>): string => textAfterEdit(withResourceEdits(text, edits));
    const deployment = this.#shownAt(index ?? 0, version);
    if (index === undefined) await this.#text.changeShared(change, id);
    else await this.#text.change(deployment, (text) => change({ text }), id);
  }

  #refuse(id: number, error: unknown, part: RefusedPart): void {
    this.#unheard.add(refusedPart(part));
    this.#page.post({ type: 'refused', id, message: messageOf(error), ...part });
  }

  /**
   * The deployment that the page showed at a position.
   * @throws {UserError} it is another one now
   */
  #shownAt(index: number, version: number): FileDeployment {
    const deployment = this.#checks.deployments[index];
    if (deployment !== undefined && version >= this.recounted) return deployment;
    throw new UserError(vscode.l10n.t('The file got other deployments meanwhile. Look at this one and type again.'));
  }

  /** Keeps everything that the page has and the file can't have. */
  async keep(kept: readonly KeptInput[]): Promise<void> {
    await this.#context.unfinished.keep(this.#checks.deployments.length, kept);
    this.#context.tell();
  }

  /** Keeps what is being typed until it is sent. */
  async keepTyped({ version, typed }: FromPageMessages['typing']): Promise<void> {
    const { unfinished } = this.#context;
    const { deployments, text } = this.#checks;
    if (typed === undefined || version < this.recounted) await unfinished.forgetTyped();
    else await unfinished.keepTyped(deployments.length, text, typed);
  }

  /** Makes the change for which a page that is gone had no time. What the file can't have waits for the next page. */
  async takeTyped(isOpening = false): Promise<void> {
    const { unfinished, lock } = this.#context;
    const { deployments, text } = this.#checks;
    const typed = lock === '' ? unfinished.typed(deployments.length, text) : undefined;
    if (typed === undefined) return;
    const { input, isOfText } = typed;
    const version = this.recounted;
    try {
      // What follows another repository is known only later.
      const isEarly = 'key' in input && input.key === draftFields.repositoryUrl.key;
      // It counts on a change that was refused.
      const isRefused = this.#unheard.has(refusedPart({ ofResources: true, index: input.index }));
      if (isRefused || (isOpening && (isEarly || !isOfText))) throw changedMeanwhile();
      if ('edits' in input) await this.#setResources({ ...input, version });
      else if (isSpecKey(input.key)) await this.#setResources({ index: input.index, version, edits: yamlEdits(input) });
      else await this.#setField({ ...input, version });
    } catch (error) {
      if ('key' in input) await this.#keepAlso(input);
      else void showError(error, this.#context.services.log);
    }
    await unfinished.forgetTyped();
  }

  async #keepAlso(input: KeptInput): Promise<void> {
    const kept = this.#context.unfinished.of(this.#checks.deployments.length);
    await this.keep([...kept.filter(({ index, key }) => index !== input.index || key !== input.key), input]);
  }
}

function yamlEdits({ key, text }: KeptInput): ResourceEdits['edits'] {
  const value = text.trim() === '' ? undefined : { style: 'block' as const, text: text.trimEnd() };
  return [{ kind: 'set', path: [key], value }];
}

function changedMeanwhile(): UserError {
  return new UserError(
    vscode.l10n.t("The file has changed since you typed resources in its page. They aren't in it: enter them again."),
  );
}
