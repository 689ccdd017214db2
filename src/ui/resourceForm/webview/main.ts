import * as l10n from '@vscode/l10n';
import { isItemsKey, isSpecKey, specKeys, type SpecKey } from '../../../core/spec/fields.ts';
import { fieldLabel } from '../../../core/spec/help.ts';
import type { Preset } from '../../../core/spec/presets.ts';
import { isYamlList, tidyPastedYaml } from '../../../core/spec/part.ts';
import { specTotals } from '../../../core/spec/totals.ts';
import { isAbsent, type SpecPath } from '../../../core/yaml/value.ts';
import { handle, type Handlers } from '../../page/messages.ts';
import { errorAlert, findingWords, statusLine, type ErrorLink } from '../../page/webview/alerts.ts';
import { type Attributes, button, element, setText } from '../../page/webview/dom.ts';
import { keepFocus, toFocus } from '../../page/webview/focus.ts';
import { typingPause, watchTyping } from '../../page/webview/typing.ts';
import type { FormAction, PageMessage } from '../pageMessages.ts';
import {
  readEditorMessage,
  readKeptView,
  type EditorMessages,
  type FormContext,
  type FormView,
  type KeptView,
} from '../protocol.ts';
import './form.css';
import { FormModel, isError } from './formModel.ts';
import type { InputWay } from './itemList.ts';
import { presetsView } from './presets.ts';
import { sectionList } from './sections.ts';
import { totalsView } from './totals.ts';
import { findingList, viewSwitch, yamlView } from './yamlView.ts';

/** The API that VS Code gives to the page of a webview. */
interface VsCodeApi {
  readonly postMessage: (message: PageMessage) => void;
  readonly setState: (state: KeptView) => void;
  readonly getState: () => unknown;
}

declare function acquireVsCodeApi(): VsCodeApi;

start(acquireVsCodeApi());

/** Listens to the editor's messages and creates the form from "setup". */
function start({ postMessage: tell, setState, getState }: VsCodeApi): void {
  let page: ReturnType<typeof formPage> | undefined;
  const setUp = ({ translations, context, version, text }: EditorMessages['setup']): void => {
    l10n.config({ contents: translations });
    const kept = readKeptView(getState());
    page = formPage(new FormModel(context.flavor, version, text), context, kept, tell, setState);
    document.body.replaceChildren(page.node);
    window.scrollTo(0, kept.scroll);
    page.remember();
  };
  window.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
    const message = origin === window.origin ? readEditorMessage(data) : undefined;
    if (message?.type === 'setup') setUp(message);
    else if (message !== undefined && page !== undefined) handle(page.handlers, message);
  });
  window.addEventListener('scrollend', () => page?.remember());
  watchTyping(() => page);
  keepFocus();
  tell({ type: 'ready' });
}

/** Input that was not read yet: each key of a long text would wait for that. */
interface Typed {
  /** The part where the user is typing. Empty for a button. */
  readonly place: string;
  readonly read: () => void;
}

