import * as vscode from 'vscode';
import { shortened, withoutLinks } from '../../core/text/text.ts';

/** Maximum number of characters of a title or placeholder. */
const longestTitle = 200;

/** The answer that goes back to the previous step. */
export const back = Symbol('back');

/** A step's answer: a value, `back`, or undefined for Escape. */
export type StepAnswer<T> = T | typeof back | undefined;

/** Where a question belongs: its title, and its step if it is one of several. */
export interface StepPlace {
  readonly title: string;
  /** Counted from 1; omitted for a single prompt. */
  readonly step?: number;
  readonly totalSteps?: number;
}

export interface TextQuestion extends StepPlace {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  /** Masks the input. */
  readonly password?: boolean;
  /** Returns why a text can't be used; undefined if it can. */
  readonly problemOf?: (text: string) => string | undefined;
  /** Returns a remark on a text while it is typed, which can be used all the same. */
  readonly noteOf?: (text: string) => string | undefined;
}

export interface ChoiceQuestion<T extends vscode.QuickPickItem> extends StepPlace {
  readonly placeholder: string;
  readonly items: readonly T[];
  readonly active?: T | undefined;
}

/** Asks for a text; the input stays open when the window loses focus. */
export async function askText(question: TextQuestion): Promise<StepAnswer<string>> {
  const input = vscode.window.createInputBox();
  input.title = shortened(question.title, longestTitle);
  input.prompt = withoutLinks(question.prompt);
  input.placeholder = shortened(question.placeholder, longestTitle);
  input.value = question.value ?? '';
  input.password = question.password ?? false;
  place(input, question);
  return new Promise((resolve) => {
    const finish = (answer: StepAnswer<string>): void => {
      resolve(answer);
      // VS Code reuses one input box and keeps its last value; a secret must not stay there.
      if (question.password === true) input.value = '';
      input.hide();
      input.dispose();
    };
    let isRejected = false;
    input.onDidChangeValue((value) => {
      // While the user types, recheck only a text that was rejected.
      const problem = isRejected ? question.problemOf?.(value) : undefined;
      input.validationMessage = problem ?? noteOn(question, value);
    });
    input.onDidAccept(() => {
      const problem = question.problemOf?.(input.value);
      isRejected = problem !== undefined;
      if (problem === undefined) finish(input.value);
      else input.validationMessage = problem;
    });
    input.onDidTriggerButton(() => finish(back));
    input.onDidHide(() => finish(undefined));
    input.show();
  });
}

function noteOn({ noteOf }: TextQuestion, value: string): vscode.InputBoxValidationMessage | undefined {
  const message = noteOf?.(value);
  return message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

/** Asks for any number of items; `picked` ones are selected at first. Undefined if the user cancels. */
export async function askChoices<T extends vscode.QuickPickItem>({
  title,
  placeholder,
  items,
}: ChoiceQuestion<T>): Promise<readonly T[] | undefined> {
  const pick = vscode.window.createQuickPick<T>();
  Object.assign(pick, { title, placeholder, items, canSelectMany: true, ignoreFocusOut: true });
  pick.selectedItems = items.filter(({ picked }) => picked === true);
  return new Promise((resolve) => {
    const finish = (answer: readonly T[] | undefined): void => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidAccept(() => finish(pick.selectedItems));
    pick.onDidHide(() => finish(undefined));
    pick.show();
  });
}

/** Asks for one of several items. */
export async function askChoice<T extends vscode.QuickPickItem>(question: ChoiceQuestion<T>): Promise<StepAnswer<T>> {
  const pick = vscode.window.createQuickPick<T>();
  pick.title = shortened(question.title, longestTitle);
  pick.placeholder = shortened(question.placeholder, longestTitle);
  pick.items = question.items;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (question.active !== undefined) pick.activeItems = [question.active];
  place(pick, question);
  return new Promise((resolve) => {
    const finish = (answer: StepAnswer<T>): void => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item !== undefined) finish(item);
    });
    pick.onDidTriggerButton(() => finish(back));
    pick.onDidHide(() => finish(undefined));
    pick.show();
  });
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
    if (answer === undefined) return false;
    index += answer === back ? -1 : 1;
  }
  return true;
}

function place(
  input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] },
  { step, totalSteps }: StepPlace,
): void {
  input.ignoreFocusOut = true;
  if (step === undefined || totalSteps === undefined) return;
  input.step = step;
  input.totalSteps = totalSteps;
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
}
