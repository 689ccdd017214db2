import { hash, randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  begunDeployment,
  begunRepository,
  continuedText,
  hasChosenRepository,
  isOfChosenRepository,
  namesInDraft,
  secretsInDraft,
  withNameOf,
  withSuggestedName,
} from '../../core/draft/begunDraft.ts';
import type { BegunDeployment } from '../../core/draft/begunDraft.ts';
import { draftFields } from '../../core/draft/fields.ts';
import { textOf, type SpecMap } from '../../core/yaml/value.ts';
import { namesOfTyped } from '../../state/deploying/typedSecrets.ts';
import type { Services } from '../services.ts';
import {
  claimDraft,
  createDraft,
  findDraft,
  readJson,
  releaseDraft,
  removeDraft,
  replaceFile,
  type Draft,
} from '../window/drafts.ts';
import { confirm, messageOf } from '../window/errors.ts';
import { inTurn } from '../window/inTurn.ts';
import { lockOfDraft, readSpecFile, replaceText } from '../window/specFiles.ts';
import { draftsFolder } from '../window/specNames.ts';
import { tabsOf } from '../window/tabs.ts';
import { UnfinishedInput } from './unfinishedInput.ts';

const begunDraft = z.object({
  deployments: z.array(begunDeployment),
  /** The text of the draft when nothing was left to do with it; true if it goes with any text. */
  done: z.optional(z.union([z.string(), z.literal(true)])),
});

/** In bytes. A deployment file has at most 256 kB. */
const largestBegun = 2_000_000;

/**
 * How a draft was begun, which a file beside it keeps. The file is read before each change, because a page that was just
 * closed and another window may change it too.
 */
export class BegunDraft {
  static readonly #inTurn = inTurn();
  readonly #file: string;
  #deployments: readonly BegunDeployment[] = [];
  /** How deployments were begun while their text had other repositories, by position and URL: a change may be undone. */
  readonly #others = new Map<string, BegunDeployment>();
  #done: string | true | undefined;

  private constructor(draft: string) {
    this.#file = path.join(path.dirname(draft), 'begun.json');
  }

  /** @param draft the path of the draft's file */
  static async read(draft: string): Promise<BegunDraft> {
    const begun = new BegunDraft(draft);
    await begun.readAgain();
    return begun;
  }

