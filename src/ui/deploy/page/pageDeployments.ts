import * as vscode from 'vscode';
import { readDeploymentFile, type FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { SpecPath, SpecValue } from '../../../core/yaml/value.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import type { Services } from '../../services.ts';
import { execute } from '../../window/commandIds.ts';
import { UserError } from '../../window/errors.ts';
import { flavorFor } from '../../window/fileHelp.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { nameOf } from '../../window/specNames.ts';
import { FilePlans, showInText } from '../file/filePlan.ts';
import type { DeploymentPlan } from '../plan.ts';
import { showCreated, showRequest, type Created } from '../sendDraft.ts';
import { checkFileDeployment, type CheckedDeployment, type PageFacts } from './checkDeployment.ts';
import { deployChecked, shownRequest } from './deployChecked.ts';
import { PageButtons } from './pageButtons.ts';
import { progressOf, type MadeDeployment } from './pageProgress.ts';
import { remedyButtons, editResources, pickField } from './pageRemedies.ts';
import { connectionOf, secretsTable, typedKey, type TypedSecrets } from './pageSecrets.ts';
import { deployWords, findingsFor, groupsOf, tablesOf, type PagePart } from './pageState.ts';
import type { PageButton, PageDeployment, PageState } from './protocol.ts';

/** What the deployments of a page work with. */
export interface PageContext {
  readonly document: vscode.TextDocument;
  readonly services: Services;
  readonly typed: TypedSecrets;
  /** Sets a value of a deployment in the document, or removes it. */
  readonly set: (deployment: FileDeployment, path: SpecPath, value: SpecValue | undefined) => Promise<void>;
  /** Gives a deployment another text. */
  readonly replace: (deployment: FileDeployment, text: string) => Promise<void>;
  /** Tells the page that something changed. */
  readonly tell: () => void;
}

/** What a page knows of one deployment of its file, by its position. */
interface KnownDeployment {
  readonly checked?: CheckedDeployment;
  /** What the service said when the deployment was refused, until the file changes. */
  readonly refusals?: readonly Finding[];
}

/** The deployments of a file as its page shows them: what the text says, what a check finds, what was deployed. */
export class PageDeployments {
  readonly #context: PageContext;
  readonly #facts: PageFacts;
  #text = '';
  #deployments: readonly FileDeployment[] = [];
  #known: readonly KnownDeployment[] = [];
  /** By their names and connections. */
  readonly #made = new Map<string, MadeDeployment>();
  #buttons = new PageButtons();
  #shown: Omit<PageState, 'version' | 'applied'> | undefined;
  #running = new AbortController();
  #isChecking = vscode.workspace.isTrusted;
  #isDeploying = false;
  #isClosed = false;
  #lastCheck: Promise<void> | undefined;
  /** The text that the last whole check was made for. */
  #checkedText: string | undefined;

  constructor(context: PageContext) {
    this.#context = context;
    this.#facts = { plans: new FilePlans(context.services), existing: new Map(), typed: context.typed };
  }

  get count(): number {
    return this.#deployments.length;
  }

  at(index: number): FileDeployment | undefined {
    return this.#deployments[index];
  }

  /** Reads the text again. What was found out about the deployments stays until they are checked. */
  read(): void {
    const { document, services } = this.#context;
    const rules = {
      flavorFor: (name: string) => flavorFor(services.connections, name),
      reservedNames: reservedSecretNames(),
    };
    const before = this.count;
    const text = document.getText();
    this.#deployments = readDeploymentFile(text, rules);
    if (this.count !== before) this.#known = [];
    else if (text !== this.#text) this.#known = this.#known.map(({ checked }) => ({ ...(checked && { checked }) }));
    this.#text = text;
  }

  /** Keeps the secrets that were typed for a deployment under its new name, unless others have one of its names. */
  rename({ name: from, connection: named }: FileDeployment, to: string): void {
    const { typed, services } = this.#context;
    const connection = connectionOf({ connection: named }, services.connections);
    const having = (name: string): number =>
      this.#deployments.filter((each) => each.name === name && each.connection === named).length;
    if (having(from) > 0 || having(to) > 1) return;
    for (const [key, value] of typed) {
      const [deployment, place, secret]: unknown[] = JSON.parse(key);
      if (deployment !== from || place !== connection || typeof secret !== 'string') continue;
      typed.set(typedKey(to, connection, secret), value);
    }
  }

  /** Checks all deployments, until the last of all checks that began meanwhile has ended. */
  async check(): Promise<void> {
    this.#running.abort();
    this.#running = new AbortController();
    this.#lastCheck = this.#checkAll(this.#running.signal);
    await this.#lastCheck;
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    const { document, services, tell } = this.#context;
    this.read();
    if (!vscode.workspace.isTrusted) return tell();
    this.#isChecking = true;
    tell();
    const text = document.getText();
    for (const [index, deployment] of this.#deployments.entries()) {
      const before = this.#known[index];
      const described = { title: this.#title, file: document.uri, text, deployment };
      const checked = await checkFileDeployment(services, this.#facts, described, before?.checked?.plan, signal);
      if (this.#isClosed) return undefined;
      if (signal.aborted) return this.#lastCheck;
      this.#known = this.#known.toSpliced(index, 1, { ...before, checked });
    }
    this.#isChecking = false;
    this.#checkedText = text;
    return tell();
  }

  /** Lets the next check ask git and the service again. */
  forget(): void {
    for (const existing of this.#facts.existing.values()) existing.forget();
    this.#facts.plans.forget();
  }

  /** Presses a button of the page, and gives words to tell the user, or an empty text. */
  async press(id: string): Promise<string> {
    this.forget();
    return this.#buttons.press(id);
  }

  /** What the page shows now. */
  state(change: Pick<PageState, 'version' | 'applied'>): PageState {
    const buttons = new PageButtons();
    this.#buttons = buttons;
    const isOnly = this.count === 1;
    const deployments = this.#deployments.map((_, index) => this.#view(index, buttons, isOnly));
    const ready = deployments.flatMap((deployment, index) => (this.#canDeploy(deployment, index) ? [index] : []));
    const bar = buttons.of('bar');
    this.#shown = {
      title: this.#title,
      lock: '',
      deployments,
      ...(ready.length > 0 && !this.#isDeploying
        ? { deploy: bar('deploy', this.#deployWords(deployments, ready), () => this.#deploy(ready)) }
        : {}),
      words: this.#words(deployments),
      buttons: isOnly ? this.#moreButtons(0, bar) : [],
    };
    return { ...change, ...this.#shown };
  }

  dispose(): void {
    this.#isClosed = true;
    this.#running.abort();
  }

  get #title(): string {
    return vscode.l10n.t('Deploy {0}', nameOf(this.#context.document.uri));
  }

  #canDeploy(deployment: PageDeployment, index: number): boolean {
    const { plan, update } = this.#known[index]?.checked ?? {};
    const hasChange = update === undefined || update.change.patch !== undefined;
    const made = this.#made.get(this.#keyOf(this.#deployments[index]));
    const isDone = made !== undefined && made.text === this.#deployments[index]?.text;
    const hasErrors = deployment.findings.some(({ severity }) => severity === 'error');
    return plan !== undefined && hasChange && !isDone && !hasErrors;
  }

  #deployWords(deployments: readonly PageDeployment[], ready: readonly number[]): string {
    if (deployments.length > 1) {
      return ready.length === deployments.length
        ? vscode.l10n.t('Deploy All {0}', ready.length)
        : vscode.l10n.t('Deploy {0} of {1}', ready.length, deployments.length);
    }
    return deployWords(deployments[0], this.#known[0]?.checked);
  }

  /** What stands beside the button. */
  #words(deployments: readonly PageDeployment[]): string {
    if (!vscode.workspace.isTrusted) {
      return vscode.l10n.t('In Restricted Mode, nothing is deployed from files. Trust the folder first.');
    }
    if (this.#isDeploying) return vscode.l10n.t('Deploying…');
    const errors = deployments.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
      return errors.length === 1
        ? vscode.l10n.t('1 problem to correct')
        : vscode.l10n.t('{0} problems to correct', errors.length);
    }
    const [plan] = this.#known.map(({ checked }) => checked?.plan);
    if (deployments.length !== 1 || plan === undefined || deployments[0]?.progress !== undefined) return '';
    return vscode.l10n.t('{0} to {1}', withoutIcons(plan.draft.name), withoutIcons(plan.draft.connectionName));
  }

  #view(index: number, buttons: PageButtons, isOnly: boolean): PageDeployment {
    const { services, document, set } = this.#context;
    const deployment = this.#deployments[index];
    const { checked, refusals = [] } = this.#known[index] ?? {};
    if (deployment === undefined) throw new RangeError(`The file has no deployment ${index}.`);
    const button = buttons.of(index);
    const subject = { ...this.#context, deployment, checked, facts: this.#facts, button };
    const { session } = services.connections;
    const part: PagePart = {
      deployment,
      checked,
      refusals,
      connections: services.connections.list().map(({ name }) => name),
      usualConnection: session.kind === 'none' ? '' : session.connection.name,
      button,
      pick: (field) => pickField(subject, field),
      remediesOf: (found) => remedyButtons(subject, found),
      showText: (offset) => showInText(document.uri, document.getText(), offset),
    };
    const made = this.#made.get(this.#keyOf(deployment));
    const progress = made && progressOf(made, services, button);
    // What was deployed is as the file says it now, so that its name is taken is no mistake.
    const isDone = made?.text === deployment.text && progress?.look !== 'failed';
    const plan = checked?.plan;
    const { findings, facts } = findingsFor(part);
    const secrets = secretsTable({
      ...subject,
      file: document.uri,
      plan,
      set: (path, value) => set(deployment, path, value),
    });
    const view: PageDeployment = {
      title: deployment.name === '' ? vscode.l10n.t('Deployment {0}', index + 1) : deployment.name,
      facts,
      isChecking: this.#isChecking,
      findings: isDone ? [] : findings,
      groups: [...groupsOf(part)],
      tables:
        deployment.content === undefined
          ? []
          : [secrets, ...tablesOf(part, { editResources: () => editResources(subject) })],
      ...(progress === undefined ? {} : { progress }),
    };
    if (isOnly || this.#isDeploying || !this.#canDeploy(view, index)) return view;
    return { ...view, deploy: button('deploy', deployWords(view, checked), () => this.#deploy([index])) };
  }

  /** What else can be done with a deployment. */
  #moreButtons(index: number, bar: ReturnType<PageButtons['of']>): PageButton[] {
    const { services, document } = this.#context;
    const plan = this.#known[index]?.checked?.plan;
    const subject = { file: document.uri.toString(), index };
    return [
      ...(plan === undefined
        ? []
        : [
            bar('request', vscode.l10n.t('Show Request'), () => showRequest(services, plan)),
            bar('compare', vscode.l10n.t('Compare With Service'), () => execute('compareFile', subject)),
          ]),
      bar('text', vscode.l10n.t('Open as Text'), () => showInText(document.uri, document.getText(), 0)),
    ];
  }

  #keyOf(deployment: FileDeployment | undefined): string {
    const { connections } = this.#context.services;
    return deployment === undefined ? '' : typedKey(deployment.name, connectionOf(deployment, connections), '');
  }

  /** Deploys what has no errors as it was shown. One that is refused stops none of the others. */
  async #deploy(indexes: readonly number[]): Promise<string> {
    if (this.#isDeploying) return '';
    const seen = new Set(this.#shown?.deployments.flatMap(({ findings }) => findings.map(({ message }) => message)));
    const text = this.#text;
    // What the user has just typed wasn't checked yet.
    const shown = this.#checkedText === text ? this.#requestsOf(indexes) : undefined;
    this.#isDeploying = true;
    try {
      await this.check();
      if (this.#isClosed) return '';
      const requests = this.#requestsOf(indexes);
      const isSame = this.#checkedText === text && (shown ?? requests) === requests;
      const views = isSame ? indexes.map((index) => this.#view(index, new PageButtons(), true)) : [];
      const isNew = views.some(({ findings }) =>
        findings.some(({ severity, message }) => severity !== 'info' && !seen.has(message)),
      );
      if (!isSame || isNew) throw changedMeanwhile();
      await this.#deployAll(indexes, text);
    } finally {
      this.#isDeploying = false;
      this.#context.tell();
    }
    return '';
  }

  #requestsOf(indexes: readonly number[]): string {
    return indexes.map((index) => shownRequest(this.#known[index]?.checked)).join('\n');
  }

  async #deployAll(indexes: readonly number[], text: string): Promise<void> {
    const { services } = this.#context;
    const all = indexes.map((index) => ({ index, deployment: this.at(index), checked: this.#known[index]?.checked }));
    for (const { index, deployment, checked } of all) {
      const { plan } = checked ?? {};
      if (deployment === undefined || checked === undefined || plan === undefined) continue;
      if (this.#context.document.getText() !== text) throw changedMeanwhile();
      const outcome = await deployChecked(services, plan, checked);
      if (outcome.kind === 'refused') {
        this.#known = this.#known.toSpliced(index, 1, { checked, refusals: outcome.findings });
        if (outcome.isCancelled) return;
      } else {
        await this.#noteMade(deployment, plan, outcome);
      }
    }
  }

  /** Follows a deployment that was made or changed, and forgets the secrets that were typed for it. */
  async #noteMade(
    of: FileDeployment,
    { draft, session }: DeploymentPlan,
    { deployment, kind }: Pick<Created, 'deployment' | 'kind'>,
  ): Promise<void> {
    const { services, typed } = this.#context;
    const connection = session.connection.name;
    for (const secret of draft.secrets) typed.delete(typedKey(draft.name, connection, secret.name));
    this.#made.set(this.#keyOf(of), { connection, deployment, text: of.text, steps: [] });
    const isMoved = services.connections.session !== session && this.#isOneConnection(session);
    await showCreated(services, { deployment, session, isMoved, ...(kind && { kind }) });
  }

  /** Whether the workspace can go to the connection of a plan, because all deployments of the file are on it. */
  #isOneConnection(session: ReadySession): boolean {
    return this.#known.every(({ checked }) => checked?.plan === undefined || checked.plan.session === session);
  }
}

function changedMeanwhile(): UserError {
  return new UserError(vscode.l10n.t('Something changed since the last check. Look at it and deploy again.'));
}
