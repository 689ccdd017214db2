import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A workbench in a test', () => {
  let temporary: TemporaryFolder;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      settings: { 'explorer.compactFolders': false },
      extension: { folder: path.resolve(import.meta.dirname, '../fixtures/emptyExtension') },
    });
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  it('shows the files of the folder as a tree', async () => {
    await expect
      .poll(() => workbench.tree('Files Explorer'))
      .toBe('▸ src\n- .env.example\n- .gitignore\n- graph.json\n- pyproject.toml\n- README.md');
    await workbench.row('Files Explorer', 'src').click();
    await expect.poll(() => workbench.tree('Files Explorer')).toContain('▾ src\n  ▾ agent\n    - __init__.py');
  });

  it('runs a command that asks, and reads the rows of its quick pick', async () => {
    // The command says that there is no repository until the git extension has found it.
    await workbench.statusBarEntry('main').waitFor();
    await workbench.runCommand('Git: Checkout to...');
    await expect.poll(() => workbench.quickInput.rows()).toContainEqual(expect.stringMatching(/^main [0-9a-f]{7}$/));
    await workbench.screenshot('harness-quick-pick');
    await workbench.quickInput.cancel();
    await workbench.quickInput.box.waitFor({ state: 'detached' });
  });

  it('shows the branch in the status bar, also after a reload', async () => {
    await workbench.reload();
    await workbench.statusBarEntry('main').waitFor();
    expect(await workbench.statusBar()).toContain('main');
    await workbench.screenshot('harness-status-bar');
  });
});
