import { openWorkbench } from '../e2e/support/workbench.ts';
import type { Workbench } from '../e2e/support/workbench.ts';
import { words } from '../support/words.ts';

/** Opens a folder in a window that uses the local service, on which nothing is deployed yet. */
export async function openOnLocalService(folder: string): Promise<Workbench> {
  const workbench = await openWorkbench({ folder });
  await workbench.openContainer(words.container);
  await workbench.page.getByRole('button', { name: words.useLocalService }).click();
  await workbench.page.getByText(words.nothingDeployed).waitFor();
  return workbench;
}
