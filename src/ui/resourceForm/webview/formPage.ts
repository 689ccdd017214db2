import * as l10n from '@vscode/l10n';
import type { SpecKey } from '../../../core/specFields.ts';
import { isSpecKey } from '../../../core/specFields.ts';
import { fieldLabel } from '../../../core/specHelp.ts';
import type { Preset } from '../../../core/specPresets.ts';
import { specTotals } from '../../../core/specTotals.ts';
import type { FormAction } from '../formMessage.ts';
import type { FormContext, ReplyMessage } from '../protocol.ts';
import { button, element, setText } from './dom.ts';
import { restoreDrafts, saveDrafts } from './drafts.ts';
import { FormModel } from './formModel.ts';
import { presetsView } from './presetsView.ts';
import type { ProblemLink } from './problemsView.ts';
import { ProblemsView } from './problemsView.ts';
import type { FormView, SavedState } from './savedState.ts';
import { SectionList } from './sectionList.ts';
import { StatusLine } from './statusLine.ts';
import { TotalsView } from './totalsView.ts';
import { ViewSwitch } from './viewSwitch.ts';
import { YamlView } from './yamlView.ts';

/** What the page needs from the outside: the panel's work, and a place for its state. */
export interface Outside {
  /** Asks the panel to do something with the text. Resolves with what to say about it, if anything. */
  readonly request: (action: FormAction, text: string) => Promise<ReplyMessage>;
  readonly save: (state: SavedState) => void;
}

/** The whole form: puts the parts together and keeps them in step with the one model. */
export class FormPage {
  readonly node: HTMLElement;
  readonly #outside: Outside;
  readonly #model: FormModel;
  #context: FormContext;
  #view: FormView;
  #scroll: number;
  #checksAloud = false;

  readonly #title = element('h1');
  readonly #reason = element('p', { class: 'note advice' });
  readonly #status = new StatusLine();
  readonly #problems = new ProblemsView();
  readonly #totals = new TotalsView();
  readonly #formPane: HTMLElement;
  readonly #sections: SectionList;
  readonly #yaml: YamlView;
  readonly #switch: ViewSwitch;
  readonly #actions: ReadonlyMap<FormAction, HTMLButtonElement>;

