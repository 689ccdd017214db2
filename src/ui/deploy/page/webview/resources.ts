import * as l10n from '@vscode/l10n';
import { isSpecKey, type SpecKey } from '../../../../core/spec/fields.ts';
import { fieldLabel } from '../../../../core/spec/help.ts';
import type { PathEdit, YamlEdit } from '../../../../core/yaml/edit.ts';
import type { SpecPath } from '../../../../core/yaml/value.ts';
import { errorCount, type ErrorLink } from '../../../page/webview/alerts.ts';
import { buttonList } from '../../../page/webview/buttonList.ts';
import { element, setAttribute, setText } from '../../../page/webview/dom.ts';
import { FormModel } from '../../../page/webview/resources/formModel.ts';
import { specForm } from '../../../page/webview/resources/specForm.ts';
import type { KeptInput } from '../../../page/messages.ts';
import type { PageFinding, PageResources, PageState } from '../protocol.ts';
import type { PageActions } from './field.ts';

interface ResourcesView {
  readonly state: PageState;
  readonly resources: PageResources;
  readonly findings: readonly PageFinding[];
  readonly isLocked: boolean;
  /** The level of the heading, counted from 1. */
  readonly level: number;
}

/** The key below `resources` that a finding is about, or '' for the whole. Undefined if it is about something else. */
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

/**
 * The resources of a deployment, with the sections of the resource form, which are created when first opened.
 * @param number the number of the deployment; undefined for the resources that several share
 */
export function resourcesPart(number: number | undefined, actions: PageActions) {
  const { open, remember, press } = actions;
  const id = `${number ?? ''}/resources`;
  const words = number === undefined ? l10n.t('Shared Resources') : l10n.t('Resources');
  const title = element('h3', { class: 'title' }, words);
  const summary = element('span', { class: 'description' });
  const errors = element('span', { class: 'error-count' });
  const openFile = buttonList(element('div', { class: 'actions' }), press);
  const body = element('div', { class: 'section-body resources' }, openFile.node);
  const details = element(
    'details',
    { class: 'vscode-collapsible', open: open[id] === true },
    element('summary', {}, element('span', { class: 'icon-arrow' }), title, summary, errors),
    body,
  );
  const node = element('div', { class: 'sections' }, details);
  let view: ResourcesView | undefined;
  let form: ReturnType<typeof resourcesForm> | undefined;
  details.addEventListener('toggle', () => {
    open[id] = details.open;
    showForm();
    remember();
  });

  /** What the form shows, unless the resources are in another file, or can't be read. */
  function editedHere(): ResourcesView | undefined {
    return view?.resources.open === undefined ? view : undefined;
  }

  function showForm(): void {
    const shown = editedHere();
    if (shown === undefined) return;
    if (form === undefined && details.open) {
      form = resourcesForm(number, id, shown, actions);
      body.append(form.node);
    }
    form?.show(shown);
  }

  function unfold(): void {
    details.open = true;
    showForm();
  }

  function focusField(key: SpecKey, path?: SpecPath): void {
    unfold();
    form?.focus(key, path);
  }

  return {
    node,
    send: (): void => form?.send(),
    isTyping: (): boolean => form?.isTyping() ?? false,
    undo: (): boolean => form?.undo() ?? false,
    refuse: (change: number, message: string, heard: () => void): void => {
      if (form === undefined) heard();
      else form.refuse(change, message, heard);
    },
    /** The errors of the fields, if one of them has what the file can't have. */
    errorLinks: (): readonly ErrorLink[] => (editedHere() && form?.errorLinks(focusField)) ?? [],
    kept: (): readonly Omit<KeptInput, 'number'>[] => form?.kept() ?? [],
    /** Shows again what was typed before. Gives whether there is a field for it. */
    restore: (key: SpecKey, text: string): boolean => {
      if (editedHere() === undefined) return false;
      unfold();
      form?.restore(key, text);
      return true;
    },
    /** Puts the focus into the field that a finding is about, if it is one of these. */
    focus: (key: string): void => {
      const below = keyBelow(key);
      if (below === undefined) return;
      if (isSpecKey(below)) return focusField(below);
      unfold();
      details.querySelector('summary')?.focus();
    },
    render: (wanted: ResourcesView | undefined): void => {
      view = wanted;
      node.hidden = wanted === undefined;
      if (wanted === undefined) return;
      const { resources, findings } = wanted;
      const found = findings.filter(({ key, severity }) => keyBelow(key) !== undefined && severity === 'error');
      setText(summary, resources.summary);
      openFile.render(resources.open === undefined ? [] : [resources.open]);
      if (form !== undefined) form.node.hidden = resources.open !== undefined;
      showForm();
      setText(errors, errorCount(found.length + ((editedHere() && form?.kept().length) ?? 0)));
    },
  };
}