  static async write(draft: string, deployments: readonly BegunDeployment[]): Promise<void> {
    const begun = new BegunDraft(draft);
    await begun.#write(() => {
      begun.#deployments = deployments;
      begun.#done = undefined;
    });
  }

  /** The deployments of the draft's file, in its order. */
  get deployments(): readonly BegunDeployment[] {
    return this.#deployments;
  }

  /** A deployment of the draft's file. All of them are made from the working copy of the first. */
  at(index: number): BegunDeployment | undefined {
    const begun = this.#deployments[index];
    return begun && { ...begun, root: this.#deployments[0]?.root };
  }

  get text(): string {
    return this.#deployments.map(({ text }) => text).join('---\n');
  }

  async readAgain(): Promise<void> {
    await BegunDraft.#inTurn(() => this.#read());
  }

  async #read(): Promise<void> {
    const known = begunDraft.safeParse(await readJson(this.#file, largestBegun)).data;
    if (known === undefined) return;
    this.#deployments = known.deployments;
    this.#done = known.done;
  }

  /** Notes another suggested name of a deployment, unless it was sent under the one that it has. */
  async suggest(index: number, name: string): Promise<void> {
    await this.change(index, (each) => (each.isSent === true ? each : withSuggestedName(each, name)));
  }

  /**
   * Begins a deployment again, for another repository.
   * @param repositoryUrl the one that its text had until now
   */
  async beginAgain(index: number, now: BegunDeployment, repositoryUrl: string): Promise<void> {
    const before = this.#deployments[index];
    if (before !== undefined) this.#others.set(`${index} ${repositoryUrl}`, before);
    await this.change(index, () => now);
  }

  /**
   * Goes back to how a deployment was begun with a repository that it has again.
   * @returns how it was begun, as that counts now
   */
  async followRepository(index: number, content: SpecMap): Promise<BegunDeployment | undefined> {
    const repositoryUrl = textOf(content, draftFields.repositoryUrl.key);
    const [now, other] = [this.#deployments[index], this.#others.get(`${index} ${repositoryUrl}`)];
    if (now === undefined || other === undefined || !isOfChosenRepository(now)) return now;
    if (repositoryUrl === begunRepository(now)) return now;
    await this.beginAgain(index, other, begunRepository(now));
    return other;
  }

  /** Notes something else of a deployment. */
  async change(index: number, change: (deployment: BegunDeployment) => BegunDeployment): Promise<void> {
    await this.#write(() => {
      this.#deployments = this.#deployments.map((each, at) => (at === index ? change(each) : each));
    });
  }

  async add(deployments: readonly BegunDeployment[]): Promise<void> {
    await this.#write(() => (this.#deployments = [...this.#deployments, ...deployments]));
  }

  /**
   * Notes that the draft goes with its page.
   * @param text which is deployed; true if it goes with any text, also if its file still lacks the last change
   */
  async finish(text: string | true): Promise<void> {
    await this.#write(() => (this.#done = text));
  }

  /** Whether nothing is left to do with a text of the draft. */
  isDone(text: string): boolean {
    return this.#done === true || text === this.#done;
  }

  /** Whether a draft was begun again for a repository that the user chose. */
  get hasChosenRepository(): boolean {
    return this.#deployments.some(hasChosenRepository);
  }

  /** Whether nothing is lost with a text of the draft: it is done with, or has nothing that the user entered. */
  isSpare(text: string): boolean {
    const isAsBegun = this.#deployments.length === 1 && text === this.text && !this.hasChosenRepository;
    return this.isDone(text) || text.trim() === '' || isAsBegun;
  }

  async #write(step: () => unknown): Promise<void> {
    try {
      await BegunDraft.#inTurn(async () => {
        await this.#read();
        step();
        const content: z.infer<typeof begunDraft> = { deployments: [...this.#deployments], done: this.#done };
        await replaceFile(this.#file, JSON.stringify(content));
      });
    } catch (error) {
      // The draft was removed meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

/**
 * Opens the page of a draft. The one with the same start is continued: what the user hasn't changed since it was begun
 * is as it is now.
 * @param start what the draft is begun for
 * @param now the deployment as the draft would begin now
 */
export async function openDraft(
  { deploymentPages }: Pick<Services, 'deploymentPages'>,
  start: string,
  now: BegunDeployment,
): Promise<void> {
  const storage = deploymentPages.storage.fsPath;
  await deploymentPages.withDrafts(async () => {
    const found = await findDraft(storage, 'deployment-spec', idStartOf(start));
    const isDone = found !== undefined && (await isDoneDraft(found.file, deploymentPages));
    const left = isDone ? undefined : found;
    const file = left?.file ?? (await createDraft(storage, newDraft(start, now)));
    if (left !== undefined) await continueDraft(file, now, deploymentPages);
    else await BegunDraft.write(file, [now]);
    await deploymentPages.open({ file: vscode.Uri.file(file), index: undefined });
    // Close the finished page. Only a new page starts with the focus on its button.
    if (isDone) await vscode.window.tabGroups.close(tabsOf(vscode.Uri.file(found.file)));
  });
}

/** Whether a draft is deployed, and nothing was entered since. */
async function isDoneDraft(file: string, pages: TypedPages): Promise<boolean> {
  const text = await readSpecFile(vscode.Uri.file(file));
  const { begun, hasMore } = await readDraft(file, text, pages);
  return !hasMore && begun.isDone(text);
}

type TypedPages = Pick<Services['deploymentPages'], 'typed'>;

/** How a draft was begun, and whether the user entered what its text can't have, such as the value of one of its secrets. */
async function readDraft(
  file: string,
  text: string,
  { typed }: TypedPages,
): Promise<{ readonly begun: BegunDraft; readonly hasMore: boolean }> {
  const [begun, { isEmpty }] = await Promise.all([BegunDraft.read(file), UnfinishedInput.read(path.dirname(file))]);
  const names = secretsInDraft(text);
  const keys = typed.get(vscode.Uri.file(file).toString())?.values.keys() ?? [];
  const isTyped = [...keys].some((key) => names.includes(namesOfTyped(key).secret));
  return { begun, hasMore: !isEmpty || isTyped };
}

function newDraft(start: string, { text }: BegunDeployment) {
  // VS Code may still have the text of a removed draft, and would show it for a new file in its place.
  const id = idStartOf(start) + randomBytes(6).toString('hex');
  return { kind: 'deployment-spec', name: namesInDraft(text), id, text } as const;
}

async function continueDraft(file: string, now: BegunDeployment, pages: TypedPages): Promise<void> {
  // As it was written, whatever encoding the user has files in.
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file), { encoding: 'utf8' });
  const text = document.getText();
  const { begun: before, hasMore } = await readDraft(file, text, pages);
  const [then, ...others] = before.deployments;
  if (then === undefined || (!hasMore && before.isSpare(text))) {
    await BegunDraft.write(file, [now]);
    await replaceText(document, now.text);
    return;
  }

  // Values of secrets that were typed are kept by the name.
  // The only one was made, and the user begins another one from there, which can't have its name.
  const { made } = now.changes === undefined && others.length === 0 ? then : {};
  const known = made === undefined ? then : withSuggestedName(then, made.name);
  const again = made === undefined ? withNameOf(then, now) : now;
  await BegunDraft.write(file, [again, ...others]);
  await replaceText(document, continuedText(text, [known, ...others], [again]));
}

/** The draft with a start that would be lost, and how it was begun; undefined if there is none. */
export async function leftDraft(
  { deploymentPages }: Pick<Services, 'deploymentPages'>,
  start: string,
): Promise<(Draft & { readonly begun: BegunDeployment | undefined }) | undefined> {
  return deploymentPages.withDrafts(async () => {
    const left = await findDraft(deploymentPages.storage.fsPath, 'deployment-spec', idStartOf(start));
    if (left === undefined || (await isSpareDraft(left.file, left.text, deploymentPages))) return undefined;
    return { ...left, begun: (await BegunDraft.read(left.file)).deployments[0] };
  });
}

/** Whether nothing is lost with a draft. */
async function isSpareDraft(file: string, text: string, pages: TypedPages): Promise<boolean> {
  const { begun, hasMore } = await readDraft(file, text, pages);
  return begun.isDone(text) || (!hasMore && begun.isSpare(text));
}

/** What the IDs of drafts with a start begin with: an ID without its last part, as random ones are written. */
function idStartOf(start: string): string {
  const digest = hash('sha256', start);
  return [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20), ''].join('-');
}

