import * as l10n from '@vscode/l10n';
import { isSpecKey } from '../../../../core/spec/fields.ts';
import { handle, type Handlers, type KeptInput } from '../../../page/messages.ts';
import { errorAlert, statusLine, type ErrorLink } from '../../../page/webview/alerts.ts';
import { buttonList } from '../../../page/webview/buttonList.ts';
import { button, element, setAttribute, setChildren, setText } from '../../../page/webview/dom.ts';
import { keepFocus, keepingFocus } from '../../../page/webview/focus.ts';
import { keyedList } from '../../../page/webview/keyedList.ts';
import { watchTyping } from '../../../page/webview/typing.ts';
import type { FromPageMessage } from '../pageMessages.ts';
import { readToPage, readKeptPage, type ToPageMessages, type KeptPage } from '../protocol.ts';
import type { PageFinding, PageState } from '../protocol.ts';
import { FieldChanges } from './changes.ts';
import { deploymentSection, type DeploymentView } from './deployment.ts';
import { fieldGroup } from './field.ts';
import { resourcesPart } from './resources.ts';
import './deploymentPage.css';

/** The API that VS Code gives to the page of a webview. */
interface VsCodeApi {
  readonly postMessage: (message: FromPageMessage) => void;
  readonly setState: (state: KeptPage) => void;
  readonly getState: () => unknown;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The parts whose first target takes a focus that is lost in them. */
const homes = '.field, .table, .deployment[aria-labelledby], footer, main';

start(acquireVsCodeApi());

/** Listens to the editor's messages and creates the page from "setup". */
function start({ postMessage: tell, setState, getState }: VsCodeApi): void {
  let page: ReturnType<typeof deploymentPage> | undefined;
  const setUp = ({ translations, state, kept: inputs }: ToPageMessages['setup']): void => {
    l10n.config({ contents: translations });
    const { open, scroll } = readKeptPage(getState());
    page = deploymentPage(open, inputs, tell, setState);
    document.body.replaceChildren(page.node);
    page.show(state);
    window.scrollTo(0, scroll);
  };
  window.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
    const message = origin === window.origin ? readToPage(data) : undefined;
    if (message?.type === 'setup') setUp(message);
    else if (message !== undefined && page !== undefined) handle(page.handlers, message);
  });
  window.addEventListener('scrollend', () => page?.remember());
  watchTyping(() => page);
  document.addEventListener('keydown', (event) => {
    const isModified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (event.key !== 'Enter' || !isModified || event.repeat || page?.deploy() !== true) return;
    event.preventDefault();
    event.stopPropagation();
  });
  keepFocus();
  const first = getState() === undefined ? firstMessage() : undefined;
  if (first !== undefined) setUp(first);
  tell({ type: 'ready', isSetUp: first !== undefined });
}

/** What the HTML shows before anything is asked. VS Code keeps that for a hidden page, so that it is right only once. */
function firstMessage(): ToPageMessages['setup'] | undefined {
  const message = readToPage(JSON.parse(document.querySelector('#first')?.textContent ?? 'null'));
  return message?.type === 'setup' ? message : undefined;
}

/**
 * The whole page: shows the states that the editor sends.
 * @param open the groups that the user opened or folded
 * @param waiting what was typed and has no field now: its part of the file is gone, or can't be read. At first, everything
 * that was kept
 */
