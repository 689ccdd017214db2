import * as l10n from '@vscode/l10n';
import type { FieldFinding } from '../../../../core/spec/findings.ts';
import type { FieldContent } from '../../../../core/spec/form.ts';
import { encodeItemText, itemFields, itemText, itemWords, newItem } from '../../../../core/spec/items.ts';
import type { ItemsKey } from '../../../../core/spec/fields.ts';
import type { ItemField } from '../../../../core/spec/items.ts';
import type { YamlEdit } from '../../../../core/yaml/edit.ts';
import type { SpecMap, SpecPath } from '../../../../core/yaml/value.ts';
import { findingLine } from '../alerts.ts';
import { button, element, fitRows, setAttribute, setChildren, setText, textField, yamlArea } from '../dom.ts';
import type { Attributes } from '../dom.ts';
import { isError } from './formModel.ts';
import { variableRows } from './variables.ts';
import type { FormModel } from './formModel.ts';

/** What else than its content a field shows. */
export interface FieldState {
  readonly model: FormModel;
  readonly isReadOnly: boolean;
  readonly findings: readonly FieldFinding[];
}

/**
 * How an input was made. What a button does is a step of undo of its own.
 * A removal has what puts the focus into the row once it is back.
 */
export type InputWay = 'typed' | 'button' | { readonly focusRemoved: () => void };

/** Receives edits of items; the path says whose input they are. */
export type OnItemEdits = (path: SpecPath, edits: readonly YamlEdit[], way: InputWay) => void;

function wordsOf(key: ItemsKey): { readonly noun: string; readonly add: string } {
  const words: Record<ItemsKey, ReturnType<typeof wordsOf>> = {
    volumes: { noun: l10n.t('Volume'), add: l10n.t('Add Volume') },
    volume_mounts: { noun: l10n.t('Mount'), add: l10n.t('Add Mount') },
    init_containers: { noun: l10n.t('Init container'), add: l10n.t('Add Init Container') },
    sidecars: { noun: l10n.t('Sidecar'), add: l10n.t('Add Sidecar') },
  };
  return words[key];
}

/** The attributes of a group of inputs. */
export function groupOf(id: string): Attributes {
  return { id, role: 'group', 'aria-labelledby': `${id}-label` };
}

/** A list of items, each a row that says what it is, with its fields inside. */
export function itemList(key: ItemsKey, id: string, onEdits: OnItemEdits) {
  const rows: ReturnType<typeof itemRow>[] = [];
  const list = element('ul', { class: 'items' });
  const add = button(wordsOf(key).add, () => {
    const path = [key, rows.length];
    onEdits(path, [{ kind: 'set', path, value: newItem(key, spec) }], 'button');
    const row = rows.at(-1);
    row?.open();
    row?.focus();
    // The name is there only to be replaced.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
  });
  let items: readonly SpecMap[] = [];
  let spec: SpecMap = {};

  /** Changes the order of the items. Each stays open or folded. */
  function rearrange(change: () => void, order: (isOpen: boolean[]) => boolean[]): void {
    const isOpen = order(rows.map((row) => row.isOpen()));
    change();
    for (const [index, row] of rows.entries()) row.open(isOpen[index]);
  }

  const order: Order = {
    move: (from, to) => {
      const upper = Math.min(from, to);
      rearrange(
        () => onEdits([key, upper], [{ kind: 'swap', path: [key], index: upper }], 'button'),
        (isOpen) => isOpen.with(from, isOpen[to] ?? false).with(to, isOpen[from] ?? false),
      );
      rows[to]?.focusMove(to < from);
    },
    remove: (index) => {
      const wasOpen = rows[index]?.isOpen();
      const focusRemoved = (): void => {
        rearrange(
          () => {},
          (isOpen) => isOpen.toSpliced(index, 0, wasOpen ?? false),
        );
        rows[index]?.focus();
      };
      const path = [key, index];
      rearrange(
        () => onEdits(path, [{ kind: 'set', path }], { focusRemoved }),
        (isOpen) => isOpen.toSpliced(index, 1),
      );
      const next = rows[index] ?? rows.at(-1);
      if (next === undefined) add.focus();
      else next.focus();
    },
  };

  return {
    kind: 'items' as const,
    node: element('div', groupOf(id), list, add),
    inputs: (): readonly HTMLElement[] => [add],
    show: (content: FieldContent): void => {
      if (content.kind === 'items') ({ items } = content);
    },
    /** Shows the items. Leaves what the user typed alone. */
    update: (state: FieldState): void => {
      ({ spec } = state.model);
      add.disabled = state.isReadOnly;
      fitRows(list, rows, items.length, (index) => itemRow(`${id}-${index}`, [key, index], onEdits, order));
      for (const [index, item] of items.entries()) {
        const findings = state.findings.filter(({ path = [] }) => path[1] === index);
        rows[index]?.show(item, { ...state, findings }, index === items.length - 1);
      }
    },
    /** Puts the focus into the field of a value, or else into the first one. */
    focus: (path: SpecPath = []): void => {
      const row = rows[Number(path[1] ?? 0)];
      if (row === undefined) return add.focus();
      row.open();
      row.focus(path.slice(2));
    },
  };
}

