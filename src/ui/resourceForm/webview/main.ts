import * as l10n from '@vscode/l10n';
import { isSpecKey, type SpecKey } from '../../../core/spec/fields.ts';
import { fieldLabel } from '../../../core/spec/help.ts';
import { type Preset, specPresets } from '../../../core/spec/presets.ts';
import { specTotals } from '../../../core/spec/totals.ts';
import {
  readHostMessage,
  type FormAction,
  type FormContext,
  type FormMessage,
  type FormState,
  type FormView,
  type HostMessage,
  type ReplyMessage,
  type SetupMessage,
} from '../protocol.ts';
import { button, element, setText } from './dom.ts';
import './form.css';
import { FormModel, isError } from './formModel.ts';
import { errorAlert, findingWords, statusLine, type ErrorLink } from './messages.ts';
import { sectionList } from './sections.ts';
import { totalsView } from './totals.ts';
import { viewSwitch, yamlView } from './yamlView.ts';

/** The API that VS Code gives to the page of a webview. */
interface VsCodeApi {
  readonly postMessage: (message: FormMessage) => void;
  readonly setState: (state: { readonly id: string }) => void;
}

declare function acquireVsCodeApi(): VsCodeApi;

start(acquireVsCodeApi());

/** Asks the panel to perform an action on the text. Resolves with the panel's reply. */
type FormRequest = (action: FormAction, text: string) => Promise<ReplyMessage>;

/** Listens to the panel's messages and creates the form from "setup". */
function start({ postMessage: tell, setState }: VsCodeApi): void {
  const waiting = new Map<number, (reply: ReplyMessage) => void>();
  let page: ReturnType<typeof formPage> | undefined;
  let lastId = 0;

  const request: FormRequest = (action, text) =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      tell({ type: 'request', id: lastId, action, text });
    });

  const setUp = ({ id, translations, state }: SetupMessage): void => {
    setState({ id });
    l10n.config({ contents: translations });
    const made = formPage(state, request, (changed) => tell({ type: 'state', state: changed }));
    page = made;
    document.body.replaceChildren(made.node);
    window.scrollTo(0, state.scroll);
  };

  const receive = (message: HostMessage): void => {
    switch (message.type) {
      case 'setup':
        return setUp(message);
      case 'replace':
        return page?.replaceText(message.text, message.from);
      case 'context':
        return page?.setContext(message.context);
      case 'save':
        return page?.save();
      case 'reply':
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
    }
  };

  window.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
    const message = origin === window.origin ? readHostMessage(data) : undefined;
    if (message !== undefined) receive(message);
  });
  window.addEventListener('scrollend', () => page?.rememberScroll(window.scrollY));
  keepFocus();
  tell({ type: 'ready' });
}

/** Restores the focus when it returns to the page, because the browser forgets where it was. */
function keepFocus(): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) last?.focus({ preventScroll: true });
  });
}

