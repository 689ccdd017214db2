import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, watch } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { stallFolderVariable } from '../support/stall.ts';

/**
 * Lets the runner of the tests see a window: when its tier stalls, the window leaves a screenshot and these words in
 * the folder that the runner makes then. Nothing happens in a run without the runner.
 */
export function answerWhenStalled(page: Page, words: () => Promise<readonly string[]>): Disposable {
  const folder = process.env[stallFolderVariable];
  if (folder === undefined) return { [Symbol.dispose]() {} };
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  const watcher = watch(parent, { persistent: false }, (_event, name) => {
    if (name !== path.basename(folder) || !existsSync(folder)) return;
    watcher.close();
    void answer(path.join(folder, randomUUID().slice(0, 8)), page, words);
  });
  return { [Symbol.dispose]: () => watcher.close() };
}

async function answer(file: string, page: Page, words: () => Promise<readonly string[]>): Promise<void> {
  // A window that is stuck may fail to do one and still do the other.
  const picture = await page.screenshot({ path: `${file}.png`, timeout: 3_000 }).then(
    () => `${file}.png`,
    (error: unknown) => `no screenshot: ${String(error)}`,
  );
  const shown = await words().catch((error: unknown) => [`no words: ${String(error)}`]);
  await writeFile(`${file}.txt`, [picture, ...shown].join('\n'));
}
