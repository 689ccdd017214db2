import { hasInput, withoutSecrets } from '../../core/draft/keptDraft.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import type { Clock } from '../clock.ts';
import type { Memory } from '../memory.ts';
import { draftPlace, forgetDraft, isKeptAs, keepDraft, keptDraftFor, type KeptDraft } from './keptDrafts.ts';

interface ReviewedDraftsOptions {
  readonly memory: Memory;
  readonly clock: Pick<Clock, 'now'>;
  /** Where the draft is kept, if the review continues it. */
  readonly continuedPlace: string | undefined;
  /** Whether the review is of one of several applications, which offers no draft of another one. */
  readonly isOneOfSeveral: boolean;
}

/**
 * The kept drafts of a review: its own, and one that was left earlier, which it offers.
 * A draft of another review stays until it is continued or discarded.
 */
export class ReviewedDrafts {
  readonly #options: ReviewedDraftsOptions;
  #ownPlace: string | undefined;
  #offered: KeptDraft | undefined;

  constructor(draft: DeploymentDraft, options: ReviewedDraftsOptions) {
    this.#options = options;
    const found = keptDraftFor(options.memory, draft);
    if (found === undefined || (options.isOneOfSeveral && found.place !== draftPlace(draft))) return;
    if (found.place === options.continuedPlace || isKeptAs(found, draft)) this.#ownPlace = found.place;
    else this.#offered = found;
  }

  get offered(): KeptDraft | undefined {
    return this.#offered;
  }

  /**
   * Keeps the draft for when the review is left without a deployment, once the user changed something in it.
   * @param before its `keptText` from before the edit
   */
  async keepChange(draft: DeploymentDraft, before: string): Promise<void> {
    if (!hasInput(draft) || before === keptText(draft)) return;
    ({ place: this.#ownPlace } = await this.#keep(draft));
    if (this.#offered?.place === this.#ownPlace) this.#offered = undefined;
  }

  /** Keeps the draft whose source the user changes, which may be a mistake, and offers it. */
  async keepFormer(former: DeploymentDraft): Promise<void> {
    if (this.#offered?.place === draftPlace(former)) return;
    this.#offered = await this.#keep(former);
    this.#ownPlace = undefined;
  }

  /** The offered draft, which is the review's own from now on. */
  takeOffered(): KeptDraft | undefined {
    const taken = this.#offered;
    this.#ownPlace = taken?.place;
    this.#offered = undefined;
    return taken;
  }

  async discardOffered(): Promise<void> {
    const discarded = this.#offered;
    this.#offered = undefined;
    if (discarded !== undefined) await forgetDraft(this.#options.memory, discarded.place);
  }

  /** Forgets the review's own draft, because its deployment was created. */
  async forgetOwn(): Promise<void> {
    if (this.#ownPlace !== undefined) await forgetDraft(this.#options.memory, this.#ownPlace);
  }

  async #keep(draft: DeploymentDraft): Promise<KeptDraft> {
    const { memory, clock } = this.#options;
    return keepDraft(memory, draft, clock.now(), this.#ownPlace);
  }
}

/** What is kept of a draft, to see whether it changed. */
export function keptText(draft: DeploymentDraft): string {
  return JSON.stringify(withoutSecrets(draft));
}
