import type { Workbench } from './workbench.ts';

export interface TypedConnection {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
}

/** Adds a connection to a service of the standard flavor, as a person does it: from the palette, by typing. */
export async function addConnection(workbench: Workbench, { name, url, apiKey }: TypedConnection): Promise<void> {
  const { quickInput } = workbench;
  await workbench.runCommand('Deployment Manager: Add Connection…');
  await quickInput.choose('Deployment service');
  await quickInput.answer('Add Connection (2/4)', url);
  await quickInput.answer('Add Connection (3/4)', name);
  await quickInput.answer('Add Connection (4/4)', apiKey);
  await quickInput.box.waitFor({ state: 'hidden' });
  // It is stored after the last answer, and can be used when the view names it.
  await workbench.page.locator('.pane-header .description', { hasText: name }).first().waitFor();
}
