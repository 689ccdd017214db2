import * as l10n from '@vscode/l10n';
import { isSpecKey, type SpecKey } from '../../../core/spec/fields.ts';
import { specSources } from '../../../core/spec/presets.ts';
import { specTotals } from '../../../core/spec/totals.ts';
import type { SpecPath } from '../../../core/yaml/value.ts';
import { handle, type Handlers } from '../../page/messages.ts';
import { errorAlert, findingWords, statusLine, type ErrorLink } from '../../page/webview/alerts.ts';
import { type Attributes, button, element, setText } from '../../page/webview/dom.ts';
import { keepFocus } from '../../page/webview/focus.ts';
import { FormModel, isError } from '../../page/webview/resources/formModel.ts';
import { specForm } from '../../page/webview/resources/specForm.ts';
import { watchTyping } from '../../page/webview/typing.ts';
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
    page = formPage(new FormModel(context.flavor, { version, text, applied: 0 }), context, kept, tell, setState);
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

  const title = element('h1');
  const lockReason = element('p', { class: 'reason' });
  const status = statusLine(() => form.undo(true));
  const alert = errorAlert();
  const totals = totalsView();
  const { fromDeployment, fromFile } = specSources();
  const form = specForm(model, {
    prefix: '',
    status,
    alert,
    starts: [
      [fromDeployment.label, fromDeployment.description, () => act('loadDeployment')],
      [fromFile.label, fromFile.description, () => act('loadFile')],
    ],
    render,
    tellChange: (change) => tell({ type: 'change', ...change }),
    tellTyping: () => {},
    undoChange: () => tell({ type: 'action', action: 'undo' }),
    onToggle: remember,
  });
  const { sections, presets, send } = form;
  sections.setOpen(kept.openSections);
  const yaml = yamlView(
    (text) => form.accept(() => model.setText(text), 'typed', 'yaml'),
    // Only a Kubernetes manifest has a kind.
    (pasted) => /^kind:/m.test(pasted) && form.offerParts(pasted),
  );
  const views = viewSwitch(show);
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
    text: (message) => form.receive(message),
    context: (message) => {
      send();
      ({ context } = message);
      model.useFlavor(context.flavor);
      render();
    },
    refused: ({ id, message }) => form.refuse(id, message, () => tell({ type: 'heard' })),
    flush: () => {
      send();
      tell({ type: 'flushed' });
    },
    focus: () => window.focus(),
    said: ({ failed, message, canUndo }) => {
      if (failed) alert.showMessage(message);
      else status.show(message, canUndo);
    },
  };
  return { node, handlers, send, undo: () => form.undo(), remember };

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
    form.keepFocus();
    tell({ type: 'action', action });
  }

  function errorLinks(): ErrorLink[] {
    const fields = form.errorLinks(goToField);
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