/** Changes the order of the items of a list. */
interface Order {
  readonly move: (from: number, to: number) => void;
  readonly remove: (index: number) => void;
}

function itemRow(id: string, path: readonly [ItemsKey, number], onEdits: OnItemEdits, order: Order) {
  const [key, index] = path;
  const noun = `${wordsOf(key).noun} ${index + 1}`;
  const words = element('span', { class: 'item-words' });
  const findingsId = `${id}-findings`;
  const list = element('div', { id: findingsId, class: 'findings' });
  const up = button(l10n.t('Move Up'), () => order.move(index, index - 1), {
    'aria-label': l10n.t('Move Up: {0}', noun),
  });
  const down = button(l10n.t('Move Down'), () => order.move(index, index + 1), {
    'aria-label': l10n.t('Move Down: {0}', noun),
  });
  const remove = button(l10n.t('Remove'), () => order.remove(index), {
    'aria-label': l10n.t('Remove {0}', noun),
  });
  const body = element('div', { class: 'item-fields' });
  const summary = element('summary', {}, words);
  const details = element('details', {}, summary, body, element('div', { class: 'item-actions' }, up, down, remove));
  let fields: ReturnType<typeof itemFieldControl>[] = [];
  return {
    node: element('li', { class: 'item' }, details, list),
    isOpen: (): boolean => details.open,
    open: (isOpen = true): void => {
      details.open = isOpen;
    },
    show: (item: SpecMap, { model: { spec }, isReadOnly, findings }: FieldState, isLast: boolean): void => {
      const wanted = itemFields(key, item, spec);
      // A field that stays keeps its control, and with it the focus.
      const former = fields;
      fields = wanted.map((field, place) => {
        const fieldId = [id, ...(field.kind === 'volumeKind' ? ['kind'] : field.path)].join('-');
        const control =
          former.find((each) => each.id === fieldId) ?? itemFieldControl(field, fieldId, noun, path, onEdits);
        if (body.children[place] !== control.node) body.insertBefore(control.node, body.children[place] ?? null);
        control.show(item, field, isReadOnly, findings);
        return control;
      });
      for (const control of former) if (!fields.includes(control)) control.node.remove();
      setText(words, itemWords(key, item, spec));
      setChildren(list, findings.map(findingLine));
      const describedBy = findings.length > 0 ? findingsId : undefined;
      for (const input of [summary, ...fields.flatMap((field) => field.inputs())]) {
        setAttribute(input, 'aria-describedby', describedBy);
      }
      up.disabled = isReadOnly || index === 0;
      down.disabled = isReadOnly || isLast;
      remove.disabled = isReadOnly;
    },
    /** Puts the focus on the button that moves the row on, or back if it can't go further. */
    focusMove: (isUp: boolean): void => {
      const [further, back] = isUp ? [up, down] : [down, up];
      (further.disabled ? back : further).focus();
    },
    focus: (place: SpecPath = []): void => {
      const field = fields.find((control) => place.length > 0 && control.isOf(place)) ?? fields[0];
      if (details.open) field?.inputs()[0]?.focus();
      else summary.focus();
    },
  };
}

