import * as l10n from '@vscode/l10n';
import { isSpecKey, type SpecKey } from '../../../../core/spec/fields.ts';
import { fieldLabel } from '../../../../core/spec/help.ts';
import { errorCount, findingWords, type ErrorLink } from '../../../page/webview/alerts.ts';
import { buttonList } from '../../../page/webview/buttonList.ts';
import { element, setAttribute, setText } from '../../../page/webview/dom.ts';
import { FormModel } from '../../../page/webview/resources/formModel.ts';
import { specForm } from '../../../page/webview/resources/specForm.ts';
import type { PageFinding, PageResources, PageState } from '../protocol.ts';
import type { PageActions } from './field.ts';

export interface ResourcesView extends Pick<PageState, 'version' | 'applied'> {
  readonly resources: PageResources;
  readonly findings: readonly PageFinding[];
  readonly isLocked: boolean;
  /** The level of the heading, counted from 1. */
  readonly level: number;
}

/** What a finding is about, of the keys below the resources: empty if it is about all of them. */
function keyBelow(key: string): string | undefined {
  const [first, below = ''] = key.split('/', 2);
  return first === 'resources' ? below : undefined;
}

/** What a finding is about, in words. Undefined if that isn't a deployment's resources. */
export function resourceLabel(key: string): string | undefined {
  const below = keyBelow(key);
  if (below === undefined) return undefined;
  return isSpecKey(below) ? fieldLabel(below) : l10n.t('Resources');
}

/** The sections that are open at first. */
const firstOpen: ReadonlySet<string> = new Set(['scale', 'main']);

/** The resources of a deployment, in the sections of the resource editor, which are made when the user wants them. */
export function resourcesPart(index: number, actions: PageActions) {
  const { open, remember, press } = actions;
  const place = `${index}/resources`;
  const title = element('h3', { class: 'title' }, l10n.t('Resources'));
  const summary = element('span', { class: 'description' });
  const errors = element('span', { class: 'error-count' });
  const elsewhere = buttonList(element('div', { class: 'actions' }), press);
  const body = element('div', { class: 'section-body resources' }, elsewhere.node);
  const node = element(
    'details',
    { class: 'vscode-collapsible', open: open[place] === true },
    element('summary', {}, element('span', { class: 'icon-arrow' }), title, summary, errors),
    body,
  );
  const whole = element('div', { class: 'sections' }, node);
  let view: ResourcesView | undefined;
  let form: ReturnType<typeof resourcesForm> | undefined;
  node.addEventListener('toggle', () => {
    open[place] = node.open;
    showForm();
    remember();
  });

  function showForm(): void {
    if (view === undefined || view.resources.open !== undefined || !node.open) return;
    if (form === undefined) {
      form = resourcesForm(index, place, view, actions);
      body.append(form.node);
    }
    form.show(view);
  }

  return {
    node: whole,
    send: (): void => form?.send(),
    undo: (): boolean => form?.undo() ?? false,
    refuse: (id: number, message: string, heard: () => void): void => {
      if (form === undefined) heard();
      else form.refuse(id, message, heard);
    },
    /** The errors of what the file doesn't have, because it can't be read. */
    errorLinks: (): readonly ErrorLink[] => form?.errorLinks() ?? [],
    /** Puts the focus into the field that a finding is about, if it is one of these. */
    focus: (key: string): void => {
      const below = keyBelow(key);
      if (below === undefined) return;
      node.open = true;
      showForm();
      if (form !== undefined && isSpecKey(below)) form.focus(below);
      else node.querySelector('summary')?.focus();
    },
    render: (wanted: ResourcesView | undefined): void => {
      view = wanted;
      whole.hidden = wanted === undefined;
      if (wanted === undefined) return;
      const { resources, findings, level } = wanted;
      const broken = findings.filter(({ key, severity }) => keyBelow(key) !== undefined && severity === 'error');
      setAttribute(title, 'aria-level', String(level));
      setText(summary, resources.summary);
      setText(errors, errorCount(broken.length));
      elsewhere.render(resources.open === undefined ? [] : [resources.open]);
      if (form !== undefined) form.node.hidden = resources.open !== undefined;
      showForm();
    },
  };
}

/** The fields of a deployment's resources. */
function resourcesForm(index: number, place: string, first: ResourcesView, actions: PageActions) {
  const { changes, press, open, remember, tell } = actions;
  let { isLocked } = first;
  const receivedOf = ({ resources: { text }, version, applied }: ResourcesView) => ({ version, text, applied });
  const { nextId } = changes;
  const model = new FormModel(first.resources.flavor, receivedOf(first), { nextId });
  const reason = element('p', { class: 'reason' });
  const form = specForm(model, {
    ...actions,
    prefix: `deployment-${index}-`,
    starts: first.resources.starts.map(({ id, label, description }) => [label, description, () => press(id)]),
    render,
    tellChange: ({ id, version, edits }) => {
      // Only a view of the whole text makes others.
      const paths = edits.filter((edit) => edit.kind !== 'splice');
      tell({ type: 'edit', id, version, index, edits: paths });
    },
    undoChange: () => tell({ type: 'undo' }),
    onToggle: () => {
      const now = sections.open();
      for (const id of sections.ids) open[`${place}/${id}`] = now.includes(id);
      remember();
    },
  });
  const { sections, presets } = form;
  const node = element('div', {}, reason, presets, sections.node);
  sections.setOpen(sections.ids.filter((id) => open[`${place}/${id}`] ?? firstOpen.has(id)));

  function render(source?: string): void {
    const { unreadable } = model;
    const words = unreadable === undefined ? '' : findingWords(unreadable.findings[0]);
    setText(reason, words && `${l10n.t('The fields are locked until the YAML can be read.')} ${words}`);
    presets.hidden = isLocked || unreadable !== undefined;
    sections.render(model, isLocked || unreadable !== undefined, source);
  }

  return {
    node,
    send: form.send,
    undo: () => form.undo(),
    refuse: form.refuse,
    errorLinks: (): readonly ErrorLink[] => (model.keepsInput ? form.errorLinks(sections.focus) : []),
    focus: (key: SpecKey): void => sections.focus(key),
    show: (view: ResourcesView): void => {
      ({ isLocked } = view);
      for (const heading of node.querySelectorAll('h2')) setAttribute(heading, 'aria-level', String(view.level + 1));
      model.useFlavor(view.resources.flavor);
      form.receive(receivedOf(view));
    },
  };
}
