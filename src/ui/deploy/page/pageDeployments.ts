import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { typedKey } from '../../../state/deploying/typedSecrets.ts';
import { otherChangeFirst } from '../../page/pagePanel.ts';
import { execute } from '../../window/commandIds.ts';
import { UserError } from '../../window/errors.ts';
import { flavorFor } from '../../window/fileHelp.ts';
import { showInText } from '../../window/specFiles.ts';
import { useDraftHere } from '../deploymentDrafts.ts';
import { filePlace } from '../file/filePlan.ts';
import { lateKey } from '../sendDraft.ts';
import type { CheckedDeployment } from './checkDeployment.ts';
import { changedMeanwhile, deployAll, hasRequest, shownRequest, showRequestOf } from './deployChecked.ts';
import { draftButtons, draftFacts } from './draftButtons.ts';
import { PageButtons, type ButtonMaker } from './pageButtons.ts';
import type { PageChecks } from './pageChecks.ts';
import type { PageContext } from './pageContext.ts';
import { progressOf, type MadeDeployment } from './pageProgress.ts';
import { deployedButtons, remedyButtons, resourceButtons } from './pageRemedies.ts';
import { pickField, pickSharedRef } from './pickField.ts';
import { promote } from './promote.ts';
import { connectionOf, secretsTable } from './pageSecrets.ts';
import { findingsFor, groupsOf, shownResources, tablesOf, type PagePart } from './pageState.ts';
import { barWords, changedWords, deployAllWords, deployWords, newsWords } from './pageWords.ts';
import type { PageButton, PageDeployment, PageState } from './protocol.ts';
import { shareFields } from './sharedFields.ts';

type TextState = Pick<PageState, 'version' | 'applied'>;

/** A deployment as the page showed it, and its request if that was known. */
interface ShownDeployment {
  readonly deployment: FileDeployment;
  readonly view: PageDeployment;
  readonly request: string | undefined;
}

/** The deployments of a file as its page shows them: what the text says, what a check finds, what was deployed. */
export class PageDeployments {
  readonly #context: PageContext;
  readonly #checks: PageChecks;
  #buttons = new PageButtons();
  #shown: Omit<PageState, keyof TextState> | undefined;
  #isDeploying = false;

  constructor(context: PageContext, checks: PageChecks) {
    this.#context = context;
    this.#checks = checks;
  }

  /** Presses a button of the page, and gives words to tell the user, or an empty text. */
  async press(id: string): Promise<string> {
    const buttons = this.#buttons;
    const isAsking = buttons.isAsking(id);
    if (isAsking) this.#checks.facts.forget();
    try {
      return await buttons.press(id);
    } finally {
      if (isAsking) this.#checks.facts.forget();
    }
  }

