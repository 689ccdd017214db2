import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { parseCommandLine } from '../../../src/localService/commandLine.ts';
import { joinLiveService } from '../../../src/localService/liveService.ts';
import { writeServiceFile } from '../../../src/localService/serviceFile.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

test('a stranger at the port of a service that ended is not taken for it and gets no key', async ({
  onTestFinished,
}) => {
  await using data = await temporaryFolder();
  const seen: IncomingHttpHeaders[] = [];
  const stranger = createServer((request, response) => {
    seen.push(request.headers);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    stranger.close();
    stranger.closeAllConnections();
  });
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  // The process id of the service belongs to another process by now.
  await writeServiceFile(data.path, { url: `http://127.0.0.1:${port}`, apiKey: 'canary-key', pid: process.pid });
  expect(await joinLiveService(parseCommandLine(['--data', data.path]))).toBeUndefined();
  expect(seen.length).toBeGreaterThan(0);
  expect(JSON.stringify(seen)).not.toContain('canary-key');
});