/** The fields of a deployment's resources. */
function resourcesForm(number: number | undefined, id: string, first: ResourcesView, actions: PageActions) {
  const { changes, press, open, remember, tell, keep } = actions;
  let { isLocked } = first;
  const receivedOf = ({ state: { version, applied }, resources: { text } }: ResourcesView) => ({
    version,
    text,
    applied,
  });
  const options = { nextId: changes.nextId, takesUnreadable: false };
  const model = new FormModel(first.resources.flavor, receivedOf(first), options);
  const reason = element('p', { class: 'reason' });
  const form = specForm(model, {
    ...actions,
    prefix: `deployment-${number ?? 'shared'}-`,
    starts: first.resources.starts.map((start) => [start.label, start.description, () => press(start.id)]),
    render,
    tellChange: ({ id: change, edits }) =>
      tell({ type: 'editResources', id: change, number, edits: pathEditsOf(edits) }),
    tellTyping: (typed) =>
      changes.tellTyping(typed && { number, ...('edits' in typed ? { edits: pathEditsOf(typed.edits) } : typed) }),
    undoChange: () => tell({ type: 'undo' }),
    onToggle: () => {
      const now = sections.open();
      for (const section of sections.ids) open[`${id}/${section}`] = now.includes(section);
      remember();
    },
  });
  const { sections, presets } = form;
  const node = element('div', {}, reason, presets, sections.node);
  sections.setOpen(sections.ids.filter((section) => open[`${id}/${section}`] ?? firstOpen.has(section)));

  function render(source?: string): void {
    const canRead = model.unreadable === undefined;
    // The file can be read. Cut out of it, this part lacks an anchor, or isn't a map.
    const words = l10n.t(
      "The fields are locked: these resources share values with other parts of the file, or aren't a map. Edit it as text.",
    );
    setText(reason, canRead ? '' : words);
    presets.hidden = isLocked || !canRead;
    sections.render(model, isLocked || !canRead, source);
    keep();
  }

  return {
    node,
    send: form.send,
    isTyping: form.isTyping,
    undo: () => form.undo(),
    refuse: form.refuse,
    kept: () => model.keptYaml,
    restore: (key: SpecKey, text: string): void => {
      form.accept(() => model.edit(key, { kind: 'yaml', text }), 'button');
    },
    errorLinks: (go: (key: SpecKey, path?: SpecPath) => void): readonly ErrorLink[] =>
      model.keptCount > 0 ? form.errorLinks(go) : [],
    focus: (key: SpecKey, path?: SpecPath): void => sections.focus(key, path),
    show: (view: ResourcesView): void => {
      ({ isLocked } = view);
      for (const heading of node.querySelectorAll('h2')) setAttribute(heading, 'aria-level', String(view.level + 1));
      model.useFlavor(view.resources.flavor);
      form.receive(receivedOf(view));
    },
  };
}

/** Only a view of the whole text makes others. */
function pathEditsOf(edits: readonly YamlEdit[]): readonly PathEdit[] {
  return edits.filter((edit) => edit.kind !== 'splice');
}