  /** What the page shows now. */
  state(position: TextState): PageState {
    const buttons = new PageButtons();
    this.#buttons = buttons;
    const isOnly = this.#checks.deployments.length === 1;
    const deployments = this.#checks.deployments.map((_, index) => this.#view(index, buttons, isOnly));
    const isChecked = this.#checks.known.every(({ checked }) => checked !== undefined);
    // One button for all must not leave out those that weren't checked yet.
    const ready = deployments.flatMap((each, index) => (isChecked && this.#canDeploy(each, index) ? [index] : []));
    const plans = this.#checks.known.map(({ checked }) => checked?.plan);
    const isMade = this.#checks.sharing.length === 0;
    // Opening the new deployment may take longer.
    const isDeploying = this.#isDeploying && !isMade;
    const bar = buttons.of('bar');
    const { services, document, begun, lock, unfinished, setShared } = this.#context;
    const draft = { ...this.#context, deployments: this.#checks.deployments, plans, isChecked, isMade };
    const deployLabel = deployAllWords(deployments, ready, this.#checks.known[0]?.checked);
    const shared = shareFields(deployments, {
      files: this.#checks.deployments,
      sharing: this.#checks.sharing,
      pick: (key) =>
        buttons.of('shared')(`pick/${key}`, vscode.l10n.t('Choose…'), () =>
          pickSharedRef(this.#context, this.#checks.sharing.flatMap((index) => plans[index] ?? [])[0]),
        ),
      resourceButtons: (deployment, index) => {
        const file = filePlace({ file: document.uri, begun: this.#checks.begunAt(index) }, plans[index]?.repository);
        return resourceButtons({ services, file, deployment }, buttons.of('shared'), setShared);
      },
    });
    this.#shown = {
      title: this.#checks.title,
      lock,
      ...shared,
      ...(ready.length > 0 && !this.#isDeploying && lock === ''
        ? { deploy: bar('deploy', deployLabel, () => this.#deploy(ready), true) }
        : {}),
      words: barWords(shared, plans, unfinished.inputs, isDeploying),
      buttons: [
        ...this.#requestButtons(bar),
        ...(isOnly ? this.#moreButtons(0, bar) : []),
        bar('text', vscode.l10n.t('Open as Text'), () => showInText(document.uri, document.getText(), 0)),
        ...(begun === undefined || lock !== '' ? [] : draftButtons({ ...draft, begun }, bar)),
        ...(lock === '' ? [] : [bar('take', vscode.l10n.t('Use It Here'), () => useDraftHere(document.uri, services))]),
      ],
    };
    return { ...position, ...this.#shown };
  }

  #canDeploy(deployment: PageDeployment, index: number): boolean {
    const isNeeded = hasRequest(this.#checks.known[index]?.checked) && this.#checks.sharing.includes(index);
    return isNeeded && deployment.findings.every(({ severity }) => severity !== 'error');
  }

  /** What was made of a deployment. Another one with its name has errors, and was never made. */
  #madeAt(index: number): MadeDeployment | undefined {
    const keys = this.#checks.deployments.map((each) => this.#checks.keyOf(each));
    const key = keys[index] ?? '';
    return keys.indexOf(key) === index ? this.#checks.facts.made.get(key) : undefined;
  }

  #view(index: number, buttons: PageButtons, isOnly: boolean): PageDeployment {
    const { services, document, typed, set, replace } = this.#context;
    const deployment = this.#checks.deployments[index];
    const { checked, refusals = [] } = this.#checks.known[index] ?? {};
    if (deployment === undefined) throw new RangeError(`The file has no deployment ${index}.`);
    const number = this.#checks.numbers.present[index] ?? -1;
    const button = buttons.of(number);
    const plan = checked?.plan;
    const begun = this.#checks.begunAt(index);
    const file = filePlace({ file: document.uri, begun }, plan?.repository);
    // While a prompt is open, the window may go to another connection, and the deployment may get another name.
    const connection = connectionOf(deployment, services.connections);
    const keep = (secret: string, value: string): void =>
      typed.set(typedKey(this.#checks.now(deployment).name, connection, secret), value);
    const subject = { ...this.#context, index, file, deployment, checked, facts: this.#checks.facts, button, keep };
    const part: PagePart = {
      ...subject,
      isOnly,
      isNameKept: checked?.plan !== undefined && services.lateCreates.isOpen(lateKey(checked.plan)),
      begun,
      refusals,
      connections: services.connections.list().map(({ name }) => name),
      usualConnection: connectionOf({ connection: '' }, services.connections),
      flavor: flavorFor(services.connections, deployment.connection),
      pick: (field) => pickField(subject, field),
      remediesOf: (found) => remedyButtons(subject, found),
      showText: (offset) => showInText(document.uri, document.getText(), offset),
      correct: ({ change: { start, end, text } }) =>
        replace(deployment, (now) => {
          if (now !== deployment.text) throw otherChangeFirst();
          return now.slice(0, start - deployment.start) + text + now.slice(end - deployment.start);
        }),
    };
    const made = this.#madeAt(index);
    const progress = made && progressOf(made, services, button);
    // What was deployed is as the file says it now: that its name is taken is no mistake, and nothing is to come.
    const isSent = made?.text === deployment.text;
    const isDone = isSent && progress?.look !== 'failed';
    const setHere: PageContext['setShared'] = (values) => set(deployment, values);
    const secrets = secretsTable({
      ...subject,
      plan,
      isDone,
      set: (origins) => setHere(origins.map(([name, value]) => ({ path: ['secrets', name], value }))),
    });
    const groups = [...groupsOf(part)];
    const tables = deployment.content === undefined ? [] : [secrets, ...tablesOf(part)];
    const { findings, facts } = findingsFor(part, { groups, tables });
    const view: PageDeployment = {
      number,
      title: deployment.name === '' ? vscode.l10n.t('Deployment {0}', index + 1) : deployment.name,
      facts: isSent ? [] : [...(index === 0 ? draftFacts(this.#context) : []), ...facts],
      isChecking: this.#checks.isChecking(index),
      findings: isDone ? [] : findings,
      groups,
      tables,
      ...(tables.length === 0
        ? {}
        : { resources: { ...shownResources(part), ...resourceButtons(subject, button, setHere) } }),
      ...(progress === undefined ? {} : { progress }),
      buttons: isOnly ? [] : this.#moreButtons(index, button),
    };
    if (isOnly || this.#isDeploying || !this.#canDeploy(view, index)) return view;
    return { ...view, deploy: button('deploy', deployWords([view], checked), () => this.#deploy([index]), true) };
  }

  /** What else can be done with a deployment. */
  #moreButtons(index: number, button: ButtonMaker): PageButton[] {
    const { document, begun } = this.#context;
    const deployment = this.#checks.deployments[index];
    if (deployment === undefined) return [];
    const { checked } = this.#checks.known[index] ?? {};
    const { plan } = this.#wholeCheck(index) ?? {};
    const subject = { file: document.uri.toString(), index };
    // The service has nothing yet that a new draft could be compared with.
    const { changes, folder } = this.#checks.begunAt(index) ?? {};
    const isNew = begun !== undefined && changes === undefined;
    return [
      ...deployedButtons({ ...this.#context, deployment, checked, button }, this.#madeAt(index) !== undefined),
      ...(plan === undefined || isNew || folder !== undefined
        ? []
        : [button('compare', vscode.l10n.t('Compare With Service'), () => execute('compareFile', subject))]),
      ...(plan === undefined || begun !== undefined
        ? []
        : [button('promote', vscode.l10n.t('Promote…'), () => this.#promote(index))]),
    ];
  }

  #requestButtons(bar: ButtonMaker): PageButton[] {
    const items = this.#checks.deployments.flatMap((deployment, index) => {
      const checked = this.#checks.isMade(deployment) ? undefined : this.#wholeCheck(index);
      const description = checked?.plan?.draft.connectionName ?? '';
      return hasRequest(checked) ? [{ deployment, label: withoutIcons(deployment.name), description }] : [];
    });
    const show = () => showRequestOf(this.#context.services, items, (item) => this.#checkedNow(item.deployment));
    const label = items.length > 1 ? vscode.l10n.t('Show Request…') : vscode.l10n.t('Show Request');
    return items.length === 0 ? [] : [bar('request', label, show)];
  }

  async #promote(index: number): Promise<void> {
    const { services, document } = this.#context;
    const deployment = this.#checks.deployments[index];
    if (deployment === undefined) return;
    const { plan } = (await this.#checkedNow(deployment)) ?? {};
    if (plan !== undefined) await promote(services, document.uri, this.#checks.now(deployment), plan);
  }

  /** The check of a deployment without errors, with everything that the user has typed until now. */
  async #checkedNow(deployment: FileDeployment): Promise<CheckedDeployment | undefined> {
    if (!this.#checks.isCheckOf(this.#checks.text)) await this.#checks.check();
    return this.#wholeCheck(this.#checks.positionOf(deployment));
  }

  /** The check of a deployment without errors; undefined if it has some. */
  #wholeCheck(index: number): CheckedDeployment | undefined {
    const { checked } = this.#checks.known[index] ?? {};
    return (checked?.isPartial ?? true) || this.#checks.deployments[index]?.spec === undefined ? undefined : checked;
  }

  /** Deploys what has no errors as it was shown. One that changed or is refused stops none of the others. */
  async #deploy(indexes: readonly number[]): Promise<void> {
    if (this.#isDeploying) return;
    const { text, deployments, known } = this.#checks;
    const window = this.#context.services.connections.session;
    // What the user has just typed wasn't checked yet.
    const isChecked = this.#checks.isCheckOf(text);
    const shown = indexes.flatMap((index) => {
      const [deployment, view] = [deployments[index], this.#shown?.deployments[index]];
      const request = isChecked ? shownRequest(known[index]?.checked) : undefined;
      return deployment === undefined || view === undefined ? [] : [{ deployment, view, request }];
    });
    this.#isDeploying = true;
    try {
      await this.#checks.check();
      if (this.#checks.isClosed) return;
      if (this.#checks.deployments.length !== deployments.length) throw changedMeanwhile();
      const news = shown.map((each) => this.#newsOf(each));
      const ready = shown.filter((_, at) => news[at] === undefined);
      const typed = this.#context.typed.values;
      const sending = { checks: this.#checks, context: this.#context, window, typed };
      const failed = await deployAll(
        sending,
        ready.map(({ deployment }) => deployment),
      );
      const reasons = [...news.flatMap((words) => words ?? []), ...failed];
      // They are above, too, which may be out of sight.
      if (reasons.length > 0) throw new UserError(reasons.join(' '));
    } finally {
      this.#isDeploying = false;
      this.#context.tell();
    }
  }

  /** Says why a deployment isn't sent as it was shown. Undefined if it can be. */
  #newsOf({ deployment, view: before, request }: ShownDeployment): string | undefined {
    const index = this.#checks.positionOf(deployment);
    if (this.#checks.deployments[index]?.text !== deployment.text) return changedWords(before.title);
    const view = this.#view(index, new PageButtons(), true);
    const isSame = request === undefined || request === shownRequest(this.#checks.known[index]?.checked);
    return newsWords(view, before) ?? (isSame && this.#canDeploy(view, index) ? undefined : changedWords(view.title));
  }
}