/** The whole form: creates its parts and keeps them in sync with the one model. */
function formPage(
  model: FormModel,
  firstContext: FormContext,
  kept: KeptView,
  tell: (message: PageMessage) => void,
  keep: (view: KeptView) => void,
) {
  let context = firstContext;
  let { view } = kept;
  let checksAloud = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typed: Typed | undefined;
  /** The newest text of the document, if it came while the user typed. */
  let arrived: EditorMessages['text'] | undefined;

  const title = element('h1');
  const lockReason = element('p', { class: 'reason' });
  /** Puts the focus back where an undo of the last input leads. */
  let focusUndone: (() => void) | undefined;
  const status = statusLine(() => undo(true));
  const alert = errorAlert();
  const totals = totalsView();
  const sections = sectionList(
    {
      onInput: (key, content, way) => take(() => model.edit(key, content), way, key),
      onItems: (path, edits, way) => take(() => model.editItem(path, edits), way, path.join('/')),
      onManifest: offerParts,
      onSwitch: render,
    },
    remember,
  );
  sections.setOpen(kept.openSections);
  const yaml = yamlView(
    (text) => take(() => model.setText(text), 'typed', 'yaml'),
    // Only a Kubernetes manifest has a kind.
    (pasted) => /^kind:/m.test(pasted) && offerParts(pasted),
  );
  const views = viewSwitch(show);
  const presets = presetsView(applyPreset, act);
  const others = findingList(goToText);
  const formPane = element(
    'section',
    { class: 'form', 'aria-label': l10n.t('Form') },
    presets,
    others.node,
    sections.node,
  );
  const exit = (action: FormAction, label: string, attributes?: Attributes): HTMLElement =>
    button(label, () => act(action), attributes);
  const use = exit('use', l10n.t('Use for Deployment'), { class: 'vscode-button' });
  const saveAs = exit('saveAs', l10n.t('Save as File'));
  const openInEditor = exit('openInEditor', l10n.t('Open in Editor'));
  const exits = [use, saveAs, exit('copy', l10n.t('Copy YAML')), openInEditor];
  const node = element(
    'main',
    {},
    element('header', {}, title, views.node),
    lockReason,
    alert.node,
    totals.node,
    element('div', { class: 'panes' }, formPane, yaml.node),
    element('footer', {}, element('div', { class: 'actions' }, ...exits), status.node),
  );
  render();
  const handlers: Handlers<Omit<EditorMessages, 'setup'>> = {
    text: (message) => {
      arrived = message;
      if (typed === undefined) send();
    },
    context: (message) => {
      send();
      ({ context } = message);
      model.useFlavor(context.flavor);
      render();
    },
    refused: ({ id, message }) => {
      send();
      tell({ type: 'heard' });
      model.refuse(id, message);
      if (message !== '') {
        alert.showMessage(message);
        // Its undo would undo the step before the refused one.
        status.clear();
      }
      render();
      send();
    },
    flush: () => {
      send();
      tell({ type: 'flushed' });
    },
    said: ({ failed, message, canUndo }) => {
      if (failed) alert.showMessage(message);
      else status.show(message, canUndo);
    },
  };
  return { node, handlers, send, undo, remember };

  /**
   * Takes back input that the document doesn't have yet, or else, with `always`, the document's last change.
   * @returns whether anything is taken back
   */
  function undo(always = false): boolean {
    if (typed !== undefined) {
      typed = undefined;
      send();
      render();
    } else if (always || model.isWaiting) {
      tell({ type: 'action', action: 'undo' });
    } else {
      return false;
    }
    return true;
  }

  function showArrived(): void {
    if (arrived === undefined) return;
    const before = model.text;
    model.receive(arrived);
    arrived = undefined;
    render();
    // Another change than the page's own, such as an undo.
    if (model.text !== before) {
      const isUndone = status.node.contains(document.activeElement);
      status.clear();
      if (isUndone) focusUndone?.();
    }
  }

  /** Takes an input of a place. The last message no longer applies. */
  function take(read: () => void, way: InputWay, place = ''): void {
    if (way !== 'typed' || typed?.place !== place) send();
    clearTimeout(timer);
    typed = { place: way === 'typed' ? place : '', read };
    const isRemoval = typeof way === 'object';
    status.show(isRemoval ? l10n.t('Removed.') : '', isRemoval);
    if (isRemoval) focusUndone = way.focusRemoved;
    if (way === 'typed') timer = setTimeout(send, typingPause);
    else send();
  }

  function send(): void {
    clearTimeout(timer);
    if (typed !== undefined) {
      const { place, read } = typed;
      typed = undefined;
      read();
      render(place);
    }
    showArrived();
    for (const change of model.takeUnsent()) tell({ type: 'change', ...change });
  }

  /** Offers the lists of a pasted manifest for the fields that are still empty, one by one. False if there are none. */
  function offerParts(pasted: string, taken?: string): boolean {
    send();
    const offers = specKeys.flatMap((key) => {
      const text = isItemsKey(key) && isAbsent(model.spec[key]) && tidyPastedYaml(pasted, key);
      if (!text || text === taken || !isYamlList(text)) return [];
      return button(fieldLabel(key), () => {
        take(() => model.edit(key, { kind: 'yaml', text }), 'button');
        offerParts(pasted, taken);
      });
    });
    if (offers.length === 0) return false;
    status.show(l10n.t('Add from the manifest:'), false, ...offers);
    return true;
  }

  function applyPreset({ numbers, label, description }: Preset): void {
    send();
    const before = model.text;
    focusUndone = toFocus();
    const refusal = model.applyNumbers(numbers);
    render();
    send();
    if (refusal === undefined) {
      status.show(l10n.t('Started from {0}: {1}', label, description), model.text !== before);
    } else {
      alert.showMessage(refusal);
    }
  }

  function show(wanted: FormView): void {
    view = wanted;
    render();
  }

  /** Requests an action for the document with all input. Errors block only "use". */
  function act(action: FormAction): void {
    send();
    checksAloud = action === 'use' && model.hasErrors;
    if (checksAloud) {
      const links = errorLinks();
      alert.show(links);
      links[0]?.go();
      return;
    }
    alert.show([]);
    status.clear();
    focusUndone = toFocus();
    tell({ type: 'action', action });
  }

  function errorLinks(): ErrorLink[] {
    const fields = model.keysWithErrors.flatMap((key) =>
      model
        .findingsOf(key)
        .filter(isError)
        .map(({ message, path }) => ({ label: `${fieldLabel(key)}: ${message}`, go: () => goToField(key, path) })),
    );
    const inText = model.textFindings
      .filter((finding) => isError(finding) && !isSpecKey(finding.key ?? ''))
      .map(({ message, line, column }) => ({
        label: l10n.t('YAML, line {0}, column {1}: {2}', line, column, message),
        go: () => goToText(line, column),
      }));
    return model.unreadable === undefined && fields.length > 0 ? fields : inText;
  }

  function goToField(key: SpecKey, path?: SpecPath): void {
    if (view === 'yaml') show('form');
    sections.focus(key, path);
  }

  function goToText(line: number, column: number): void {
    if (view === 'form') show('both');
    yaml.goTo(line, column);
  }

  /** Updates every part from the model; `source` is the part where the user is typing. */
  function render(source?: string): void {
    const reason = readOnlyReason();
    const isEditable = context.lock === '';
    setText(title, context.title);
    views.show(view);
    presets.hidden = !isEditable;
    for (const each of [use, openInEditor]) each.hidden = context.subject === 'deployment';
    saveAs.hidden = context.subject === 'file';
    setText(lockReason, reason);
    totals.render(model.unreadable === undefined ? specTotals(model.spec) : undefined);
    sections.render(model, reason !== '', source);
    others.show(model.otherFindings);
    yaml.render(model, isEditable ? '' : l10n.t('Read-only.'), source === 'yaml');
    formPane.hidden = view === 'yaml';
    others.node.hidden = view !== 'form';
    yaml.node.hidden = view === 'form';
    node.className = `view-${view}`;
    if (checksAloud) alert.show(errorLinks());
    remember();
  }

  /** Why the fields can't be edited, or an empty text. */
  function readOnlyReason(): string {
    if (context.lock !== '' || model.unreadable === undefined) return context.lock;
    return `${l10n.t('The fields are locked until the YAML can be read.')} ${findingWords(model.unreadable.findings[0])}`;
  }

  function remember(): void {
    keep({ view, openSections: sections.open(), scroll: window.scrollY });
  }
}
