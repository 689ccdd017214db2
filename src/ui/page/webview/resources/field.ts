import * as l10n from '@vscode/l10n';
import { editorOf, isItemsKey, isNumberKey, placeOf, unitOf } from '../../../../core/spec/fields.ts';
import type { SpecKey } from '../../../../core/spec/fields.ts';
import type { FieldFinding } from '../../../../core/spec/findings.ts';
import { isFilled, plainNumber, rowsIn } from '../../../../core/spec/form.ts';
import type { FieldContent, FieldInput } from '../../../../core/spec/form.ts';
import type { NameAndValue } from '../../../../core/spec/rows.ts';
import { fieldHelp, fieldLabel, roleLabel } from '../../../../core/spec/help.ts';
import type { SpecPath } from '../../../../core/yaml/value.ts';
import { defaultWords } from '../../../../core/spec/specWords.ts';
import { isYamlList, tidyPastedYaml } from '../../../../core/spec/part.ts';
import {
  button,
  element,
  fitRows,
  setAttribute,
  setChildren,
  setText,
  showsText,
  textField,
  yamlArea,
} from '../dom.ts';
import { isError } from './formModel.ts';
import { groupOf, itemList } from './itemList.ts';
import type { FieldState, InputWay, OnItemEdits } from './itemList.ts';
import type { FormModel } from './formModel.ts';
import { findingLine } from '../alerts.ts';

/** What receives the user's input. */
export interface FieldInputs {
  /** What the ids of these fields begin with, on a page that has others. */
  readonly prefix: string;
  /** The content of a whole field. */
  readonly onInput: (key: SpecKey, content: FieldInput, way: InputWay) => void;
  readonly onItems: OnItemEdits;
  /** The user pasted a manifest, of which a field took its list. */
  readonly onManifest: (pasted: string, taken: string) => void;
  /** The user switched a field between a list and YAML. */
  readonly onSwitch: () => void;
}

/** A field of the form: label, help, editor, and findings. The content's kind determines the editor. */
export function fieldControl(key: SpecKey, inputs: FieldInputs) {
  const id = idOf(inputs, key);
  const helpId = `${id}-help`;
  const lockReason = element('p', { class: 'reason' });
  const findingsId = `${id}-findings`;
  const list = element('div', { id: findingsId, class: 'findings' });
  let asYaml = false;
  const toggle = button('', () => {
    asYaml = !asYaml;
    inputs.onSwitch();
    if (asYaml) editor.inputs()[0]?.focus();
  });
  let editor = editorFor(key, editorOf(key), inputs);
  /** The content that the editor shows, if it is the model's. Only another content may replace what the user typed. */
  let seen = '';

  /** Shows the findings below the field, linked to its inputs for screen readers. Those of an item are in its row. */
  function showFindings(all: readonly FieldFinding[]): void {
    const findings = all.filter(({ path }) => editor.kind !== 'items' || path?.[1] === undefined);
    const describedBy = findings.length > 0 ? `${helpId} ${findingsId}` : helpId;
    for (const input of editor.inputs()) {
      const takesText = !(input instanceof HTMLButtonElement);
      if (takesText) setAttribute(input, 'aria-invalid', findings.some(isError) ? 'true' : undefined);
      setAttribute(input, 'aria-describedby', describedBy);
    }
    setChildren(list, findings.map(findingLine));
  }

  const label = labelOf(id, key);
  const node = element(
    'div',
    { class: isNumberKey(key) ? 'field number' : 'field' },
    isItemsKey(key) ? element('div', { class: 'field-head' }, label, toggle) : label,
    element('p', { id: helpId, class: 'help' }, fieldHelp(key)),
    editor.node,
    lockReason,
    list,
  );
  node.addEventListener('input', () => (seen = ''), { capture: true });
  return {
    node,
    /** Shows the model's content, except where the user is typing. */
    render: (model: FormModel, isReadOnly: boolean, isSource: boolean): void => {
      // What the user types as YAML stays that until they leave it.
      const isTyped = editor.kind === 'yaml' && editor.node === document.activeElement;
      const content = model.contentOf(key, asYaml || isTyped);
      const present = JSON.stringify(content);
      if (!isSource && present !== seen) {
        if (content.kind !== editor.kind) {
          const { node: former } = editor;
          editor = editorFor(key, content.kind, inputs);
          former.replaceWith(editor.node);
        }
        editor.show(content);
      }
      seen = present;
      const lock = model.lockOf(key);
      const findings = model.findingsOf(key, asYaml);
      editor.update({ model, isReadOnly: isReadOnly || lock !== undefined, findings });
      // A value that isn't such a list can be edited as YAML only.
      toggle.hidden = !asYaml && content.kind === 'yaml';
      setText(toggle, asYaml ? l10n.t('Show as List') : l10n.t('Edit as YAML'));
      const words = fieldLabel(key);
      const toggleLabel = asYaml ? l10n.t('Show as List: {0}', words) : l10n.t('Edit as YAML: {0}', words);
      setAttribute(toggle, 'aria-label', toggleLabel);
      setText(lockReason, lock ?? '');
      showFindings(findings);
    },
    /** Puts the focus into the field, or into the field of an item's value. */
    focus: (path?: SpecPath): void => {
      if (editor.focus === undefined) editor.inputs()[0]?.focus();
      else editor.focus(path);
    },
  };
}

