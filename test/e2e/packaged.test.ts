import { beforeAll, describe, expect, it } from 'vitest';
import { hireJanitor } from '../host/janitor.mts';
import type { Janitor } from '../host/janitor.mts';
import { packageExtension } from '../host/packageExtension.mts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { words } from '../support/words.ts';
import { deploymentPage, titledFrame } from './support/deploymentPage.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('The installed extension', () => {
  const resources = opened();
  let janitor: Janitor;
  let vsix: string;

  beforeAll(async () => {
    janitor = resources.use(await hireJanitor());
    // Made as `npm run package` makes it.
    ({ vsix } = await packageExtension(janitor));
  });

  describe.each(['newest', 'oldest'] as const)('in the %s VS Code', (release) => {
    const window = opened();
    let workbench: Workbench;

    beforeAll(async () => {
      const { folder } = await createSampleRepository(`${janitor.folder}/${release}`);
      workbench = window.use(
        await openWorkbench({
          folder,
          release,
          extension: { vsix },
          machineSettings: { 'deploymentManager.localService.stepMilliseconds': 50 },
        }),
      );
    });

    failuresShowTheWindow(() => workbench);

    it('starts its local service, deploys the open repository and shows it live', async () => {
      await workbench.openContainer(words.container);
      await workbench.page.getByRole('button', { name: words.useLocalService }).click();
      await workbench.page.getByText(words.nothingDeployed).waitFor();
      await workbench.runCommand(words.command('deployCurrentRepository'));
      await (await deploymentPage(workbench, words.page.titleOf('sample-agent'))).deploy.click();
      await expect
        .poll(() => workbench.tree(words.views.deployments))
        .toMatch(
          new RegExp(`^▾ ${words.row.workspaceGroup}\\n {2}▸ sample-agent .*${words.row.live('[0-9a-f]{7}')} · `),
        );
      await workbench
        .statusBarEntry(new RegExp(`^\\s*${words.following.isLive('sample-agent: main @ [0-9a-f]{7}')}\\s*$`))
        .waitFor();
      await workbench.screenshot(`packaged-${release}`);
    });

    it('opens its resource form, whose script and style sheet are in the package', async () => {
      await workbench.runCommand(words.command('editResources'));
      const form = await titledFrame(workbench, words.form.title);
      await form.locator('#field-min_scale').fill('2');
      await form.locator('#field-cpu').fill('1.5');
      await form.getByRole('region', { name: words.form.reserves }).getByText(words.form.cores(3)).first().waitFor();
      expect(await form.locator('main').evaluate((main) => getComputedStyle(main).maxWidth)).toBe('760px');
      await workbench.screenshot(`packaged-form-${release}`);
    });
  });
});
