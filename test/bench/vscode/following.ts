// Runs inside an extension host; test/bench/following.bench.mts builds and starts it.
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { Shown } from '../../../src/extension.ts';
import { createFromImage, holdRevision } from '../../support/serviceSeed.ts';
import type { SeededDeployment, ServiceAccess } from '../../support/serviceSeed.ts';

/** What a deployment of about two minutes goes through: its status, the word of the status bar, and its seconds. */
const timetable = [
  ['QUEUED', /: Queued/, 5],
  ['AWAITING_BUILD', /: Waiting for build/, 10],
  ['BUILDING', /: Building/, 42],
  ['AWAITING_DEPLOY', /: Waiting for deploy/, 10],
  ['DEPLOYING', /: Deploying/, 39],
  ['DEPLOYED', /Deployed|live/, 0],
] as const;

export interface FollowingMeasures {
  readonly isFocused: boolean;
  /** From a change of the status to the words, in milliseconds. */
  readonly delays: readonly number[];
  /** The heap of the extension host before and after, in bytes, and how many follows ended. */
  readonly heap: readonly [before: number, after: number];
  readonly ended: number;
}

/** Follows two deployments one after the other, and then fifty in a compressed hour. */
export async function run(): Promise<void> {
  const file = process.env['FOLLOWING_FILE'] ?? '';
  const access: ServiceAccess = JSON.parse(process.env['FOLLOWING_SERVICE'] ?? '{}');
  const extension = vscode.extensions.getExtension<Shown>('deployment-manager.deployment-manager');
  if (extension === undefined) throw new Error('The extension is missing.');
  const shown = await extension.activate();
  await command('startLocalService');
  const delays = [...(await followOne(access, shown, 'first')), ...(await followOne(access, shown, 'second'))];
  const { heap, ended } = await followFifty(access, shown);
  const measures: FollowingMeasures = { isFocused: vscode.window.state.focused, delays, heap, ended };
  writeFileSync(file, JSON.stringify(measures));
}

async function followOne(access: ServiceAccess, shown: Shown, name: string): Promise<number[]> {
  const deployment = await createFromImage(access, name);
  await holdRevision(access, deployment.latest_revision_id, 'CREATING');
  await follow(shown, [deployment]);
  await wait(5_000);
  const delays: number[] = [];
  for (const [status, words, seconds] of timetable) {
    const changedAt = performance.now();
    await holdRevision(access, deployment.latest_revision_id, status);
    delays.push((await whenShown(shown.statusBar, words)) - changedAt);
    await wait(Math.max(0, seconds * 1_000 - (performance.now() - changedAt)));
  }
  await command('stopFollowing', await rowOf(shown, deployment));
  return delays;
}

/** When the status bar shows words. It is looked at often, because the editor tells nobody of changes. */
async function whenShown(item: vscode.StatusBarItem, words: RegExp): Promise<number> {
  while (!words.test(item.text)) await wait(5);
  return performance.now();
}

/** An hour, twenty times as fast: fifty deployments of 14 minutes begin within its first three quarters. */
async function followFifty(access: ServiceAccess, shown: Shown): Promise<Pick<FollowingMeasures, 'heap' | 'ended'>> {
  const settings = vscode.workspace.getConfiguration('deploymentManager');
  await settings.update('follow.minIntervalSeconds', 0.1, vscode.ConfigurationTarget.Global);
  await settings.update('follow.maxIntervalSeconds', 2, vscode.ConfigurationTarget.Global);
  // What is loaded and compiled with the first deployments stays in any case.
  await followAll(access, shown, 5, 5_000);
  const before = await heapUsed();
  const ended = await followAll(access, shown, 50, 135_000);
  return { heap: [before, await heapUsed()], ended };
}

/** Follows deployments that begin within some time to their ends, and dismisses them; how many ended. */
async function followAll(access: ServiceAccess, shown: Shown, count: number, duration: number): Promise<number> {
  const begun = performance.now();
  const followed: SeededDeployment[] = [];
  for (let place = 0; place < count; place += 1) {
    await wait(Math.max(0, (place * duration) / count - (performance.now() - begun)));
    const deployment = await createFromImage(access, `one-of-${count}-${place}`);
    await follow(shown, [deployment]);
    followed.push(deployment);
  }
  // The last one is the newest, and the entry then shows only what ended.
  while (/deploying|: (?:Creating|Queued|Waiting|Building|Deploying|Checking)/.test(shown.statusBar.text))
    await wait(50);
  const ended = followed.length;
  for (const deployment of followed) await command('stopFollowing', await rowOf(shown, deployment));
  return ended;
}

async function follow(shown: Shown, deployments: readonly SeededDeployment[]): Promise<void> {
  await command('refreshDeployments');
  for (const deployment of deployments) await command('followDeployment', await rowOf(shown, deployment));
}

async function rowOf({ trees }: Shown, { id, name }: SeededDeployment): Promise<object> {
  const rows = (await trees.deployments.getChildren()) ?? [];
  const row = rows.find((each) => 'ids' in each && Array.isArray(each.ids) && each.ids[0] === id);
  if (row === undefined) throw new Error(`${name} isn't in the list.`);
  return row;
}

async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('There is no garbage collector.');
  // What waits for a timer or an answer is let go first.
  await wait(5_000);
  for (let count = 0; count < 3; count += 1) {
    Reflect.apply(collect, undefined, []);
    await wait(200);
  }
  return process.memoryUsage().heapUsed;
}

async function command(name: string, ...parameters: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`deploymentManager.${name}`, ...parameters);
}
