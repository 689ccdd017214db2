import * as vscode from 'vscode';
import { longestSpecText } from '../../../core/yaml/document.ts';
import type { Services } from '../../services.ts';
import { openDocument } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';
import { inTurn } from '../../window/inTurn.ts';
import { nameOf } from '../../window/specNames.ts';
import { tabsOf } from '../../window/tabs.ts';
import type { KnownDeployment, PageFacts } from './checkDeployment.ts';
import { PageChecks } from './pageChecks.ts';

/** The checks of a file of the user without a page. While the file has no tab, its text is the one on disk. */
export class FileChecks {
  readonly #uri: vscode.Uri;
  readonly #checks: PageChecks;
  readonly #watched: vscode.Disposable;
  readonly #readInTurn = inTurn();
  /** On disk, as of the last check. */
  #text = '';
  #isOpen: boolean;

  /** @param changed called when the file changes on disk */
  constructor(uri: vscode.Uri, services: Services, facts: PageFacts, changed: () => void) {
    this.#uri = uri;
    this.#isOpen = tabsOf(uri).length > 0;
    this.#checks = new PageChecks({
      document: { uri, getText: () => (this.#isOpen ? openDocument(uri)?.getText() : undefined) ?? this.#text },
      services,
      facts,
      typed: facts.typed,
      begun: undefined,
      lock: '',
      isQuiet: true,
      set: () => Promise.resolve(),
      tell: () => undefined,
    });
    const name = nameOf(uri).replaceAll(/[*?[\]{},]/g, '?');
    const place = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    const watcher = vscode.workspace.createFileSystemWatcher(place);
    const changes = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].map((event) => event(changed));
    this.#watched = vscode.Disposable.from(watcher, ...changes);
  }

  /** Reads the text of an editor again, where places may have changed. */
  read(): void {
    this.#checks.read();
  }

  /** Whether the file has no tab, and another text on disk than at the last check. */
  async hasChanged(): Promise<boolean> {
    return !this.#isOpen && (await this.#readDisk()) !== this.#text;
  }

  async check(): Promise<void> {
    await this.#readInTurn(async () => {
      this.#text = await this.#readDisk();
    });
    if (!this.#checks.isClosed) await this.#checks.check();
  }

  /**
   * Takes the findings back when the last tab of the file is closed.
   * @returns whether it was opened or closed since the last call
   */
  noteTabs(): boolean {
    const isOpen = tabsOf(this.#uri).length > 0;
    if (isOpen === this.#isOpen) return false;
    this.#isOpen = isOpen;
    if (!isOpen) this.#checks.marks.showFindings([]);
    return true;
  }

  /** Whether the file has a tab. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get known(): readonly KnownDeployment[] {
    return this.#checks.known;
  }

  /** A file that is gone, or too large, has no deployments. */
  async #readDisk(): Promise<string> {
    return (await readFileText(this.#uri, longestSpecText).catch(() => undefined)) ?? '';
  }

  dispose(): void {
    this.#watched.dispose();
    this.#checks.dispose();
  }
}
