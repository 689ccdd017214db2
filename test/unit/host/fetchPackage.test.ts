import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchPackage } from '../../host/codeServerInstall.mts';
import { tarOf } from '../../support/tar.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../../support/temporaryFolder.ts';

const pinned = archiveOf('pinned');
const integrity = `sha512-${createHash('sha512').update(pinned).digest('base64')}`;

/** What the registry of the test gives when it is asked for the package's archive. */
let served: Buffer;
let folder: TemporaryFolder;

const registry = createServer((request, response) => {
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const dist = { tarball: `${address}/thing/-/thing-1.0.0.tgz` };
  const versions = { '1.0.0': { name: 'thing', version: '1.0.0', dist } };
  response.end(
    request.url?.endsWith('.tgz')
      ? served
      : JSON.stringify({ name: 'thing', 'dist-tags': { latest: '1.0.0' }, versions }),
  );
});

beforeEach(async () => {
  folder = await temporaryFolder();
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(registry.address() as AddressInfo).port}`);
  vi.stubEnv('npm_config_noproxy', '127.0.0.1');
  vi.stubEnv('npm_config_cache', path.join(folder.path, 'cache'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => registry.close(resolve).closeAllConnections());
  await folder.remove();
});

describe('A pinned package', () => {
  it('is unpacked when the registry gives the archive with its hash', async () => {
    served = pinned;
    await fetchPackage({ name: 'thing', version: '1.0.0', integrity }, folder.path);
    expect(await readFile(path.join(folder.path, 'package/text'), 'utf8')).toBe('pinned');
  }, 60_000);

  it('is refused when the registry gives another archive', async () => {
    served = archiveOf('another');
    const fetching = fetchPackage({ name: 'thing', version: '1.0.0', integrity }, folder.path);
    await expect(fetching).rejects.toThrow('is not used');
    expect(existsSync(path.join(folder.path, 'package'))).toBe(false);
  }, 60_000);
});

function archiveOf(text: string): Buffer {
  const manifest = JSON.stringify({ name: 'thing', version: '1.0.0' });
  return gzipSync(tarOf({ 'package/package.json': manifest, 'package/text': text }));
}
