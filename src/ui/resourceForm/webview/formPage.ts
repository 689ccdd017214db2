import * as l10n from '@vscode/l10n';
import { isSpecKey } from '../../../core/spec/fields.ts';
import type { SpecKey } from '../../../core/spec/fields.ts';
import { fieldLabel } from '../../../core/spec/help.ts';
import type { Preset } from '../../../core/spec/presets.ts';
import { specTotals } from '../../../core/spec/totals.ts';
import type { FormAction, FormContext, FormState, FormView, ReplyMessage } from '../protocol.ts';
import { button, element, setText } from './dom.ts';
import { formModel, isError } from './formModel.ts';
import { presetsView } from './presetsView.ts';
import { noteWords, problemsView, statusLine } from './problems.ts';
import type { ProblemLink } from './problems.ts';
import { sectionList } from './sections.ts';
import { totalsView } from './totals.ts';
import { viewSwitch, yamlView } from './yamlView.ts';

/** The page's link to the panel: requests for work, and a place for the form's state. */
export interface Outside {
  /** Asks the panel to perform an action on the text. Resolves with the panel's reply. */
  readonly request: (action: FormAction, text: string) => Promise<ReplyMessage>;
  readonly keep: (state: FormState) => void;
}

export interface FormPage {
  readonly node: HTMLElement;
  /** Remembers the scroll position, in pixels. */
  readonly rememberScroll: (scroll: number) => void;
  /** Saves to the form's file, or asks for one. */
  readonly save: () => void;
  readonly setContext: (context: FormContext) => void;
  /** Replaces the form's text and offers to undo that. */
  readonly replaceText: (text: string, from: string) => void;
}

/** The whole form: creates its parts and keeps them in sync with the one model. */
export function formPage({ request, keep }: Outside, state: FormState): FormPage {
  let { context, view, scroll } = state;
  let checksAloud = false;
  const model = formModel(state.text, context.flavor, state.drafts);

  const title = element('h1');
  const reasonNote = element('p', { class: 'note advice' });
  const status = statusLine();
  const problems = problemsView();
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
  const presets = presetsView({ onPreset: applyPreset, onLoad: (action) => void act(action) });
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
    reasonNote,
    problems.node,
    totals.node,
    element('div', { class: 'panes' }, formPane, yaml.node),
    element('footer', {}, element('div', { class: 'actions' }, ...exits), status.node),
  );
  render();
  return {
    node,
    rememberScroll: (wanted) => {
      scroll = wanted;
      remember();
    },
    save: () => void act('save'),
    setContext: (wanted) => {
      context = wanted;
      render();
    },
    replaceText: (text, from) => {
      const undo = wayBack();
      model.replaceText(text);
      render();
      status.show(l10n.t('Taken over from {0}.', from), undo);
    },
  };

  function applyPreset({ numbers, label, description }: Preset): void {
    const undo = wayBack();
    const problem = model.applyNumbers(numbers);
    render();
    if (problem === undefined) {
      status.show(l10n.t('Started from {0}: {1}', label, description), undo);
    } else {
      problems.showMessage(problem);
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
      const links = problemLinks();
      problems.show(links);
      links[0]?.go();
      return;
    }
    problems.show([]);
    const { failed, message } = await request(action, model.text);
    if (failed) problems.showMessage(message);
    else if (message !== '') status.show(message);
  }

  function problemLinks(): ProblemLink[] {
    const fields = model.keysWithErrors.flatMap((key) =>
      model
        .notesOf(key)
        .filter(isError)
        .map(({ message }) => ({ label: `${fieldLabel(key)}: ${message}`, go: () => goToField(key) })),
    );
    const others = model.textNotes
      .filter((note) => isError(note) && !isSpecKey(note.key ?? ''))
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
    setText(reasonNote, reason);
    totals.render(sums);
    sections.render(model, sums, reason !== '', source);
    yaml.render(model, yamlLock(), source === 'yaml');
    formPane.hidden = view === 'yaml';
    yaml.node.hidden = view === 'form';
    node.className = `view-${view}`;
    if (checksAloud) problems.show(problemLinks());
    remember();
  }

  /** Why the fields can't be edited, or an empty text. */
  function readOnlyReason(): string {
    if (context.readOnly) {
      return l10n.t('The service cannot change the resources of a deployment that exists. Create a new one instead.');
    }
    const [problem] = model.textNotes;
    if (model.unreadable === undefined || problem === undefined) return '';
    return `${l10n.t('The fields are locked until the YAML can be read.')} ${noteWords(problem)}`;
  }

  /** Why the YAML can't be edited, or an empty text. */
  function yamlLock(): string {
    if (context.readOnly) return l10n.t('Read-only.');
    const keys = model.draftedKeys;
    if (keys.length === 0) return '';
    return l10n.t('The YAML is locked until these fields can be taken over: {0}.', keys.map(fieldLabel).join(', '));
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
