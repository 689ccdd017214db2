import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openBrowser } from '../../host/openBrowser.mts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

// The programs that open an address on macOS and Windows cannot be replaced by one on the PATH.
describe.runIf(process.platform === 'linux')('npm start', () => {
  it("opens the address in the person's own browser", async () => {
    await using folder = await temporaryFolder();
    const opened = path.join(folder.path, 'opened');
    await writeFile(path.join(folder.path, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$*" > ${opened}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder.path}:${process.env['PATH']}`);
    vi.stubEnv('DISPLAY', ':0');
    vi.stubEnv('CI', undefined);
    vi.stubEnv('CHROME_PATH', '/a/browser/of/the/tests');
    openBrowser('http://127.0.0.1:1/?folder=/a&tkn=b');
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe('http://127.0.0.1:1/?folder=/a&tkn=b');
  });
});
