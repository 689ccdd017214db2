import * as l10n from '@vscode/l10n';
import { buttonList } from '../../../page/webview/buttonList.ts';
import { button, element, setAttribute, setChildren, setText } from '../../../page/webview/dom.ts';
import { lineIcon } from '../../../page/webview/icon.ts';
import { keyedList } from '../../../page/webview/keyedList.ts';
import type { PageDeployment, PageFinding, PageProgress, PageRow, PageState, PageTable } from '../protocol.ts';
import type { TypedField } from './changes.ts';
import { fieldGroup, findingText, type GroupView, type PageActions } from './field.ts';
import { resourceLabel, resourcesPart } from './resources.ts';

export interface DeploymentView {
  readonly state: PageState;
  readonly deployment: PageDeployment;
  /** The file has no other, and the page's title is enough. */
  readonly isOnly: boolean;
  readonly isLocked: boolean;
}

/** Draws a deployment of the file: what will happen, what is wrong, what became of it, its fields and its tables. */
export function deploymentSection(number: number, actions: PageActions) {
  const { press } = actions;
  const heading = element('h2', { id: `deployment-${number}`, tabindex: '-1' });
  const buttons = buttonList(element('div', { class: 'actions' }), press, () => heading.textContent);
  const checking = element('p', { class: 'checking' });
  const facts = element('ul', { class: 'facts' });
  const goTo = (key: string): void => {
    for (const part of [...groups.parts(), ...tables.parts(), resources]) part.focus(key);
  };
  const findings = findingList(press, goTo);
  const groups = keyedList(
    element('div', { class: 'sections' }),
    ({ group }: GroupView) => group.id,
    ({ group }) => fieldGroup(number, group.id, actions),
  );
  const tables = keyedList(
    element('div', { class: 'tables' }),
    ({ id }: PageTable) => id,
    ({ id }) => tableView(number, id, press),
  );
  const resources = resourcesPart(number, actions);
  const progress = progressView(press);
  const head = element('div', { class: 'deployment-head' }, heading, buttons.node);
  const node = element(
    'section',
    { class: 'deployment' },
    head,
    checking,
    facts,
    findings.node,
    progress.node,
    groups.node,
    tables.node,
    resources.node,
  );
  return {
    number,
    node,
    heading,
    resources,
    findings,
    /** The field with a key, if the deployment has it. */
    find: (key: string): TypedField | undefined =>
      groups
        .parts()
        .map((part) => part.find(key))
        .find((field) => field !== undefined),
    render: ({ state, deployment, isOnly, isLocked }: DeploymentView): void => {
      const { title, isChecking } = deployment;
      heading.hidden = isOnly;
      setText(heading, title);
      setAttribute(node, 'aria-labelledby', isOnly ? undefined : heading.id);
      buttons.render([...(deployment.deploy === undefined ? [] : [deployment.deploy]), ...deployment.buttons]);
      setText(checking, isChecking ? l10n.t('Checking…') : '');
      setChildren(
        facts,
        deployment.facts.map((fact) => element('li', {}, fact)),
      );
      findings.render(deployment);
      groups.render(deployment.groups.map((group) => ({ group, findings: deployment.findings, isLocked })));
      tables.render(deployment.tables);
      const level = isOnly ? 2 : 3;
      const shown = { state, isLocked, level, findings: deployment.findings };
      resources.render(deployment.resources && { ...shown, resources: deployment.resources });
      progress.render(deployment.progress);
      // The headings below the title of the page, where the one of the deployment isn't between them.
      for (const each of node.querySelectorAll('h3')) setAttribute(each, 'aria-level', isOnly ? '2' : undefined);
    },
  };
}

