import { words } from '../../support/words.ts';
import type { Workbench } from './workbench.ts';

export interface TypedConnection {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
}

/** Adds a connection to a service of the standard flavor, as a person does it: from the palette, by typing. */
export async function addConnection(workbench: Workbench, { name, url, apiKey }: TypedConnection): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand(words.command('addConnection'));
  await quickInput.choose(words.deploymentService);
  await quickInput.answer(words.connectionStep(2), url);
  await quickInput.answer(words.connectionStep(3), name);
  await quickInput.answer(words.connectionStep(4), apiKey);
  await quickInput.box.waitFor({ state: 'hidden' });
  // It is stored after the last answer, and can be used when the view names it.
  await workbench.page.locator('.pane-header .description', { hasText: name }).first().waitFor();
}

/** Enters the key of the only connection in the settings. */
export async function enterKey(workbench: Workbench, apiKey: string): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand(words.command('setApiKey'));
  await quickInput.answer(words.setApiKey, apiKey);
  await quickInput.box.waitFor({ state: 'hidden' });
}