/** The id that the label points to: the input, or the group of inputs. */
function idOf({ prefix }: FieldInputs, key: SpecKey): string {
  return `${prefix}field-${key}`;
}

function labelOf(id: string, key: SpecKey): HTMLElement {
  const attributes = { id: `${id}-label`, class: 'vscode-label', for: id, title: fieldHelp(key) };
  if (!isNumberKey(key)) return element('label', attributes, fieldLabel(key));
  const { role } = placeOf(key);
  return element('label', attributes, `${roleLabel(role)} `, element('span', { class: 'unit' }, `(${unitOf(role)})`));
}

function editorFor(key: SpecKey, kind: FieldContent['kind'], inputs: FieldInputs): FieldEditor {
  if (kind === 'items' && isItemsKey(key)) return itemList(key, idOf(inputs, key), inputs.onItems);
  if (kind === 'yaml') return yamlEditor(key, inputs);
  if (kind === 'rows' || kind === 'names') return rowsEditor(key, kind, inputs);
  return textEditor(key, inputs);
}

/** One way to edit a field. The model owns the content; the editor reports input and shows content. */
interface FieldEditor {
  readonly kind: FieldContent['kind'];
  readonly node: HTMLElement;
  /** The native controls; the first one takes the focus. */
  readonly inputs: () => readonly HTMLElement[];
  /** Shows content. Leaves matching controls alone, so the cursor doesn't jump. */
  show(content: FieldContent): void;
  /** Shows everything else, also while the user is typing. */
  update(state: FieldState): void;
  readonly focus?: (path?: SpecPath) => void;
}

/** The editor of a field with one text; calls `onShow` after it shows another text. */
function singleEditor(
  kind: 'text' | 'yaml',
  control: HTMLInputElement | HTMLTextAreaElement,
  onShow?: () => void,
): FieldEditor {
  return {
    kind,
    node: control,
    inputs: () => [control],
    show: (content) => {
      if (content.kind !== kind || showsText(control, content.text)) return;
      control.value = content.text;
      onShow?.();
    },
    update: ({ isReadOnly }) => setAttribute(control, 'readonly', isReadOnly),
  };
}

/** A single-line editor for a number or a name. Empty means the service's default. */
function textEditor(key: SpecKey, inputs: FieldInputs): FieldEditor {
  const { onInput } = inputs;
  const input = textField({ id: idOf(inputs, key) }, () => onInput(key, { kind: 'text', text: input.value }, 'typed'));
  // Normalize the number only when the user leaves the field, not while they type.
  if (isNumberKey(key)) input.addEventListener('change', () => (input.value = plainNumber(key, input.value)));
  const editor = singleEditor('text', input);
  return {
    ...editor,
    update: (state) => {
      editor.update(state);
      // A text that can't be read may set the value.
      setAttribute(input, 'placeholder', state.model.unreadable === undefined ? defaultWords() : undefined);
    },
  };
}