/** The findings of a deployment, each with its buttons, and a link to its field or table. */
function findingList(press: (id: string) => void, goTo: (key: string) => void) {
  interface FindingView {
    readonly finding: PageFinding;
    /** Of its field or table. */
    readonly label: string | undefined;
  }
  const list = keyedList(
    element('ul', { class: 'findings' }),
    ({ finding: { severity, key, message } }: FindingView) => `${severity} ${key} ${message}`,
    ({ finding }) => {
      const link = button('', () => goTo(finding.key), { class: 'link' });
      const buttons = buttonList(element('div', { class: 'actions' }), press);
      const node = element('li', {}, findingText(finding), element('div', { class: 'remedies' }, buttons.node, link));
      return {
        node,
        message: finding.message,
        goTo: (): void => (link.hidden ? node.querySelector('button')?.focus() : goTo(finding.key)),
        render: ({ finding: { buttons: wanted }, label }: FindingView): void => {
          buttons.render(wanted);
          link.hidden = label === undefined;
          setText(link, label === undefined ? '' : l10n.t('Go to {0}', label));
        },
      };
    },
  );
  return {
    node: list.node,
    /** Focuses the field or table of a finding; without one, its first button. */
    goTo: (wanted: string): void =>
      list
        .parts()
        .find(({ message }) => message === wanted)
        ?.goTo(),
    render: ({ findings, groups, tables }: PageDeployment): void => {
      const labels = new Map([
        ...groups.flatMap(({ fields }) => fields).map(({ key, label }) => [key, label] as const),
        ...tables.map(({ id, title }) => [id, title] as const),
      ]);
      list.render(
        findings.map((finding) => ({ finding, label: labels.get(finding.key) ?? resourceLabel(finding.key) })),
      );
    },
  };
}

/** What a deployment has several of, with its buttons. */
function tableView(number: number, key: string, press: (id: string) => void) {
  const id = `table-${number}-${key}`;
  const title = element('h3', { id, tabindex: '-1' });
  const summary = element('span', { class: 'description' });
  const rows = keyedList(
    element('ul', { class: 'rows' }),
    ({ name }: PageRow) => name,
    ({ name }) => tableRow(name, press),
  );
  const buttons = buttonList(element('div', { class: 'actions' }), press);
  const head = element('div', { class: 'table-head' }, title, summary);
  const attributes = { class: 'table', role: 'group', 'aria-labelledby': id };
  return {
    node: element('div', attributes, head, rows.node, buttons.node),
    /** Puts the focus on the title, if this is the table of the key. */
    focus: (wanted: string): void => {
      if (wanted === key) title.focus();
    },
    render: (table: PageTable): void => {
      setText(title, table.title);
      setText(summary, table.summary);
      rows.render(table.rows);
      buttons.render(table.buttons);
    },
  };
}

function tableRow(name: string, press: (id: string) => void) {
  const from = element('span', { class: 'from' });
  const words = element('span');
  const warning = lineIcon('warning');
  const buttons = buttonList(element('div', { class: 'actions' }), press, () => name);
  const state = element('span', { class: 'row-state' }, warning, words);
  return {
    node: element('li', {}, element('span', { class: 'row-name' }, name), from, state, buttons.node),
    render: (row: PageRow): void => {
      setText(from, row.from);
      setText(words, row.state);
      setAttribute(warning, 'hidden', !row.isMissing);
      buttons.render(row.buttons);
    },
  };
}

/** What became of a deployment. Its words are announced when they change. */
function progressView(press: (id: string) => void) {
  const mark = element('span');
  const words = element('span', { role: 'status' });
  const steps = element('ol', { class: 'steps' });
  const reason = element('p', { class: 'failure' });
  const buttons = buttonList(element('div', { class: 'actions' }), press);
  let made: string | undefined;
  const node = element(
    'div',
    { class: 'progress none' },
    element('p', { class: 'outcome' }, mark, words),
    steps,
    reason,
    buttons.node,
  );
  return {
    node,
    render: (progress: PageProgress | undefined): void => {
      const isDeployed = progress !== undefined && progress.made !== made;
      made = progress?.made;
      setAttribute(node, 'class', progress === undefined ? 'progress none' : 'progress');
      // The user has just deployed, perhaps at the end of the page.
      if (isDeployed) requestAnimationFrame(() => node.scrollIntoView({ block: 'center' }));
      setChildren(mark, progress === undefined ? [] : [lineIcon(progress.look === 'failed' ? 'error' : progress.look)]);
      setText(words, progress?.words ?? '');
      const seen = progress?.steps ?? [];
      setChildren(
        steps,
        seen.map((step) => element('li', {}, element('span', { class: 'at' }, step.at), ` ${step.words}`)),
      );
      setText(reason, progress?.reason ?? '');
      buttons.render(progress?.buttons ?? []);
    },
  };
}
