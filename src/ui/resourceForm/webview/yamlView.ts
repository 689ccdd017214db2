import * as l10n from '@vscode/l10n';
import type { TextFinding } from '../../../core/yaml/document.ts';
import { movedAfter, smallestChange } from '../../../core/yaml/edit.ts';
import { formViews } from '../protocol.ts';
import type { FormView } from '../protocol.ts';
import { button, element, setAttribute, setChildren, setText, showsText, yamlArea } from '../../page/webview/dom.ts';
import type { Attributes } from '../../page/webview/dom.ts';
import { isError } from '../../page/webview/resources/formModel.ts';
import type { FormModel } from '../../page/webview/resources/formModel.ts';
import { findingWords } from '../../page/webview/alerts.ts';

const mostFindings = 20;

/**
 * The whole spec as YAML, with its findings below, each linked to its place.
 * @param onPaste returns whether it takes a pasted text, which then isn't inserted
 */
export function yamlView(onInput: (text: string) => void, onPaste: (pasted: string) => boolean) {
  const area = yamlArea({ id: 'yaml', 'aria-describedby': 'yaml-help yaml-findings' }, () => {
    seen = undefined;
    onInput(area.value);
  });
  area.addEventListener('paste', (event) => {
    if (!area.readOnly && onPaste(event.clipboardData?.getData('text') ?? '')) event.preventDefault();
  });
  const lockReason = element('p', { class: 'reason' });
  const help = element('p', { id: 'yaml-help', class: 'help' }, l10n.t('Tab leaves this editor. Indent with spaces.'));
  let seen: string | undefined;

  /** Moves the cursor to a line and column, counted from 1. */
  const goTo = (line: number, column: number): void => {
    const before = `\n${area.value}`.split('\n').slice(0, line).join('\n');
    const offset = before.length + column - 1;
    area.focus();
    area.setSelectionRange(offset, offset);
  };
  const findings = findingList(goTo, { id: 'yaml-findings' });

  return {
    node: element(
      'section',
      { class: 'yaml', 'aria-labelledby': 'yaml-title' },
      element('h2', {}, element('label', { id: 'yaml-title', for: 'yaml' }, l10n.t('YAML'))),
      lockReason,
      help,
      area,
      findings.node,
    ),
    /** Shows the model's text and the reason for a lock, if any. Leaves what the user typed and the cursor alone. */
    render: (model: FormModel, lock: string, isSource: boolean): void => {
      const { text, message } = model.yaml;
      const normal = text.replaceAll('\r\n', '\n');
      if (!isSource && normal !== seen) show(area, normal);
      seen = normal;
      setAttribute(area, 'readonly', lock !== '');
      setAttribute(area, 'aria-invalid', model.textFindings.some(isError) ? 'true' : undefined);
      setText(lockReason, lock || message);
      help.hidden = lock !== '';
      findings.show(model.textFindings);
    },
    goTo,
  };
}

/** Findings in the text, each linked to its place there. */
export function findingList(goTo: (line: number, column: number) => void, attributes: Attributes = {}) {
  const node = element('ul', { class: 'findings', ...attributes });
  const show = (findings: readonly TextFinding[]): void => {
    const items = findings.slice(0, mostFindings).map((finding) => {
      const link = button(findingWords(finding), () => goTo(finding.line, finding.column), { class: 'link' });
      return element('li', { class: `finding ${finding.severity}` }, link);
    });
    const rest = findings.length - items.length;
    if (rest > 0) items.push(element('li', { class: 'finding' }, l10n.t('And {0} more.', rest)));
    setChildren(node, items);
  };
  return { node, show };
}

/** Shows another text. The cursor stays at what it was at. */
function show(area: HTMLTextAreaElement, text: string): void {
  if (showsText(area, text)) return;
  const { selectionStart, selectionEnd, value } = area;
  const change = smallestChange(value, text);
  area.value = text;
  const at = (offset: number): number =>
    movedAfter({ start: offset, end: offset, text: '' }, change)?.start ?? change.start;
  area.setSelectionRange(at(selectionStart), at(selectionEnd));
}

/** Switches between the form, the YAML, and both side by side. */
export function viewSwitch(onChange: (view: FormView) => void) {
  const labels: Record<FormView, string> = {
    form: l10n.t('Form'),
    yaml: l10n.t('YAML'),
    both: l10n.t('Side by side'),
  };
  const node = element('fieldset', { class: 'view-switch' }, element('legend', {}, l10n.t('View')));
  const radios = formViews.map((view) => {
    const radio = element('input', { type: 'radio', name: 'view', value: view });
    radio.addEventListener('change', () => onChange(view));
    node.append(element('label', { class: 'view-option' }, radio, labels[view]));
    return radio;
  });
  return {
    node,
    show: (view: FormView): void => {
      for (const radio of radios) radio.checked = radio.value === view;
    },
  };
}