/** An editor in YAML for values without a simpler form. */
function yamlEditor(key: SpecKey, inputs: FieldInputs): FieldEditor {
  const { onInput, onManifest } = inputs;
  const area = yamlArea({ id: idOf(inputs, key), rows: '3', placeholder: placeholders[key] }, (event) => {
    const pasted = area.value;
    const isPaste = event instanceof InputEvent && event.inputType === 'insertFromPaste';
    const tidied = isPaste && !isYamlList(pasted) ? tidyPastedYaml(pasted, key) : pasted;
    const isTaken = tidied !== pasted && isYamlList(tidied);
    if (isTaken) area.value = tidied;
    fitLines(area);
    onInput(key, { kind: 'yaml', text: area.value }, 'typed');
    if (isTaken) onManifest(pasted, tidied);
  });
  return singleEditor('yaml', area, () => fitLines(area));
}

/** Minimal examples, so the user needn't look up the format. */
const placeholders: Partial<Readonly<Record<SpecKey, string>>> = {
  volumes: '- name: config\n  configMap:\n    name: my-config-map',
  volume_mounts: '- name: config\n  mountPath: /etc/my-config',
  init_containers: '- name: migrate\n  image: registry/migrate:1.0',
  sidecars: '- name: proxy\n  image: registry/proxy:1.0',
};

function fitLines(area: HTMLTextAreaElement): void {
  const lines = area.value.split('\n').length;
  setAttribute(area, 'rows', String(Math.min(Math.max(lines + 1, 3), 20)));
}

/** An editor for rows of keys and values, or of names only, with buttons to add and remove rows. */
function rowsEditor(key: SpecKey, kind: 'rows' | 'names', inputs: FieldInputs): FieldEditor {
  const { onInput } = inputs;
  const label = fieldLabel(key);
  const rows: ReturnType<typeof createRow>[] = [];
  let isReadOnly = false;
  const list = element('ul', { class: 'rows' });
  const add = button(kind === 'rows' ? l10n.t('Add Row') : l10n.t('Add Name'), () => {
    draw([...read(), blankRow]);
    rows.at(-1)?.inputs[0]?.focus();
  });

  function createRow(index: number) {
    const number = index + 1;
    const labels =
      kind === 'rows'
        ? [l10n.t('{0}, key {1}', label, number), l10n.t('{0}, value {1}', label, number)]
        : [l10n.t('{0}, name {1}', label, number)];
    const inputs = labels.map((name) => textField({ 'aria-label': name }, () => report('typed')));
    const removeRow = (): void => {
      draw(read().toSpliced(index, 1));
      report({ focusRemoved: () => rows[index]?.inputs[0]?.focus() });
      ((rows[index] ?? rows.at(-1))?.inputs[0] ?? add).focus();
    };
    const removeLabel = l10n.t('Remove {0}, row {1}', label, number);
    const remove = button(l10n.t('Remove'), removeRow, { 'aria-label': removeLabel });
    return { node: element('li', { class: 'row' }, ...inputs, remove), inputs, remove };
  }

  function read(): readonly NameAndValue[] {
    return rows.map(({ inputs: [name, value] }) => ({ name: name?.value ?? '', value: value?.value ?? '' }));
  }

  function report(way: InputWay): void {
    const content = read();
    onInput(key, kind === 'rows' ? { kind, rows: content } : { kind, names: content.map(({ name }) => name) }, way);
  }

  function draw(wanted: readonly NameAndValue[]): void {
    add.disabled = isReadOnly;
    fitRows(list, rows, wanted.length, createRow);
    for (const [index, { inputs, remove }] of rows.entries()) {
      const { name, value } = wanted[index] ?? blankRow;
      for (const [column, input] of inputs.entries()) {
        const text = column === 0 ? name : value;
        if (input.value !== text) input.value = text;
        setAttribute(input, 'readonly', isReadOnly);
      }
      remove.disabled = isReadOnly;
    }
  }

  return {
    kind,
    node: element('div', groupOf(idOf(inputs, key)), list, add),
    inputs: () => [...rows.flatMap((row) => row.inputs), add],
    show: (content) => {
      const wanted = rowsIn(content).filter(isFilled);
      if (JSON.stringify(read().filter(isFilled)) === JSON.stringify(wanted)) return;
      // A row keeps the focus, even one that was just added and has no text.
      const focused = rows.findIndex(({ node }) => node.contains(document.activeElement));
      const extra = Math.max(focused + 1 - wanted.length, 0);
      draw([...wanted, ...Array.from({ length: extra }, () => blankRow)]);
    },
    update: (state) => {
      if (state.isReadOnly === isReadOnly) return;
      ({ isReadOnly } = state);
      draw(read());
    },
  };
}

const blankRow: NameAndValue = { name: '', value: '' };
