import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SshHosts } from '../../../src/git/ssh.ts';
import { isRunning } from '../../host/processState.mts';

let folder: string;
const calls = () => path.join(folder, 'calls');

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ssh-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

/** Puts a program called ssh on the PATH, which notes how it was called. */
async function plant(script: string): Promise<SshHosts> {
  const bin = path.join(folder, 'bin');
  await rm(bin, { recursive: true, force: true });
  const program = path.join(await mkdtemp(bin), 'ssh');
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${calls()}'\n${script}\n`);
  await chmod(program, 0o755);
  vi.stubEnv('PATH', [path.dirname(program), process.env['PATH']].join(path.delimiter));
  return new SshHosts(folder);
}

const called = async () => (await readFile(calls(), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

/** Where ssh itself is; undefined on a computer without it. */
function installedSsh(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const ssh = installedSsh();

// A script stands in the place of ssh; the user's own configuration can't be replaced, because ssh ignores HOME.
describe.skipIf(process.platform === 'win32')('the hosts behind aliases', () => {
  it.skipIf(ssh === undefined)('are those that ssh would connect to', async () => {
    const config = path.join(folder, 'config');
    await writeFile(config, 'Host work *.work\n  HostName code.example\nHost %h.x\n  HostName %h.example\n');
    const hosts = await plant(`exec ${ssh} -F '${config}' "$@"`);
    expect(await Promise.all(['work', 'me.work', 'other.example'].map((name) => hosts.nameOf(name)))).toEqual([
      'code.example',
      'code.example',
      'other.example',
    ]);
  });

  it.skipIf(ssh === undefined)('stay unknown if the configuration has an error', async () => {
    const config = path.join(folder, 'config');
    await writeFile(config, 'Host work\n  Nonsense yes\n');
    expect(await (await plant(`exec ${ssh} -F '${config}' "$@"`)).nameOf('work')).toBeUndefined();
  });

  it('are asked for once', async () => {
    const hosts = await plant('echo user git; echo hostname code.example');
    expect(await Promise.all([hosts.nameOf('work'), hosts.nameOf('work')])).toEqual(['code.example', 'code.example']);
    expect(await hosts.nameOf('work')).toBe('code.example');
    expect(await called()).toEqual(['-G -- work']);
  });

  it('are asked for again if ssh failed', async () => {
    const hosts = await plant(`echo hostname code.example; test -e '${folder}/mended'`);
    expect(await Promise.all([hosts.nameOf('work'), hosts.nameOf('work')])).toEqual([undefined, undefined]);
    expect(await called()).toHaveLength(1);
    await writeFile(path.join(folder, 'mended'), '');
    expect(await hosts.nameOf('work')).toBe('code.example');
  });

  it('are asked for at most 100 times', async () => {
    const hosts = await plant('echo hostname code.example');
    const names = Array.from({ length: 102 }, (_, place) => `work-${place}`);
    for (const name of names) await hosts.nameOf(name);
    expect(await called()).toHaveLength(100);
    expect([await hosts.nameOf('work-0'), await hosts.nameOf('work-101')]).toEqual(['code.example', undefined]);
  });

  it.each(['-oProxyCommand=touch', '--', '', ' work', 'a b', 'a;b', '$(a)', 'a\nb', 'a/b', 'me@work', '[::1]', 'ä'])(
    'are not asked for with the name %j',
    async (name) => {
      const hosts = await plant('echo hostname code.example');
      expect(await hosts.nameOf(name)).toBeUndefined();
      expect(await called()).toEqual([]);
    },
  );

  it.each(['echo hostname -oProxyCommand=x', "echo 'hostname a b'", 'echo hostname', 'echo other', 'exit 0'])(
    'are not %j',
    async (script) => {
      expect(await (await plant(script)).nameOf('work')).toBeUndefined();
    },
  );

  it('are given up on after five seconds, with everything that ssh started', async () => {
    const hosts = await plant(`(trap '' TERM; sleep 600) & echo $! > '${folder}/child'; wait`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const name = hosts.nameOf('work');
    const child = await vi.waitUntil(async () => {
      const started = await readFile(path.join(folder, 'child'), 'utf8').catch(() => '');
      return started.endsWith('\n') ? Number(started) : undefined;
    });
    vi.advanceTimersByTime(5000);
    expect(await name).toBeUndefined();
    await vi.waitUntil(() => !isRunning(child));
  });

  it('are given up on if ssh prints too much', async () => {
    const hosts = await plant('echo hostname code.example; while :; do echo forwardagent no; done');
    expect(await hosts.nameOf('work')).toBeUndefined();
  });

  it('are unknown without ssh', async () => {
    vi.stubEnv('PATH', '/nowhere');
    expect(await new SshHosts(folder).nameOf('work')).toBeUndefined();
  });

  it('are never read by a program of the working folder', async () => {
    const program = path.join(folder, 'ssh');
    await writeFile(program, `#!/bin/sh\necho > '${calls()}'\n`);
    await chmod(program, 0o755);
    vi.stubEnv('PATH', ['', '.', '/nowhere'].join(':'));
    expect(await new SshHosts(folder).nameOf('work')).toBeUndefined();
    await expect(readFile(calls())).rejects.toThrow('ENOENT');
  });
});
