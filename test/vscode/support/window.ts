import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Shown } from '../../../src/extension.ts';
import { watchChanges } from './changes.ts';
import { expectWith } from './expect.ts';
import { watchForms } from './forms.ts';
import { watchPages } from './pages.ts';
import { watchPrompts } from './prompts.ts';
import { watchTold } from './told.ts';
import { watchTree } from './trees.ts';
import type { Tree, ViewName } from './trees.ts';

// There is one window, and everything that the extension gives to VS Code in it is watched from here.

const changes = watchChanges();

export const { happened, until } = changes;
export const expect = expectWith(changes);
export const quickInput = watchPrompts(changes);
export const told = watchTold(changes);
export const forms = watchForms(changes);
export const pages = watchPages(changes);

/** The entry in the status bar. */
interface StatusBar {
  /** Its text without its icon and its running time; empty while it is hidden. */
  text(): string;
  /** The name of its icon. */
  icon(): string;
  /** Whether it has the background of an error. */
  isFailure(): boolean;
  /** Its tooltip as Markdown. */
  tooltip(): string;
  /** Every text that it had, the oldest first, with its running time. */
  readonly texts: string[];
}

let shown: { readonly trees: Readonly<Record<ViewName, Tree>>; readonly statusBar: StatusBar } | undefined;

/** Starts the extension and watches its views; call it once, before any of them is opened. */
export async function watchExtension(): Promise<void> {
  const extension = vscode.extensions.getExtension<Shown>('deployment-manager.deployment-manager');
  assert.ok(extension, 'VS Code has loaded the extension.');
  const { trees, statusBar: item, forms: provider, pages: pageProvider } = await extension.activate();
  forms.watch(provider);
  pages.watch(pageProvider);
  let isVisible = false;
  const texts: string[] = [];
  const icons = /\$\([\w~-]+\)/g;
  const [show, hide] = [item.show.bind(item), item.hide.bind(item)];
  Object.assign(item, {
    show: () => {
      isVisible = true;
      texts.push(item.text.replaceAll(icons, '').trim());
      changes.happened();
      show();
    },
    hide: () => ((isVisible = false), changes.happened(), hide()),
  });
  shown = {
    trees: {
      Deployments: watchTree('Deployments', trees.deployments, changes),
      Listeners: watchTree('Listeners', trees.listeners, changes),
      Repositories: watchTree('Repositories', trees.repositories, changes),
      Agents: watchTree('Agents', trees.agents, changes),
    },
    statusBar: {
      text: () =>
        isVisible
          ? item.text
              .replaceAll(icons, '')
              .replace(/(?: \d+ [dhms])+$/, '')
              .trim()
          : '',
      icon: () => /^\$\(([\w~-]+)\)/.exec(item.text)?.[1] ?? '',
      isFailure: () => item.backgroundColor !== undefined,
      tooltip: () => (typeof item.tooltip === 'object' ? item.tooltip.value : (item.tooltip ?? '')),
      texts,
    },
  };
}

/** A view of the extension. */
export function tree(name: ViewName): Tree {
  assert.ok(shown, 'The extension is watched.');
  return shown.trees[name];
}

/** The entry in the status bar, which is there while something is followed. */
export function statusBarEntry(): StatusBar {
  assert.ok(shown, 'The extension is watched.');
  return shown.statusBar;
}

/** The text of the entry in the status bar without its icon and its running time; empty while it is hidden. */
export function statusBar(): string {
  return statusBarEntry().text();
}

/** Runs a command of the extension by its id without the prefix; it resolves when the command has ended. */
export async function run(command: string, ...parameters: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`deploymentManager.${command}`, ...parameters);
}

/** The text of the active editor; empty without one. */
export function editorText(): string {
  return vscode.window.activeTextEditor?.document.getText() ?? '';
}

/** What the window shows, in words, for a test that failed. */
export function describeWindow(): string {
  const views = Object.entries(shown?.trees ?? {}).map(([name, view]) => `${name}: ${view.heading()}\n${view.rows()}`);
  const asked = quickInput.isOpen()
    ? [`Asked: ${quickInput.title()}`, quickInput.message(), ...quickInput.rows()]
    : [`Asked last: ${quickInput.ended()}`];
  const messages = told.messages.map(({ kind, text, buttons }) => `${kind}: ${text} [${buttons.join(', ')}]`);
  const statusBar = `Status bar: ${shown?.statusBar.text() ?? ''}`;
  return [...views, statusBar, ...asked, ...messages, ...pages.describe()].join('\n');
}

/** Leaves the question that is asked and closes all messages, so a test finds what it made itself. */
export async function clearWindow(): Promise<void> {
  if (quickInput.isOpen()) await quickInput.cancel();
  told.clear();
}
