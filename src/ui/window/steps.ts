import * as vscode from 'vscode';
import { shortened, withoutIcons, withoutLinks, wrapLines } from '../../core/text/text.ts';

/** Maximum number of characters of a title or placeholder. */
const longestTitle = 200;

/** The answer that goes back to the previous step. */
export const back = Symbol('back');

/** A step's answer: a value, `back`, or undefined for Escape. */
export type StepAnswer<T> = T | typeof back | undefined;

/** A deployment of a page that asks: its prompts go back to the page. */
export interface Asking {
  /** Texts that were typed into prompts and not used yet, by the words of the prompt. They may be secret. */
  typed?: Map<string, string>;
}

/** Where a single question belongs. */
export type QuestionPlace = Pick<StepPlace, 'title' | 'asking'>;

/** Where a question belongs: its title, and its step if it is one of several. */
export interface StepPlace {
  readonly title: string;
  /** Counted from 1; omitted for a single prompt. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** What the prompt goes back to. */
  readonly asking?: Asking | undefined;
}

/**
 * Thrown when a prompt of a page closes without an answer. Another quick input, such as git's question for a password,
 * may have taken its place, and the next question would close that.
 */
export class PromptClosedError extends vscode.CancellationError {}

export interface TextQuestion extends StepPlace {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  readonly password?: boolean;
  /** Returns why a text can't be used; undefined if it can. */
  readonly problemOf?: (text: string) => string | undefined;
  /** Whether the answer is used at once. Otherwise, the asking deployment keeps it for the next time. */
  readonly isUsed?: boolean;
}

export interface ChoiceQuestion<T extends vscode.QuickPickItem> extends QuestionPlace {
  readonly placeholder: string;
  readonly items: readonly T[];
  readonly active?: T | undefined;
}

/**
 * Asks for a text; the input stays open when the window loses focus.
 * @throws {PromptClosedError} the prompt of a page closed
 */
export async function askText(question: TextQuestion): Promise<StepAnswer<string>> {
  const input = vscode.window.createInputBox();
  input.prompt = withoutLinks(question.prompt);
  const { asking } = question;
  const words = `${question.title}\n${question.prompt}`;
  const check = (value: string): void => {
    input.validationMessage = question.problemOf?.(value);
  };
  const halfTyped = asking?.typed?.get(words);
  input.value = halfTyped ?? question.value ?? '';
  if (halfTyped !== undefined) check(halfTyped);
  input.password = question.password ?? false;
  place(input, question);
  input.onDidChangeValue((value) => {
    if (asking !== undefined) (asking.typed ??= new Map()).set(words, value);
    check(value);
  });
  const answer = await answerOf(input, question, () => {
    input.validationMessage = question.problemOf?.(input.value);
    return input.validationMessage === undefined ? input.value : undefined;
  });
  if (typeof answer === 'string' && question.isUsed === true) asking?.typed?.delete(words);
  return answer;
}

/** Asks for any number of items; `picked` ones are selected at first. Undefined if the user cancels. */
export async function askChoices<T extends vscode.QuickPickItem>(
  question: ChoiceQuestion<T>,
): Promise<readonly T[] | undefined> {
  const { items } = question;
  const pick = vscode.window.createQuickPick<T>();
  Object.assign(pick, { items, canSelectMany: true });
  pick.selectedItems = items.filter(({ picked }) => picked === true);
  place(pick, question);
  const answer = await answerOf(pick, question, () => pick.selectedItems);
  return answer === back ? undefined : answer;
}

/**
 * Asks for one of several items; undefined if the user cancels, or goes back to the page. Asks nobody without a title.
 * @throws {PromptClosedError} the prompt of a page closed
 */
export async function askChoice<T extends vscode.QuickPickItem>(
  question: ChoiceQuestion<T> & { readonly step?: never },
): Promise<T | undefined> {
  if (question.title === '') return undefined;
  const answer = await askStepChoice(question);
  return answer === back ? undefined : answer;
}

