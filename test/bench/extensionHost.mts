import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { startBrowser } from '../host/browser.mts';
import type { Janitor } from '../host/janitor.mts';

/** Builds a script of `test/bench/vscode` for an extension host, and gives its path. */
export async function buildMeasurement(janitor: Janitor, name: string): Promise<string> {
  const script = path.join(janitor.folder, `${name}.js`);
  await build({
    entryPoints: [path.join(import.meta.dirname, 'vscode', `${name}.ts`)],
    outfile: script,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['vscode'],
  });
  return script;
}

/**
 * Opens the address of a workbench, and waits until its extension host has run the script that the address names.
 * `act` does what a person does there; `limit` is in milliseconds.
 */
export async function runInExtensionHost(
  janitor: Janitor,
  address: string,
  { limit = 120_000, act }: { readonly limit?: number; readonly act?: (page: Page) => Promise<void> } = {},
): Promise<void> {
  await using browser = await startBrowser({ janitor });
  const page = await browser.newPage();
  const printed: unknown[] = [];
  const ended = new Promise<number>((resolve, reject) => {
    void page.exposeFunction('codeAutomationExit', resolve);
    setTimeout(reject, limit, new Error(`The extension host did not end within ${limit / 1_000} seconds.`)).unref();
  });
  await page.exposeFunction('codeAutomationLog', (kind: string, values: unknown[]) => void printed.push(kind, values));
  const [exitCode] = await Promise.all([ended, page.goto(address).then(() => act?.(page))]);
  if (exitCode !== 0) throw new Error(`The extension host could not measure: ${JSON.stringify(printed)}`);
}

/** Without this VS Code activates a packaged extension while all others start, and not when it is to be measured. */
export async function removeActivationEvents(extension: string): Promise<void> {
  const file = path.join(extension, 'package.json');
  const manifest: object = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents: [] }));
}

/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
