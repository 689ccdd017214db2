import { quickInput, run, told } from './window.ts';

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

/** Makes a connection the window's own. The rows of the one before may stand there until the service answers. */
export async function switchConnection(name: string): Promise<void> {
  const switched = run('switchConnection');
  await quickInput.choose(name);
  await switched;
}

/** Removes a connection with its key, as a person confirms it. */
export async function removeConnection(name: string): Promise<void> {
  await switchConnection(name);
  const removed = run('removeConnection');
  (await told.message(/^Remove the connection/)).press('Remove');
  await removed;
}