/** Asks for one of several items, as `askChoice` does, in a step of several. */
export async function askStepChoice<T extends vscode.QuickPickItem>(
  question: ChoiceQuestion<T> & StepPlace,
): Promise<StepAnswer<T>> {
  const pick = vscode.window.createQuickPick<T>();
  pick.items = question.items;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (question.active !== undefined) pick.activeItems = [question.active];
  place(pick, question);
  return answerOf(pick, question, () => pick.selectedItems[0]);
}

/** Asks whether to change or remove an entry of a list. Without an answer, the list stays as it is. */
export async function changeEntry<T>(
  place: Omit<ChoiceQuestion<vscode.QuickPickItem>, 'items'>,
  entries: readonly T[],
  entry: T,
  ask: () => Promise<T | undefined>,
): Promise<readonly T[]> {
  const change = { label: vscode.l10n.t('$(edit) Change…') };
  const remove = { label: vscode.l10n.t('$(trash) Remove') };
  const choice = await askChoice<vscode.QuickPickItem>({ ...place, items: [change, remove] });
  if (choice === remove) return entries.filter((other) => other !== entry);
  const changed = choice === change ? await ask() : undefined;
  return changed === undefined ? entries : entries.map((other) => (other === entry ? changed : other));
}

/** The longest line of a message that a quick pick shows whole, in characters. */
const lineLimit = 78;

/** Rows that show a message in full. The first may be shorter than the others, to share its row with a heading. */
export function messageRows(
  message: string,
  icon: 'error' | 'warning' | 'info',
  firstLimit = lineLimit,
): readonly { readonly label: string; readonly alwaysShow: true }[] {
  return wrapLines(message, lineLimit, firstLimit).map((line, index) => ({
    label: `$(${index === 0 ? icon : 'blank'}) ${withoutIcons(line)}`,
    alwaysShow: true,
  }));
}

/** One step of several: `'next'` continues, `back` returns to the previous step, undefined cancels. */
export type Step = (place: { readonly step: number; readonly totalSteps: number }) => Promise<StepAnswer<'next'>>;

/**
 * Runs steps in order, by default from the first. Returns false if the user cancels.
 * Going back keeps earlier answers, because all steps share one draft.
 */
export async function runSteps(steps: readonly Step[], first = 0): Promise<boolean> {
  let index = first;
  for (let step = steps[index]; step !== undefined; step = steps[index]) {
    const answer = await step({ step: index + 1, totalSteps: steps.length });
    if (answer === undefined || (answer === back && index === 0)) return false;
    index += answer === back ? -1 : 1;
  }
  return true;
}

/** Shows a prompt until the user accepts an answer, goes back, or cancels. Without an answer, it stays open. */
async function answerOf<T>(
  prompt: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { asking }: StepPlace,
  accept: () => T | undefined,
): Promise<StepAnswer<T>> {
  try {
    return await new Promise<StepAnswer<T>>((resolve, reject) => {
      prompt.onDidAccept(() => {
        const answer = accept();
        if (answer !== undefined) resolve(answer);
      });
      prompt.onDidTriggerButton(() => resolve(back));
      prompt.onDidHide(() => (asking === undefined ? resolve(undefined) : reject(new PromptClosedError())));
      prompt.show();
    });
  } finally {
    // VS Code reuses one input box and keeps its last value; a secret must not stay there.
    if ('password' in prompt && prompt.password) prompt.value = '';
    // Disposing drops changes that hiding still sends.
    prompt.hide();
    prompt.dispose();
  }
}

function place(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, placeholder, step = 1, totalSteps, asking }: StepPlace & { readonly placeholder: string },
): void {
  input.title = shortened(title, longestTitle);
  input.placeholder = shortened(placeholder, longestTitle);
  input.ignoreFocusOut = true;
  if (step > 1 || asking !== undefined) input.buttons = [vscode.QuickInputButtons.Back];
  if (totalSteps === undefined) return;
  input.step = step;
  input.totalSteps = totalSteps;
}
