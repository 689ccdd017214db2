import { deploymentPage } from '../e2e/support/deploymentPage.ts';
import type { Workbench } from '../e2e/support/workbench.ts';
import { commitFiles, createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { median } from './extensionHost.mts';
import { openOnLocalService } from './localServiceWindow.mts';

export const name = 'bringLive';

const rounds = 5;
/** What a person presses. */
const keys = ['ControlOrMeta+Shift+F8', 'Enter'];

/** Prints what it takes from a commit until the status bar says that it is being deployed. */
export async function run(print: (line: string) => void): Promise<void> {
  await using temporary = await temporaryFolder();
  const { folder } = await createSampleRepository(temporary.path);
  const workbench = await openOnLocalService(folder);
  try {
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await (await deploymentPage(workbench, words.page.titleOf('sample-agent'))).deploy.click();
    await workbench.statusBarEntry(/sample-agent: main @ \w+ is live/).waitFor();
    const waits: number[] = [];
    for (let round = 1; round <= rounds; round += 1) waits.push(await bringLive(workbench, folder, round));
    print(`from a commit to its first status in the status bar, ${rounds} pushes to the local service`);
    print(`  key presses ${keys.length}`);
    print(`  ms: median ${median(waits).toFixed(0)}, slowest ${Math.max(...waits).toFixed(0)}`);
  } finally {
    await workbench.stop();
  }
}

/** Commits, presses the keys, and gives the milliseconds until the status bar says a status of the new revision. */
async function bringLive(workbench: Workbench, folder: string, round: number): Promise<number> {
  await commitFiles(folder, { 'notes.md': `${round}\n` }, `Commit ${round}`);
  const begin = performance.now();
  const [open = '', push = ''] = keys;
  await workbench.page.keyboard.press(open);
  await workbench.quickInput.row(words.deployed.push('1 commit', 'sample-agent')).waitFor();
  await workbench.page.keyboard.press(push);
  const { creating, building, deploying } = words.status;
  await workbench
    .statusBarEntry(new RegExp(`sample-agent: (?:${creating}|Queued|Waiting|${building}|${deploying})`))
    .waitFor();
  const waited = performance.now() - begin;
  await workbench.statusBarEntry(/sample-agent: main @ \w+ is live/).waitFor();
  return waited;
}
