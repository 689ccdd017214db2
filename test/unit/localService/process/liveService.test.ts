import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { writeServiceFile } from '../../../../src/api/localService.ts';
import { parseCommandLine } from '../../../../src/localService/process/commandLine.ts';
import { joinLiveService } from '../../../../src/localService/process/liveService.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

it('sends no key to a stranger at the port of a service that has ended', async ({ onTestFinished }) => {
  await using data = await temporaryFolder();
  const seen: IncomingHttpHeaders[] = [];
  // It answers as the service does to who has no key, and to who has one.
  const stranger = createServer(({ headers, method }, response) => {
    seen.push(headers);
    if (headers['x-api-key'] === undefined) response.writeHead(401, { 'www-authenticate': 'Bearer' });
    else if (method === 'GET') response.writeHead(405, { allow: 'POST' });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    stranger.close();
    stranger.closeAllConnections();
  });
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  // The process id of the service belongs to another process by now.
  writeServiceFile(data.path, { url: `http://127.0.0.1:${port}`, apiKey: 'canary-key', pid: process.pid });
  expect(await joinLiveService(parseCommandLine(['--data', data.path]))).toBeUndefined();
  expect(seen.length).toBeGreaterThan(0);
  expect(JSON.stringify(seen)).not.toContain('canary-key');
});