/** A field of an item: its label and its control. */
function itemFieldControl(first: ItemField, id: string, noun: string, path: SpecPath, onEdits: OnItemEdits) {
  let field = first;
  let seen = '';
  const isChosen = first.kind === 'flag' || first.kind === 'choice' || first.kind === 'volumeKind';
  const pathOf = (): SpecPath => [...path, ...field.path];
  const report = (text: string): void => {
    seen = text;
    if (field.kind === 'volumeKind') {
      const former = field.path[0] ?? '';
      const edits: YamlEdit[] = [];
      if (text !== '') edits.push({ kind: 'set', path: [...path, text], value: { style: 'inline', text: '{}' } });
      if (former !== '') edits.push({ kind: 'set', path: [...path, former] });
      return onEdits([...path, 'kind'], edits, 'button');
    }
    const value = encodeItemText(field.kind, text);
    onEdits(pathOf(), [{ kind: 'set', path: pathOf(), value }], isChosen ? 'button' : 'typed');
  };
  const variables = first.kind === 'variables' ? variableRows(id, noun, path, onEdits) : undefined;
  const control = variables === undefined ? controlFor(first, id, report) : undefined;
  const reason = element('p', { class: 'reason' });
  const label = element(
    variables === undefined ? 'label' : 'span',
    { class: 'vscode-label', for: variables ? undefined : id, id: `${id}-label` },
    first.label,
  );
  return {
    id,
    node: element(
      'div',
      { class: `field item-field ${first.kind}` },
      label,
      variables?.node ?? control?.node ?? '',
      reason,
    ),
    inputs: (): readonly HTMLElement[] => variables?.inputs() ?? (control === undefined ? [] : [control.node]),
    isOf: (place: SpecPath): boolean => field.path.every((step, at) => place[at] === step),
    show: (item: SpecMap, wanted: ItemField, isReadOnly: boolean, findings: readonly FieldFinding[]): void => {
      field = wanted;
      if (control === undefined) return variables?.show(item, isReadOnly);
      const text = itemText(item, field);
      setText(reason, text === undefined ? l10n.t('This value has no field. Edit it as YAML.') : '');
      if (text !== undefined && text !== seen) control.show(text, field.choices ?? []);
      if (text !== undefined) seen = text;
      setAttribute(control.node, isChosen ? 'disabled' : 'readonly', isReadOnly || text === undefined);
      const place = pathOf().join('/');
      const isInvalid = findings.some((finding) => isError(finding) && (finding.path ?? []).join('/') === place);
      setAttribute(control.node, 'aria-invalid', isInvalid ? 'true' : undefined);
    },
  };
}

interface Control {
  readonly node: HTMLElement;
  readonly show: (text: string, choices: readonly string[]) => void;
}

function controlFor(field: ItemField, id: string, report: (text: string) => void): Control {
  switch (field.kind) {
    case 'flag': {
      const box = element('input', { type: 'checkbox', id });
      box.addEventListener('change', () => report(box.checked ? 'true' : ''));
      return { node: box, show: (text) => (box.checked = text === 'true') };
    }
    case 'choice':
    case 'volumeKind':
      return choiceControl(field, id, report);
    case 'lines':
    case 'text':
    case 'quantity':
    case 'variables': {
      const onInput = (): void => report(input.value);
      const input = field.kind === 'lines' ? yamlArea({ id, rows: '2' }, onInput) : textField({ id }, onInput);
      return { node: input, show: (text) => (input.value = text) };
    }
  }
}

/** A native list. It also has the present value, which may be none of the choices. */
function choiceControl({ choices = [] }: ItemField, id: string, report: (text: string) => void): Control {
  const select = element('select', { id, class: 'vscode-select' });
  const offer = (text: string, offered: readonly string[]): void => {
    const options = ['', ...offered, ...(text === '' || offered.includes(text) ? [] : [text])];
    select.replaceChildren(
      ...options.map((option) => element('option', { value: option }, option || l10n.t('(none)'))),
    );
    select.value = text;
  };
  offer('', choices);
  select.addEventListener('change', () => report(select.value));
  // The choices may have changed since, such as by a new volume.
  return { node: select, show: offer };
}
