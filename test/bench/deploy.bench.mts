import { deploymentPage } from '../e2e/support/deploymentPage.ts';
import type { Workbench } from '../e2e/support/workbench.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { median } from './extensionHost.mts';
import { openOnLocalService } from './localServiceWindow.mts';

export const name = 'deploy';

const rounds = 10;

/** Prints how long a person waits from choosing Deploy until the status bar says the first status. */
export async function run(print: (line: string) => void): Promise<void> {
  await using temporary = await temporaryFolder();
  const { folder } = await createSampleRepository(temporary.path);
  const workbench = await openOnLocalService(folder);
  try {
    const waits: number[] = [];
    for (let round = 1; round <= rounds; round += 1) waits.push(await deploy(workbench, round));
    print(`from Deploy to the first status in the status bar, ${rounds} deployments on the local service, in ms`);
    print(`  median ${median(waits).toFixed(0)}, slowest ${Math.max(...waits).toFixed(0)}`);
  } finally {
    await workbench.stop();
  }
}

/** Deploys under a name of its own and gives the milliseconds until the status bar names it with a status. */
async function deploy(workbench: Workbench, round: number): Promise<number> {
  const { quickInput } = workbench;
  const deployment = `agent-${round}`;
  await workbench.runCommand('Deployment Manager: Deploy Current Repository…');
  if (round > 1) {
    await quickInput
      .row(/main is up to date/)
      .first()
      .waitFor();
    // The last of many rows is out of sight.
    await quickInput.fill(words.deployed.deployNew);
    await quickInput.choose(words.deployed.deployNew);
  }
  // From the second round on, the name of the last one is suggested, made free.
  const suggested = round > 1 ? `agent-${round - 1}-2` : 'sample-agent';
  const begun = await deploymentPage(workbench, words.page.titleOf(suggested));
  await begun.field(words.page.fields.name).fill(deployment);
  const { deploy: button, frame } = await deploymentPage(workbench, words.page.titleOf(deployment));
  await button.waitFor();
  const begin = performance.now();
  await button.click();
  // The first answer to a poll brings a status; before it the entry says that it is asking.
  await workbench.statusBarEntry(new RegExp(`${deployment}: (?!Asking)`)).waitFor();
  const waited = performance.now() - begin;
  await frame.getByText(/main @ \w+ is live/).waitFor();
  await workbench.runCommand('View: Close Editor');
  return waited;
}