  constructor(outside: Outside, state: SavedState) {
    this.#outside = outside;
    this.#context = state.context;
    this.#view = state.view;
    this.#scroll = Number(state.scroll) || 0;
    this.#model = new FormModel(state.text, state.context.flavor, restoreDrafts(state.drafts));
    this.#sections = new SectionList(
      (key, content) => {
        this.#model.edit(key, content);
        this.#render(key);
      },
      () => this.#save(),
    );
    this.#sections.setOpen(state.openSections.split(' '));
    this.#yaml = new YamlView((text) => {
      this.#model.setText(text);
      this.#render('yaml');
    });
    this.#switch = new ViewSwitch((view) => this.#show(view));
    this.#actions = this.#makeActions();
    const presets = presetsView({
      onPreset: (preset) => this.#applyPreset(preset),
      onDeployment: () => void this.#act('loadDeployment'),
      onFile: () => void this.#act('loadFile'),
    });
    presets.hidden = state.context.readOnly;
    this.#formPane = element('section', { class: 'form', 'aria-label': l10n.t('Form') }, presets, this.#sections.node);
    this.node = element(
      'main',
      {},
      element('header', {}, this.#title, this.#switch.node),
      this.#reason,
      this.#problems.node,
      this.#totals.node,
      element('div', { class: 'panes' }, this.#formPane, this.#yaml.node),
      element('footer', {}, element('div', { class: 'actions' }, ...this.#actions.values()), this.#status.node),
    );
    this.#render(undefined);
  }

  /** Where the page was scrolled to. */
  get scroll(): number {
    return this.#scroll;
  }

  rememberScroll(scroll: number): void {
    this.#scroll = scroll;
    this.#save();
  }

  setContext(context: FormContext): void {
    this.#context = context;
    this.#render(undefined);
  }

  /** Puts another text into the form, with a way back. */
  replaceText(text: string, from: string): void {
    const undo = this.#undo();
    this.#model.replaceText(text);
    this.#render(undefined);
    this.#status.show(l10n.t('Taken over from {0}.', from), undo);
  }

  #applyPreset(preset: Preset): void {
    const undo = this.#undo();
    const problem = this.#model.applyNumbers(preset.numbers);
    this.#render(undefined);
    if (problem === undefined) {
      this.#status.show(l10n.t('Started from {0}: {1}', preset.label, preset.description), undo);
    } else {
      this.#problems.showMessage(problem);
    }
  }

  /** The way back to what the form holds now, with what could not be put into the text. */
  #undo(): () => void {
    const { text, drafts } = this.#model;
    return () => {
      this.#model.replaceText(text, drafts);
      this.#render(undefined);
      this.#status.show(l10n.t('Undone.'));
    };
  }

  #show(view: FormView): void {
    this.#view = view;
    this.#render(undefined);
  }

  #makeActions(): ReadonlyMap<FormAction, HTMLButtonElement> {
    const make = (action: FormAction, label: string, look: string): [FormAction, HTMLButtonElement] => [
      action,
      button(label, () => void this.#act(action), { class: `vscode-button ${look}` }),
    ];
    return new Map([
      ...(this.#context.readOnly ? [] : [make('use', l10n.t('Use for Deployment'), '')]),
      make('save', l10n.t('Save as File'), 'secondary'),
      make('copy', l10n.t('Copy YAML'), 'secondary'),
      ...(this.#context.readOnly ? [] : [make('openInEditor', l10n.t('Open in Editor'), 'secondary')]),
    ]);
  }

  /** Runs an exit of the form. Errors stand in the way of using the spec, unread drafts in the way of every exit. */
  async #act(action: FormAction): Promise<void> {
    const loads = action === 'loadFile' || action === 'loadDeployment';
    const isBlocked = action === 'use' ? this.#model.hasErrors : !loads && this.#model.draftedKeys.length > 0;
    this.#checksAloud = isBlocked;
    if (isBlocked) {
      const links = this.#problemLinks();
      this.#problems.show(links);
      links[0]?.go();
      return;
    }
    this.#problems.show([]);
    const { failed, message } = await this.#outside.request(action, this.#model.text);
    if (failed) this.#problems.showMessage(message);
    else if (message !== '') this.#status.show(message);
  }

  #problemLinks(): ProblemLink[] {
    const fields = this.#model.keysWithErrors.flatMap((key) =>
      this.#model
        .notesOf(key)
        .filter(({ severity }) => severity === 'error')
        .map(({ message }) => ({ label: `${fieldLabel(key)}: ${message}`, go: () => this.#goToField(key) })),
    );
    const others = this.#model.textNotes
      .filter(({ severity, key }) => severity === 'error' && (key === undefined || !isSpecKey(key)))
      .map(({ message, line, column }) => ({
        label: l10n.t('YAML, line {0}, column {1}: {2}', line, column, message),
        go: () => this.#goToText(line, column),
      }));
    return this.#model.unreadable === undefined ? [...fields, ...others] : others;
  }

  #goToField(key: SpecKey): void {
    if (this.#view === 'yaml') this.#show('form');
    this.#sections.focus(key);
  }

  #goToText(line: number, column: number): void {
    if (this.#view === 'form') this.#show('both');
    this.#yaml.goTo(line, column);
  }

  /** Brings every part in step with the model; `source` is the part in which a person is typing. */
  #render(source: SpecKey | 'yaml' | undefined): void {
    const totals = specTotals(this.#model.spec);
    setText(this.#title, this.#context.title);
    this.#switch.show(this.#view);
    const reason = this.#readOnlyReason();
    this.#reason.hidden = reason === undefined;
    setText(this.#reason, reason ?? '');
    this.#totals.render(totals);
    this.#sections.render(this.#model, totals, reason !== undefined, source === 'yaml' ? undefined : source);
    this.#yaml.render(this.#model, this.#yamlLock(), source === 'yaml');
    this.#formPane.hidden = this.#view === 'yaml';
    this.#yaml.node.hidden = this.#view === 'form';
    this.node.className = `view-${this.#view}`;
    if (this.#checksAloud) this.#problems.show(this.#problemLinks());
    this.#save();
  }

  #readOnlyReason(): string | undefined {
    if (this.#context.readOnly) {
      return l10n.t('The service cannot change the resources of a deployment that exists. Create a new one instead.');
    }
    const problem = this.#model.unreadable?.problems[0];
    if (problem === undefined) return undefined;
    const { line, column, message } = problem;
    return l10n.t('The fields are locked until the YAML can be read. Line {0}, column {1}: {2}', line, column, message);
  }

  #yamlLock(): string | undefined {
    if (this.#context.readOnly) return l10n.t('Read-only.');
    const keys = this.#model.draftedKeys;
    if (keys.length === 0) return undefined;
    return l10n.t('The YAML is locked until these fields can be taken over: {0}.', keys.map(fieldLabel).join(', '));
  }

  #save(): void {
    this.#outside.save({
      context: this.#context,
      text: this.#model.text,
      drafts: saveDrafts(this.#model.drafts),
      view: this.#view,
      openSections: this.#sections.open.join(' '),
      scroll: String(this.#scroll),
    });
  }
}
