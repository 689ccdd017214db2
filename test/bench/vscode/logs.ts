// Runs inside an extension host; test/bench/logs.bench.mts builds and starts it.
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';

export interface LogMeasures {
  readonly isFocused: boolean;
  /** How long each log took to open, in milliseconds. */
  readonly opened: readonly number[];
  /** How long each page of older lines took, in milliseconds. */
  readonly older: readonly number[];
  /** How many lines the last log has in the end. */
  readonly lines: number;
  readonly follow: { readonly log: string; readonly milliseconds: number };
}

/** Opens logs one after the other, loads all older lines of the last one, and follows it. */
export async function run(): Promise<void> {
  const ids = (process.env['LOGS_IDS'] ?? '').split(' ');
  await command('setApiKey', { inUse: true });
  await command('refreshDeployments');
  const opened: number[] = [];
  for (const deploymentId of ids) {
    opened.push(await timed(() => command('showApplicationLog', { connection: 'Bench', deploymentId })));
    await wait(500);
  }
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const older: number[] = [];
  for (let page = 0; page < 9; page += 1) {
    const before = lines();
    older.push(
      await timed(async () => {
        await command('loadOlderLines', uri);
        while (lines() === before) await wait(5);
      }),
    );
  }
  const followed = await timed(() => wait(20_000));
  const measures: LogMeasures = {
    isFocused: vscode.window.state.focused,
    opened,
    older,
    lines: lines(),
    follow: { log: `/v1/projects/${ids.at(-1)}/deploy_logs`, milliseconds: followed },
  };
  writeFileSync(process.env['LOGS_FILE'] ?? '', JSON.stringify(measures));
}

const lines = (): number => vscode.window.activeTextEditor?.document.lineCount ?? 0;

async function timed(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

async function command(id: string, ...parameters: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`deploymentManager.${id}`, ...parameters);
}