/** The whole form: creates its parts and keeps them in sync with the one model. */
function formPage(state: FormState, request: FormRequest, keep: (state: FormState) => void) {
  let { context, view, scroll } = state;
  let checksAloud = false;
  const model = new FormModel(state.text, context.flavor, state.drafts);

  const title = element('h1');
  const lockReason = element('p', { class: 'reason' });
  const status = statusLine();
  const alert = errorAlert();
  const totals = totalsView();
  const sections = sectionList((key, content, isRemoval) => {
    const undo = wayBack();
    model.edit(key, content);
    render(key);
    // The last message no longer applies, and its undo would discard this input.
    if (isRemoval) status.show(l10n.t('Removed.'), undo);
    else status.clear();
  }, remember);
  sections.setOpen(state.openSections);
  const yaml = yamlView((text) => {
    model.setText(text);
    render('yaml');
    status.clear();
  });
  const views = viewSwitch(show);
  const presets = presetsView(applyPreset, (action) => void act(action));
  presets.hidden = context.readOnly;
  const formPane = element('section', { class: 'form', 'aria-label': l10n.t('Form') }, presets, sections.node);
  const exit = (action: FormAction, label: string, look = 'secondary'): HTMLElement =>
    button(label, () => void act(action), `vscode-button ${look}`);
  const save = exit('save', l10n.t('Save'));
  const copies = [save, exit('saveAs', l10n.t('Save as File')), exit('copy', l10n.t('Copy YAML'))];
  const exits = context.readOnly
    ? copies
    : [exit('use', l10n.t('Use for Deployment'), ''), ...copies, exit('openInEditor', l10n.t('Open in Editor'))];
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
  return {
    node,
    rememberScroll: (wanted: number): void => {
      scroll = wanted;
      remember();
    },
    save: (): void => void act('save'),
    setContext: (wanted: FormContext): void => {
      context = wanted;
      render();
    },
    /** Replaces the form's text and offers to undo that. */
    replaceText: (text: string, from: string): void => {
      const undo = wayBack();
      model.replaceText(text);
      render();
      status.show(l10n.t('Loaded from {0}.', from), undo);
    },
  };

  function applyPreset({ numbers, label, description }: Preset): void {
    const undo = wayBack();
    const refusal = model.applyNumbers(numbers);
    render();
    if (refusal === undefined) {
      status.show(l10n.t('Started from {0}: {1}', label, description), undo);
    } else {
      alert.showMessage(refusal);
    }
  }

  /** Returns a function that restores the current text and drafts. */
  function wayBack(): () => void {
    const { text, drafts } = model;
    return () => {
      model.replaceText(text, drafts);
      render();
      status.show(l10n.t('Undone.'));
    };
  }

  function show(wanted: FormView): void {
    view = wanted;
    render();
  }

  /** Performs an action. Errors block only "use"; unapplied drafts block everything except loading. */
  async function act(action: FormAction): Promise<void> {
    const loads = action.startsWith('load');
    checksAloud = action === 'use' ? model.hasErrors : !loads && model.draftedKeys.length > 0;
    if (checksAloud) {
      const links = errorLinks();
      alert.show(links);
      links[0]?.go();
      return;
    }
    alert.show([]);
    const { failed, message } = await request(action, model.text);
    if (failed) alert.showMessage(message);
    else if (message !== '') status.show(message);
  }

  function errorLinks(): ErrorLink[] {
    const fields = model.keysWithErrors.flatMap((key) =>
      model
        .findingsOf(key)
        .filter(isError)
        .map(({ message }) => ({ label: `${fieldLabel(key)}: ${message}`, go: () => goToField(key) })),
    );
    const others = model.textFindings
      .filter((finding) => isError(finding) && !isSpecKey(finding.key ?? ''))
      .map(({ message, line, column }) => ({
        label: l10n.t('YAML, line {0}, column {1}: {2}', line, column, message),
        go: () => goToText(line, column),
      }));
    return model.unreadable === undefined ? [...fields, ...others] : others;
  }

  function goToField(key: SpecKey): void {
    if (view === 'yaml') show('form');
    sections.focus(key);
  }

  function goToText(line: number, column: number): void {
    if (view === 'form') show('both');
    yaml.goTo(line, column);
  }

  /** Updates every part from the model; `source` is the part where the user is typing. */
  function render(source?: SpecKey | 'yaml'): void {
    const sums = specTotals(model.spec);
    const reason = readOnlyReason();
    setText(title, context.title);
    views.show(view);
    save.hidden = context.fileUri === '';
    setText(lockReason, reason);
    totals.render(sums);
    sections.render(model, sums, reason !== '', source);
    yaml.render(model, yamlLock(), source === 'yaml');
    formPane.hidden = view === 'yaml';
    yaml.node.hidden = view === 'form';
    node.className = `view-${view}`;
    if (checksAloud) alert.show(errorLinks());
    remember();
  }

  /** Why the fields can't be edited, or an empty text. */
  function readOnlyReason(): string {
    if (context.readOnly) {
      return l10n.t("The service can't change the resources of an existing deployment. Create a new one instead.");
    }
    if (model.unreadable === undefined) return '';
    return `${l10n.t('The fields are locked until the YAML can be read.')} ${findingWords(model.unreadable.findings[0])}`;
  }

  /** Why the YAML can't be edited, or an empty text. */
  function yamlLock(): string {
    if (context.readOnly) return l10n.t('Read-only.');
    const keys = model.draftedKeys;
    if (keys.length === 0) return '';
    return l10n.t('The YAML is locked until you correct these fields: {0}.', keys.map(fieldLabel).join(', '));
  }

  function remember(): void {
    keep({
      context,
      text: model.text,
      drafts: model.drafts,
      view,
      openSections: sections.open(),
      scroll,
    });
  }
}

/** The starting points of a spec: presets, a deployment, or a file. Each button describes its own. */
function presetsView(
  onPreset: (preset: Preset) => void,
  onLoad: (action: 'loadDeployment' | 'loadFile') => void,
): HTMLElement {
  return element(
    'section',
    { class: 'presets', 'aria-labelledby': 'presets-title' },
    element('h2', { id: 'presets-title' }, l10n.t('Start from')),
    element(
      'div',
      { class: 'preset-buttons' },
      ...specPresets().map((preset) => presetButton(preset.label, preset.description, () => onPreset(preset))),
      presetButton(l10n.t('Deployment…'), l10n.t('The resources of an existing deployment.'), () =>
        onLoad('loadDeployment'),
      ),
      presetButton(l10n.t('File…'), l10n.t('A resource spec file.'), () => onLoad('loadFile')),
    ),
    element(
      'p',
      { class: 'help' },
      l10n.t('Small, medium, and large come from the LangSmith guide "{0}".', 'Configure Agent Server for scale'),
    ),
  );
}

function presetButton(label: string, description: string, onClick: () => void): HTMLElement {
  const made = button(label, onClick, 'vscode-button secondary preset');
  made.append(element('span', {}, description));
  return made;
}
