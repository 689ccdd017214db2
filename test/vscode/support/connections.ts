import { expect, quickInput, run, told } from './window.ts';

export interface TypedConnection {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
}

/** Adds a connection to a service of the standard flavor by answering its questions, and makes it the window's own. */
export async function addConnection({ name, url, apiKey }: TypedConnection): Promise<void> {
  const added = run('addConnection');
  await quickInput.choose('Deployment service');
  await quickInput.answer('Add Connection (2/4)', url);
  await quickInput.answer('Add Connection (3/4)', name);
  await quickInput.answer('Add Connection (4/4)', apiKey);
  await added;
}

/** Removes a connection with its key, as a person confirms it. */
export async function removeConnection(name: string): Promise<void> {
  const removed = run('removeConnection');
  await expect.poll(() => quickInput.isOpen() || told.messages.length > 0).toBe(true);
  if (quickInput.isOpen()) await quickInput.choose(name);
  (await told.message(name)).press('Remove');
  await removed;
}
