import { findingWords, type errorAlert, type statusLine } from '../../../page/webview/alerts.ts';
import { buttonList } from '../../../page/webview/buttonList.ts';
import { element, setAttribute, setChildren, setText, showsText, textField } from '../../../page/webview/dom.ts';
import { lineIcon } from '../../../page/webview/icon.ts';
import { keyedList } from '../../../page/webview/keyedList.ts';
import type { FromPageMessage } from '../pageMessages.ts';
import type { PageField, PageFinding, PageGroup } from '../protocol.ts';
import type { FieldChanges, TypedField } from './changes.ts';

/** What the parts of a page work with. */
export interface PageActions {
  readonly changes: FieldChanges;
  readonly tell: (message: FromPageMessage) => void;
  readonly alert: ReturnType<typeof errorAlert>;
  readonly status: ReturnType<typeof statusLine>;
  readonly press: (id: string) => void;
  /** The groups that the user opened or folded. */
  readonly open: Record<string, boolean>;
  readonly remember: () => void;
  /** Keeps what was typed and can't be read while the page is hidden. */
  readonly keep: () => void;
}

/** A finding with its severity as an icon and in words, because color alone isn't accessible. */
export function findingText({ severity, message }: Pick<PageFinding, 'severity' | 'message'>): HTMLElement {
  const words = element('span', {}, findingWords({ severity, message }));
  return element('p', { class: `finding ${severity}` }, lineIcon(severity), words);
}

interface FieldView {
  readonly field: PageField;
  readonly findings: readonly PageFinding[];
  readonly isLocked: boolean;
}

export interface GroupView extends Omit<FieldView, 'field'> {
  readonly group: PageGroup;
}

/** A group of fields that can be folded. */
export function fieldGroup(number: number | undefined, id: string, actions: PageActions) {
  const { open, remember } = actions;
  const place = `${number ?? ''}/${id}`;
  const title = element('h3', { class: 'title' });
  const summary = element('span', { class: 'description' });
  const body = element('div', { class: 'section-body' });
  const fields = keyedList(
    body,
    ({ field }: FieldView) => (field.options.length > 0 ? `${field.key}?` : field.key),
    ({ field }) => fieldRow(number, field, actions),
  );
  const node = element(
    'details',
    { class: 'vscode-collapsible' },
    element('summary', {}, element('span', { class: 'icon-arrow' }), title, summary),
    body,
  );
  let isUsuallyOpen = false;
  node.addEventListener('toggle', () => {
    if (node.open !== (open[place] ?? isUsuallyOpen)) open[place] = node.open;
    remember();
  });
  const find = (key: string): TypedField | undefined => fields.parts().find(({ input }) => input.key === key)?.input;
  return {
    node,
    find,
    render: ({ group, findings, isLocked }: GroupView): void => {
      isUsuallyOpen = group.isOpen;
      setText(title, group.title);
      setText(summary, group.summary);
      setAttribute(node, 'open', open[place] ?? isUsuallyOpen);
      fields.render(group.fields.map((field) => ({ field, findings, isLocked })));
    },
    /** Puts the focus into a field, if the group has it. */
    focus: (key: string): void => {
      const wanted = find(key);
      if (wanted === undefined) return;
      node.open = true;
      wanted.control.focus();
    },
  };
}

/** A field: its label, where its value comes from, its control, help and findings. */
function fieldRow(number: number | undefined, { key, options }: PageField, actions: PageActions) {
  const { changes, press, keep } = actions;
  const id = `field-${number ?? 'shared'}-${key}`;
  const parts = { from: `${id}-from`, help: `${id}-help`, findings: `${id}-findings` };
  const accept = (): void => {
    changes.accept(input);
    keep();
  };
  const control = options.length > 0 ? element('select', { id, class: 'vscode-select' }) : textField({ id }, accept);
  const input: TypedField = { number, key, control, before: '', present: '' };
  const label = element('label', { class: 'vscode-label', for: id });
  const from = element('span', { class: 'from', id: parts.from });
  const help = element('p', { class: 'help', id: parts.help });
  const list = element('div', { class: 'findings', id: parts.findings });
  const controls = element('div', { class: 'field-control' }, control);
  const pick = buttonList(element('div', { class: 'actions' }), press, () => label.textContent);
  controls.append(pick.node);
  const node = element(
    'div',
    { class: 'field' },
    element('div', { class: 'field-label' }, label, from),
    element('div', { class: 'field-body' }, controls, help, list),
  );
  if (control instanceof HTMLSelectElement) {
    control.addEventListener('change', () => {
      accept();
      changes.send();
    });
  }
  return {
    node,
    input,
    render: ({ field, findings, isLocked }: FieldView): void => {
      changes.learn(input, field.value);
      const refusal = changes.refusalOf(input);
      const own = [
        ...(refusal === undefined ? [] : [{ severity: 'error' as const, message: refusal }]),
        ...findings.filter((finding) => finding.key === key && finding.severity !== 'info'),
      ];
      const hasError = own.some(({ severity }) => severity === 'error');
      setText(label, field.label);
      setText(from, field.from);
      setText(help, field.help);
      setChildren(list, own.map(findingText));
      pick.render(field.pick === undefined ? [] : [field.pick]);
      showValue(input, field, changes.keeps(input));
      setAttribute(control, control instanceof HTMLSelectElement ? 'disabled' : 'readonly', isLocked || field.isLocked);
      const describing = [field.from && parts.from, field.help && parts.help, own.length > 0 && parts.findings];
      setAttribute(control, 'aria-describedby', describing.filter(Boolean).join(' ') || undefined);
      setAttribute(control, 'aria-invalid', hasError ? 'true' : undefined);
    },
  };
}

/** Shows the value of a field, unless it keeps what it shows. */
function showValue(input: TypedField, { value, usual, options }: PageField, isKept: boolean): void {
  const { control } = input;
  if (control instanceof HTMLSelectElement) {
    const shown = control.value;
    const choices = options.map((option) => element('option', { value: option.value }, option.label));
    setChildren(control, choices);
    control.value = isKept ? shown : value;
  } else {
    setAttribute(control, 'placeholder', usual || undefined);
    if (!isKept && !showsText(control, value)) replaceText(control, value);
  }
  if (!isKept) input.before = value;
}

/** Changes a text and leaves the cursor where it is. */
function replaceText(control: HTMLInputElement, text: string): void {
  const { selectionStart, selectionEnd } = control;
  control.value = text;
  if (control === document.activeElement) control.setSelectionRange(selectionStart, selectionEnd);
}
