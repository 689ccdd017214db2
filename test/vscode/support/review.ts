import { words } from '../../support/words.ts';
import { expect, quickInput, run } from './window.ts';

/** What is asked for the name. */
export const namePrompt = 'The name of the deployment.';

/** Opens the review of the current repository, works in it and leaves it; nothing is sent. */
export async function inReview<T>(work: () => T | Promise<T>): Promise<T> {
  const { ended } = await openReview();
  const result = await work();
  await quickInput.cancel();
  await ended;
  return result;
}

/** Opens the review of the current repository, without what was left in it before. */
export async function openReview(): Promise<{ readonly ended: Promise<void> }> {
  const ended = run('deployCurrentRepository');
  await checked();
  if (rows().includes(words.review.startOver)) {
    await quickInput.choose(words.review.startOver);
    await expect.poll(rows).not.toContain(words.review.startOver);
    await checked();
  }
  return { ended };
}

/** Waits until the review is asked and has been checked. Where the branch is deployed already, asks for a new one. */
export async function checked(title: string = words.review.title): Promise<void> {
  const isOffered = (): boolean => quickInput.rows().some((row) => row.startsWith(words.deployed.deployNew));
  await expect.poll(() => isOffered() || quickInput.title() === title).toBe(true);
  if (isOffered()) await quickInput.choose(words.deployed.deployNew);
  await quickInput.asked(title);
  await expect.poll(rows).toMatch(/^(?:Deploy |Can't be deployed yet)/);
}

/** The rows of the question that is asked, a line each. */
export function rows(): string {
  return quickInput.rows().join('\n');
}

/** Waits until the checked review says this; a long sentence takes several rows. */
export async function reviewSays(text: string): Promise<void> {
  await checked();
  await expect.poll(() => quickInput.rows().join(' ')).toContain(text);
}

/** Chooses a field of the checked review. */
export async function edit(field: string | RegExp, title?: string): Promise<void> {
  await checked(title);
  await quickInput.choose(field);
}

/** Enters the path of the config file in the review. */
export async function enterConfigPath(path: string): Promise<void> {
  await edit('Config file');
  await quickInput.choose('Enter a path…');
  await answer('Relative to the root of the repository', path);
}

/** Adds a secret to the list of secrets. */
export async function addSecret(name: string, value: string): Promise<void> {
  await quickInput.choose('Add Secret…');
  await quickInput.answer('Add Secret (1/2)', name);
  await quickInput.answer(`Value of ${name} (2/2)`, value);
}

/** The row of a field with its value, such as `Branch main`, but not its origin; undefined where it has none. */
export async function valueOf(field: string): Promise<string | undefined> {
  await checked();
  return quickInput
    .rows()
    .find((row) => row.startsWith(`${field} `))
    ?.replace(/ · [^·]*$/, '');
}

/** Answers the question about the warnings of the review, which is asked once. */
export async function deployAnyway(question: string): Promise<void> {
  await quickInput.asked(question);
  await quickInput.choose('Deploy Anyway');
}

/** Answers the question with these words; the list before it has the same title. */
export async function answer(prompt: string, text: string): Promise<void> {
  await expect.poll(() => quickInput.message()).toContain(prompt);
  await quickInput.fill(text);
  await quickInput.accept();
}
