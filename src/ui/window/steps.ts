import * as vscode from 'vscode';
import { shortened, withoutLinks } from '../../core/text/text.ts';

/** The most of a title or a placeholder that fits beside its question, in characters. */
const longestTitle = 200;

/** The answer of a person who wants to go to the step before. */
export const back = Symbol('back');

/** What a step gives: an answer, the wish to go back, or undefined for Escape. */
export type StepAnswer<T> = T | typeof back | undefined;

interface StepPlace {
  readonly title: string;
  /** From 1; left out for a single question. */
  readonly step?: number;
  readonly totalSteps?: number;
}

export interface TextQuestion extends StepPlace {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  /** Masks what is typed. */
  readonly password?: boolean;
  /** Says what is wrong with a text, in words; undefined when it can be used. */
  readonly problemOf?: (text: string) => string | undefined;
}

export interface ChoiceQuestion<T extends vscode.QuickPickItem> extends StepPlace {
  readonly placeholder: string;
  readonly items: readonly T[];
  readonly active?: T | undefined;
}

/** Asks for a text; what is typed survives a change of window. */
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
      // The editor keeps its one input box, and in it what was typed last; a secret must not stay there.
      if (question.password === true) input.value = '';
      input.hide();
      input.dispose();
    };
    input.onDidChangeValue((value) => {
      // While typing, only a text that was refused before is judged again.
      if (input.validationMessage !== undefined && input.validationMessage !== '') {
        input.validationMessage = question.problemOf?.(value);
      }
    });
    input.onDidAccept(() => {
      const problem = question.problemOf?.(input.value);
      if (problem === undefined) finish(input.value);
      else input.validationMessage = problem;
    });
    input.onDidTriggerButton(() => finish(back));
    input.onDidHide(() => finish(undefined));
    input.show();
  });
}

/** Asks for any number of items; those that are `picked` are ticked at first. Undefined when the person leaves. */
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

/** One question of several: `'next'` goes on, `back` returns to the one before, undefined leaves. */
export type Step = (place: { readonly step: number; readonly totalSteps: number }) => Promise<StepAnswer<'next'>>;

/**
 * Runs steps one after the other. Going back keeps what was answered, because each step reads and writes the same
 * draft. Returns false when the person left, so that nothing is done. Starts at the first step unless told otherwise.
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
