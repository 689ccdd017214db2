import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RegisteredRepositories } from '../../../../src/localService/git/repositories.ts';
import { createLocalRepository } from '../../../support/gitRepositories.ts';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'repositories-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

// A shell script stands in the place of git.
it.skipIf(process.platform === 'win32')('unregisters a folder while git is still reading it', async () => {
  const app = path.join(folder, 'app');
  await createLocalRepository(app, { 'graph.json': '{}' });
  const git = path.join(folder, 'slow-git');
  const go = path.join(folder, 'go');
  await writeFile(git, `#!/bin/sh\nwhile [ ! -e "${go}" ]; do sleep 0.01; done\nexec git "$@"\n`);
  await chmod(git, 0o755);
  const registered = new RegisteredRepositories({ path: git, workingFolder: folder });
  const offered = registered.take({ folders: [app] });
  const takenBack = registered.take({ restricted: [app] });
  await writeFile(go, '');
  expect(await offered).toEqual([]);
  await takenBack;
  expect(registered.folders()).toEqual([]);
});
