import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { followingName, valuesOfRepository } from '../../../core/draft/begunDraft.ts';
import type { BegunDeployment, MadeRevision } from '../../../core/draft/begunDraft.ts';
import { readDeploymentFile, type FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { FileValue } from '../../../core/draft/deploymentFileText.ts';
import { DeploymentNumbers } from '../../../core/draft/deploymentNumbers.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { textOf } from '../../../core/yaml/value.ts';
import { typedKey } from '../../../state/deploying/typedSecrets.ts';
import { messageOf } from '../../window/errors.ts';
import { connectionRules } from '../../window/fileHelp.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { beginForRepository } from '../deploy.ts';
import type { HelpedFinding } from '../plan.ts';
import { checkFileDeployment, PageFacts, type CheckedDeployment, type KnownDeployment } from './checkDeployment.ts';
import type { CheckContext } from './pageContext.ts';
import { PageMarks } from './pageMarks.ts';
import type { MadeDeployment } from './pageProgress.ts';
import { connectionOf, renameTyped } from './pageSecrets.ts';
import { pageTitle } from './pageWords.ts';

/** The least time between two states of a check of several deployments, in milliseconds. */
const tellingPause = 100;

/** The deployments of a page's file: what the text says, and what the last check found out about each. */
export class PageChecks {
  readonly #context: CheckContext;
  /** What was found out, which is kept while the page is open. */
  readonly facts: PageFacts;
  #text = '';
  #deployments: readonly FileDeployment[] = [];
  readonly numbers: DeploymentNumbers;
  /** The number that each deployment had when it was read. */
  readonly #numberOf = new WeakMap<FileDeployment, number>();
  #known: readonly KnownDeployment[] = [];
  #running = new AbortController();
  /** The position of the deployment that is checked, before the first check all of them; undefined between checks. */
  #checking = vscode.workspace.isTrusted ? 0 : undefined;
  #isClosed = false;
  #lastCheck: Promise<void> | undefined;
  /** The text that the last whole check was made for. */
  #checkedText: string | undefined;
  /** What the last check shows outside of the page. */
  readonly marks: PageMarks;

  constructor(context: CheckContext) {
    this.#context = context;
    const { document, services, typed, tell } = context;
    this.marks = new PageMarks(document.uri, services);
    this.numbers = context.unfinished?.numbers ?? new DeploymentNumbers();
    this.facts =
      context.facts ??
      new PageFacts(services, typed, tell, (made) =>
        this.#keepProgress(made).catch((error: unknown) => services.log.error(`deployment page: ${messageOf(error)}`)),
      );
    this.readMade();
    this.read();
  }

  get text(): string {
    return this.#text;
  }

  get deployments(): readonly FileDeployment[] {
    return this.#deployments;
  }

  /** A deployment as the text says it now; as it is given if it is gone. */
  now(deployment: FileDeployment): FileDeployment {
    return this.#deployments[this.positionOf(deployment)] ?? deployment;
  }

  /** The position that a deployment has by now; -1 if it is gone. */
  positionOf(deployment: FileDeployment): number {
    return this.numbers.present.indexOf(this.#numberOf.get(deployment) ?? -1);
  }

  /** The deployment with a number. Undefined if it is gone. */
  withNumber(number: number): FileDeployment | undefined {
    return this.#deployments[this.numbers.present.indexOf(number)];
  }

  /** Drops what the last check found out. */
  forgetChecks(): void {
    this.#known = this.#known.map(() => ({}));
    this.#checkedText = undefined;
  }

  /** What is known of the deployments, in their order. */
  get known(): readonly KnownDeployment[] {
    return this.#known;
  }

  /** Whether a deployment is still to be checked. */
  isChecking(index: number): boolean {
    return this.#checking !== undefined && index >= this.#checking;
  }

  /** Whether the last whole check was made for a text. */
  isCheckOf(text: string): boolean {
    return this.#checkedText === text;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Reads the text again. What was found out about the deployments stays until they are checked. */
  read(): void {
    const { document, services, begun } = this.#context;
    const isDraft = begun !== undefined;
    const rules = { ...connectionRules(services.connections), isDraft, reservedNames: reservedSecretNames() };
    const [before, known, numbers] = [this.#deployments, this.#known, this.numbers.present];
    this.#text = document.getText();
    this.#deployments = readDeploymentFile(this.#text, rules);
    this.numbers.follow(this.#deployments);
    this.#known = this.#deployments.map((now, index) => {
      const number = this.numbers.present[index] ?? -1;
      this.#numberOf.set(now, number);
      const was = numbers.indexOf(number);
      const { checked, refusals } = known[was] ?? {};
      return before[was]?.text === now.text ? { checked, refusals } : { checked };
    });
  }

  /** Keeps the secrets that were typed for a deployment under its new name, unless others have one of its names. */
  keepTypedOf(before: FileDeployment): void {
    const { typed, services } = this.#context;
    const { name: from, connection: named } = before;
    this.read();
    const { name: to } = this.now(before);
    if (to === from) return;
    const having = (name: string): number =>
      this.#deployments.filter((each) => each.name === name && each.connection === named).length;
    if (having(from) > 0 || having(to) > 1) return;
    renameTyped(typed, connectionOf({ connection: named }, services.connections), from, to);
  }

  /** What else changes in a deployment with another value of a field. */
  async following(index: number, key: string, value: string): Promise<readonly FileValue[]> {
    if (key === 'connection') return this.moved(index);
    const { begun, services } = this.#context;
    const { content, text = '' } = this.#deployments[index] ?? {};
    const began = content && (await begun?.followRepository(index, content));
    if (content === undefined || began === undefined) return [];
    const { session, draft } = this.#known[index]?.checked?.plan ?? {};
    if (key === draftFields.repositoryUrl.key && session !== undefined && draft?.source === 'repohost') {
      const typed = { ...draft, integrationId: '', repositoryUrl: value };
      const now = await beginForRepository(services, session, typed, began, content);
      if (now !== undefined) {
        await begun?.beginAgain(index, now, textOf(content, key));
        return valuesOfRepository(text, began, now);
      }
    }
    const name = followingName(began, content, key, value);
    if (name !== undefined) await begun?.suggest(index, name);
    return name === undefined ? [] : [{ path: ['name'], value: name }];
  }

  /** What changes on another connection: the integration is found again by the repository, the listener by its cluster. */
  moved(index: number): readonly FileValue[] {
    const listener = this.#known[index]?.checked?.plan?.draft.listener;
    return [
      { path: ['integration'], value: undefined },
      ...(listener === undefined ? [] : [{ path: ['listener'], value: listener.name }]),
    ];
  }

  /** Checks all deployments, until the last of all checks that began meanwhile has ended. */
  async check(): Promise<void> {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.#lastCheck = this.#checkAll(running.signal);
    try {
      await this.#lastCheck;
    } catch (error) {
      if (this.#running === running) {
        this.#checking = undefined;
        this.#context.tell();
      }
      throw error;
    }
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    const { document, services, lock, tell } = this.#context;
    this.read();
    if (!vscode.workspace.isTrusted || lock !== '') {
      this.#checking = undefined;
      return tell();
    }
    const text = document.getText();
    const { length } = this.#deployments;
    let toldAt = -Infinity;
    for (const [index, deployment] of this.#deployments.entries()) {
      this.#checking = index;
      const time = services.clock.monotonic();
      // Each time, the page hears of all deployments.
      if (time - toldAt >= tellingPause) {
        tell();
        toldAt = time;
      }
      const place = this.positionOf(deployment);
      const before = this.#known[place];
      if (deployment.content) await this.#context.begun?.followRepository(place, deployment.content);
      const others = this.#otherNames(place);
      const described = { title: this.title, file: document.uri, text, deployment, begun: this.begunAt(place), others };
      const checked = await checkFileDeployment(services, this.facts, described, before?.checked?.plan, signal);
      if (this.#isClosed) return undefined;
      if (signal.aborted) return this.#lastCheck;
      // The positions may be those of other deployments now, which are checked next.
      if (this.#deployments.length !== length) return undefined;
      const now = this.positionOf(deployment);
      this.#known = this.#known.map((each, at) => (at === now ? { ...each, checked } : each));
      if (await this.#writeFreeName(deployment, checked)) return this.#checkAll(signal);
    }
    this.#checking = undefined;
    this.#checkedText = text;
    this.#showMarks();
    return tell();
  }

  /** Shows outside of the page what the last check found out, or leaves that to the check of the text. */
  mark(on: boolean): void {
    if (on === this.marks.isOn) return;
    this.marks.turn(on);
    if (on && this.isCheckOf(this.#text)) this.#showMarks();
  }

  #showMarks(): void {
    if (this.#context.begun === undefined) this.marks.markDifferences(this.#known);
    // What was made is as the text says it: that its name is taken is no mistake.
    const open = this.#deployments.flatMap((deployment, index) =>
      this.isMade(deployment) ? [] : [{ deployment, ...this.#known[index] }],
    );
    this.marks.showFindings(open, this.#context.isQuiet);
  }

  /** The names of the other deployments on the connection of one. */
  #otherNames(index: number): readonly string[] {
    const { connections } = this.#context.services;
    const places = this.#deployments.map((each) => connectionOf(each, connections));
    return this.#deployments.flatMap(({ name }, at) => (at !== index && places[at] === places[index] ? [name] : []));
  }

  /** Writes another name into a draft whose suggested one is taken. */
  async #writeFreeName(deployment: FileDeployment, { plan }: CheckedDeployment): Promise<boolean> {
    const { begun, set } = this.#context;
    const { name = deployment.name } = plan?.draft ?? {};
    if (begun === undefined || name === '' || name === deployment.name) return false;
    await begun.suggest(this.positionOf(deployment), name);
    // Another window may have sent it, or the user typed meanwhile, which is checked as well.
    const isSent = this.begunAt(this.positionOf(deployment))?.isSent === true;
    if (isSent || this.now(deployment).text !== deployment.text) return false;
    const written = set(deployment, [{ path: ['name'], value: name }]);
    return written.then(() => true).catch(() => false);
  }

  /** Reads which deployments were made: a draft may have been begun again, or its closed page may have deployed it. */
  readMade(): void {
    const { begun, unfinished } = this.#context;
    this.facts.made.replace(begun?.deployments.flatMap(({ made }) => made ?? []) ?? unfinished?.made ?? []);
  }

  /** Keeps what the service said when it refused a deployment. */
  noteRefused(deployment: FileDeployment, checked: CheckedDeployment, refusals: readonly HelpedFinding[]): void {
    const index = this.positionOf(deployment);
    this.#known = this.#known.map((each, at) => (at === index ? { checked, refusals } : each));
  }

  /** Forgets why the local service refused deployments, which may have started since. Gives whether it did. */
  forgetRefusals(): boolean {
    const isMeant = ({ checked, refusals }: KnownDeployment): boolean =>
      refusals !== undefined && checked?.plan?.session.connection.kind === 'local';
    const hasAny = this.#known.some(isMeant);
    this.#known = this.#known.map((each) => (isMeant(each) ? { checked: each.checked } : each));
    return hasAny;
  }

  /** What was made of a deployment with this name on this connection. */
  madeOf(deployment: FileDeployment): MadeDeployment | undefined {
    return this.facts.made.get(this.keyOf(deployment));
  }

  /** Whether a deployment was made as the file says it now. */
  isMade(deployment: FileDeployment): boolean {
    return this.madeOf(deployment)?.text === deployment.text;
  }

  /** The positions of the deployments that are changed together: those that weren't made yet. */
  get sharing(): readonly number[] {
    return this.#deployments.flatMap((deployment, index) => (this.isMade(deployment) ? [] : [index]));
  }

  /** A deployment's name and connection, as `typedKey` joins them without a secret. */
  keyOf(deployment: FileDeployment): string {
    return typedKey(deployment.name, connectionOf(deployment, this.#context.services.connections), '');
  }

  /** Keeps what was made of a deployment: with the draft, or for a page of the file that is restored after a reload. */
  async noteMade(
    deployment: FileDeployment,
    connection: string,
    { id: deploymentId, latest_revision_id: revisionId }: Deployment,
    isUnrevised: boolean,
  ): Promise<void> {
    const { name, text } = deployment;
    const made = { connection, deploymentId, revisionId, name, text, isUnrevised, steps: [] };
    this.facts.made.add(made);
    await this.#keepMade(made, this.positionOf(deployment));
    // A read that began before this was kept has dropped it.
    if (this.#context.begun !== undefined) this.readMade();
  }

  async #keepMade(made: MadeRevision, index: number): Promise<void> {
    const { begun, unfinished } = this.#context;
    if (begun !== undefined) await begun.change(index, (each) => ({ ...each, made }));
    else if (!this.#isClosed) await unfinished?.keepMade(this.facts.made.all);
  }

  /** Keeps what became of what was made. */
  async #keepProgress(made: MadeRevision): Promise<void> {
    const { begun, lock } = this.#context;
    const index = this.#positionOfMade(made);
    if (lock === '' && !this.#isClosed && (begun === undefined || index >= 0)) await this.#keepMade(made, index);
  }

  /** The position in a draft that something was made of. */
  #positionOfMade({ deploymentId }: MadeRevision): number {
    return this.#context.begun?.deployments.findIndex(({ made }) => made?.deploymentId === deploymentId) ?? -1;
  }

  /** What the page is called; empty if nobody waits for the checks. */
  get title(): string {
    return this.#context.isQuiet === true ? '' : pageTitle(this.#context, this.#deployments);
  }

  begunAt(index: number): BegunDeployment | undefined {
    return this.#context.begun?.at(index);
  }

  dispose(): void {
    this.#isClosed = true;
    this.#running.abort();
    this.marks.dispose();
  }
}