/** The folder of what was typed in the page of a file, or of a draft, and that the file can't have yet. */
export function unfinishedFolder(
  pages: Pick<Services['deploymentPages'], 'storage' | 'isDraft'>,
  file: vscode.Uri,
): string {
  const folder = draftsFolder(pages.storage.fsPath, 'deployment-spec');
  const id = `${idStartOf(`unfinished ${file.toString()}`)}000000000000`;
  return pages.isDraft(file) ? path.dirname(file.fsPath) : path.join(folder, id);
}

/** What the user left of a deployment file, or of a draft. */
export interface LeftInput {
  /** How a draft was begun; undefined for a file of the user. */
  readonly begun: BegunDraft | undefined;
  /** Why this window can't use the document; empty if it can. */
  readonly lock: string;
  /** When the draft was changed last, in milliseconds since 1970; undefined if it is as it was begun. */
  readonly leftAt: number | undefined;
  readonly unfinished: UnfinishedInput;
}

/** Reads what the user left of a document. */
export async function readLeft(
  pages: Pick<Services['deploymentPages'], 'storage' | 'isDraft'>,
  document: Pick<vscode.TextDocument, 'uri' | 'getText'>,
): Promise<LeftInput> {
  const { uri } = document;
  const reading = UnfinishedInput.read(unfinishedFolder(pages, uri));
  if (!pages.isDraft(uri)) return { begun: undefined, lock: '', leftAt: undefined, unfinished: await reading };
  const [unfinished, begun, lock, { mtime }] = await Promise.all([
    reading,
    BegunDraft.read(uri.fsPath),
    lockOfDraft(uri),
    vscode.workspace.fs.stat(uri),
  ]);
  const isSpare = unfinished.isEmpty && begun.isSpare(document.getText());
  return { begun, lock, leftAt: isSpare ? undefined : mtime, unfinished };
}

/** Takes a draft over from another window, even from one that crashed and seems to have it still, and opens its page. */
export async function useDraftHere(
  file: vscode.Uri,
  { deploymentPages }: Pick<Services, 'deploymentPages'>,
): Promise<void> {
  const question = vscode.l10n.t('Use this draft here?');
  const detail = vscode.l10n.t(
    'If it is still open in another window, what you type there may replace what you type here.',
  );
  if (!(await confirm(question, vscode.l10n.t('Use It Here'), detail))) return;
  await deploymentPages.withDrafts(async () => {
    await claimDraft(file.fsPath, true);
    await vscode.window.tabGroups.close(tabsOf(file));
    await deploymentPages.open({ file, index: undefined });
  });
}

/** Gives back a draft whose page is closed, and removes it if nothing is lost with it. */
export async function leaveDeploymentDraft(
  file: vscode.Uri,
  { deploymentPages, log }: Pick<Services, 'deploymentPages' | 'log'>,
): Promise<void> {
  const leave = deploymentPages.withDrafts(async () => {
    // Another window may still have it.
    if (tabsOf(file).length > 0 || !(await claimDraft(file.fsPath))) return;
    if (await isSpareDraft(file.fsPath, await readSpecFile(file), deploymentPages)) await removeDraft(file.fsPath);
    else await releaseDraft(file.fsPath);
  });
  await leave.catch((error: unknown) => log.error(`deployment page: ${messageOf(error)}`));
}