function deploymentPage(
  open: KeptPage['open'],
  waiting: readonly KeptInput[],
  tell: (message: FromPageMessage) => void,
  keep: (page: KeptPage) => void,
) {
  const changes = new FieldChanges(tell);
  let shown: PageState | undefined;
  /** The button to deploy gets the focus once it is there, unless the user was faster. */
  let isFocusDue = true;
  let keptWords = JSON.stringify(waiting);
  /** Whether the alert has the errors that kept the user from deploying. */
  let checksAloud = false;
  document.addEventListener('focusin', () => (isFocusDue = false), { once: true });

  const title = element('h1', { tabindex: '-1' });
  const lock = element('p', { class: 'reason' });
  const alert = errorAlert();
  const status = statusLine(() => {
    if (!undo()) tell({ type: 'undo' });
  });
  const actions = { changes, tell, alert, status, press, open, remember, keep: keepInputs };
  const sharedFields = fieldGroup(undefined, 'shared', actions);
  const sharedResources = resourcesPart(undefined, actions);
  const shared = element('div', { class: 'sections' }, sharedFields.node);
  for (const part of [sharedFields, sharedResources]) {
    for (const heading of part.node.querySelectorAll('h3')) heading.ariaLevel = '2';
  }
  const sections = keyedList(
    element('div', { class: 'deployments' }),
    ({ deployment: { number } }: DeploymentView) => String(number),
    ({ deployment: { number } }) => deploymentSection(number, actions),
  );
  const deployButton = button('', deploy, { class: 'vscode-button', hidden: true });
  const problemsButton = button(l10n.t('Show Problems'), showProblems, { hidden: true });
  const warnings = element('div', { class: 'actions' });
  const words = element('p', { class: 'words', role: 'status', tabindex: '-1' });
  const others = buttonList(element('div', { class: 'actions' }), press);
  const more = button(l10n.t('More…'), unfoldBar, { class: 'vscode-button secondary more', 'aria-expanded': 'false' });
  const bar = element('div', { class: 'bar' }, deployButton, words, problemsButton, more, others.node);
  const node = element('main', {}, title, lock, sections.node, element('footer', {}, alert.node, bar, status.node));
  const handlers: Handlers<Omit<ToPageMessages, 'setup'>> = {
    state: ({ state }) => show(state),
    refused: ({ id, message, ofResources, number }) => {
      const heard = (): void => tell({ type: 'heard', ofResources, number });
      const resources = ofResources ? resourcesOf(number) : undefined;
      if (resources !== undefined) return resources.refuse(id, message, heard);
      alert.showMessage(message);
      if (!ofResources) {
        changes.refuse(id, message);
        showAgain();
      }
      heard();
    },
    flush: () => {
      send();
      tell({ type: 'flushed' });
    },
    focus: () => window.focus(),
    said: ({ failed, message }) => {
      if (!failed) status.show(message);
      else if (message === '') showErrors([]);
      else alert.showMessage(message);
    },
    show: ({ number }) => {
      const heading = sectionOf(number)?.heading;
      const target = heading?.hidden === false ? heading : title;
      target.scrollIntoView({ block: 'start' });
      target.focus({ preventScroll: true });
    },
  };
  return { node, handlers, show, send, undo, deploy, remember };

  function show(state: PageState): void {
    shown = state;
    const isGone = ({ number: kept }: Pick<KeptInput, 'number'>): boolean =>
      kept !== undefined && state.deployments.every(({ number }) => number !== kept);
    for (const part of sections.parts()) if (isGone(part)) part.resources.send();
    waiting = [...waiting, ...keptResources().filter(isGone)];
    changes.receive(state);
    keepingFocus(homes, () => {
      draw(state);
      const lost = [...changes.takeLost(), ...waiting];
      waiting = lost.filter((input) => !restoreOne(input, state));
      if (waiting.length < lost.length) draw(state);
    });
    focusFirst(state);
    remember();
    keepInputs();
  }

  function showAgain(): void {
    if (shown !== undefined) show(shown);
  }

  function draw(state: PageState): void {
    const isOnly = state.deployments.length === 1;
    const isLocked = state.lock !== '';
    setText(title, state.title);
    setText(lock, state.lock);
    place(shared, state.shared !== undefined);
    if (state.shared !== undefined) sharedFields.render({ group: state.shared, findings: [], isLocked });
    const { sharedResources: resources } = state;
    sharedResources.render(resources && { state, resources, findings: [], isLocked, level: 2 });
    place(sharedResources.node, resources !== undefined);
    const views = state.deployments.map((deployment) => ({ state, deployment, isOnly, isLocked }));
    sections.render(views);
    deployButton.hidden = state.deploy === undefined;
    setText(deployButton, state.deploy?.label ?? '');
    const links = [...errorLinks(), ...findingLinks(state)];
    const warningLinks = findingLinks(state, 'warning');
    problemsButton.hidden = (state.deploy === undefined ? links : warningLinks).length === 0;
    setChildren(
      warnings,
      warningLinks.map(({ label, go }) => button(label, go, { class: 'link' })),
    );
    if (warnings.isConnected && warningLinks.length === 0) status.clear();
    setText(words, state.words);
    if (checksAloud) showErrors(links);
    others.render(state.buttons);
  }

  /** Shows a part before the deployments, or takes it away. */
  function place(part: Element, isShown: boolean): void {
    if (!isShown) part.remove();
    else if (!part.isConnected) sections.node.before(part);
  }

  function focusFirst(state: PageState): void {
    const [first] = state.deployments;
    if (!isFocusDue || first === undefined || first.isChecking) return;
    const [error] = findingLinks(state);
    // A restored page may be beside the editor that the user types in.
    if (error !== undefined && !document.hasFocus()) return;
    if (error !== undefined) error.go();
    else if (state.deploy !== undefined) deployButton.focus({ preventScroll: true });
    isFocusDue = error === undefined && state.deploy === undefined;
  }

  /** The findings that the page shows, each with what leads to its field, its table, or else its buttons. */
  function findingLinks({ deployments }: PageState, wanted: PageFinding['severity'] = 'error'): ErrorLink[] {
    return deployments.flatMap(({ findings, number }) =>
      findings.flatMap(({ severity, message }) =>
        severity === wanted ? [{ label: message, go: () => sectionOf(number)?.findings.goTo(message) }] : [],
      ),
    );
  }

  function sectionOf(wanted: number) {
    return sections.parts().find(({ number }) => number === wanted);
  }

  /** The resources of a deployment; those that several share for undefined. */
  function resourcesOf(number: number | undefined) {
    return number === undefined ? sharedResources : sectionOf(number)?.resources;
  }

  /** All resources, each with the number of its deployment as `resourcesOf` takes it. */
  function allResources() {
    return [{ number: undefined, resources: sharedResources }, ...sections.parts()];
  }

  /** The errors of what was typed and the file doesn't have: for a deployment, or for all. */
  function errorLinks(at?: number): ErrorLink[] {
    const isMeant = ({ number = at }: { readonly number: number | undefined }): boolean =>
      at === undefined || number === at;
    const ofFields = changes.refused.filter(isMeant).map((input) => ({
      label: [input.control.labels?.[0]?.textContent, changes.refusalOf(input)].join(': '),
      go: (): void => {
        input.control.closest('details')?.setAttribute('open', '');
        input.control.focus();
      },
    }));
    const ofResources = allResources().filter(isMeant);
    return [...ofFields, ...ofResources.flatMap(({ resources }) => resources.errorLinks())];
  }

  function showErrors(links: readonly ErrorLink[]): void {
    checksAloud = links.length > 0;
    alert.show(links);
  }

  /** Sends what was typed. */
  function send(): void {
    changes.send();
    for (const { resources } of allResources()) resources.send();
  }

  /** Presses a button, after what was typed is sent. The last message no longer applies. */
  function press(id: string): void {
    send();
    // What the file doesn't have would not be deployed.
    const [place, action] = id.split('/');
    const links = action === 'deploy' ? errorLinks(place === 'bar' ? undefined : Number(place)) : [];
    showErrors(links);
    status.clear();
    if (links.length > 0) return links[0]?.go();
    tell({ type: 'press', id });
  }

  /** @returns whether there is anything to deploy, or to correct first */
  function deploy(): boolean {
    if (shown?.deploy !== undefined) {
      press(shown.deploy.id);
      return true;
    }
    const links = shown === undefined ? [] : [...errorLinks(), ...findingLinks(shown)];
    if (links.length === 0) return false;
    showErrors(links);
    links[0]?.go();
    return true;
  }

  /** Lists what keeps the user from deploying, or else the warnings, which may be out of sight. */
  function showProblems(): void {
    if (shown?.deploy === undefined) return void deploy();
    status.show(l10n.t('Warnings:'), false, warnings);
  }

  /** Shows or hides the other buttons of the bar, which has no room for them on a narrow page. */
  function unfoldBar(): void {
    setAttribute(more, 'aria-expanded', String(more.getAttribute('aria-expanded') === 'false'));
  }

  function undo(): boolean {
    const parts = allResources().map(({ resources }) => resources);
    const typing = parts.find((part) => part.isTyping());
    if (typing !== undefined) return typing.undo();
    const isUndone = changes.undo();
    if (isUndone) showAgain();
    return isUndone || parts.some((part) => part.undo());
  }

  /** Everything that was typed and that the file can't have. */
  function inputs(): KeptInput[] {
    return [
      ...waiting,
      ...changes.refused.map(({ number, key, control }) => ({ number, key, text: control.value })),
      ...keptResources(),
    ];
  }

  function keptResources(): KeptInput[] {
    return allResources().flatMap(({ number, resources }) => resources.kept().map((input) => ({ ...input, number })));
  }

  function keepInputs(): void {
    const kept = inputs();
    const words = JSON.stringify(kept);
    if (words !== keptWords) tell({ type: 'keep', kept });
    keptWords = words;
  }

  /** Shows again what was typed. Gives whether the text is done with: it is there, or its deployment has no such field. */
  function restoreOne({ number, key, text }: KeptInput, { deployments, shared }: PageState): boolean {
    const meant = deployments.filter((each) => number === undefined || number === each.number);
    // It may come back, or be readable again.
    if (meant.length === 0 || meant.some(({ groups }) => groups.length === 0)) return false;
    if (number === undefined && shared === undefined && !isSpecKey(key)) return false;
    if (isSpecKey(key)) return resourcesOf(number)?.restore(key, text) ?? true;
    const field = number === undefined ? sharedFields.find(key) : sectionOf(number)?.find(key);
    if (field !== undefined) changes.restore(field, text);
    return true;
  }

  function remember(): void {
    keep({ open, scroll: window.scrollY });
  }
}
