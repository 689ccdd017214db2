import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  connectToLocalService,
  findLocalService,
  parseServiceFile,
  proofOf,
  proofPath,
  readServiceFile,
  writeServiceFile,
} from '../../../src/api/localService.ts';
import { failureOf, testClient } from '../../support/faultClient.ts';
import { provesIdentity, startFaultServer } from '../../support/faultServer.ts';
import { json } from '../../support/faults.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** Whether the system refuses to replace files, as Windows does while they are read, or has no room for new ones. */
const failures = vi.hoisted(() => ({ ofRename: false, ofWrite: false }));

vi.mock(import('node:fs'), async (original) => {
  const actual = await original();
  const refuse = (): never => {
    throw new Error('EPERM');
  };
  const writePartly = (file: string): never => {
    actual.writeFileSync(file, '{');
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  };
  return new Proxy(actual, {
    get: (target, name) => {
      if (name === 'writeFileSync' && failures.ofWrite) return writePartly;
      return name === 'renameSync' && failures.ofRename ? refuse : Reflect.get(target, name);
    },
  });
});

const apiKey = 'canary-key';
const page = { resources: [], offset: 0 };

describe('service.json', () => {
  it.each(['http://127.0.0.1:8080', 'http://[::1]:8080'])('names the service at %s', (url) => {
    expect(parseServiceFile(JSON.stringify({ apiKey, url, pid: 1 }))).toEqual({ apiKey, url });
  });

  it.each([
    'http://127.0.0.1',
    'http://127.0.0.1:65536',
    'http://127.0.0.1:80/path',
    'http://user@127.0.0.1:80',
    'http://127.0.0.1:80@evil.example:80',
    'http://127.0.0.1.evil.example:80',
    'http://localhost:8080',
    'http://127.0.0.2:8080',
    'http://0.0.0.0:8080',
    'http://[::ffff:10.0.0.1]:8080',
    'https://127.0.0.1:8080',
    'http://evil.example:8080',
    'unix:/tmp/socket',
    '\nhttp://127.0.0.1:8080',
    1,
    null,
    ['http://127.0.0.1:8080'],
  ])('names no service at %j, but keeps the key', (url) => {
    expect(parseServiceFile(JSON.stringify({ apiKey, url, pid: 1 }))).toEqual({ apiKey });
  });

  const unusable = ['', 1, ' a', 'a\nb', 'é', 'a'.repeat(501)].map((key) => JSON.stringify({ apiKey: key }));
  it.each(['', '{', '{"apiKey":"a"', 'null', '[]', '1', '{}', ...unusable])(
    'is ignored if it contains %s',
    (content) => {
      expect(parseServiceFile(content)).toBeUndefined();
    },
  );

  it.each([
    [true, { apiKey, stopped: true }],
    [false, { apiKey }],
    ['true', { apiKey }],
  ])('says whether a user stopped the service: %j', (stopped, content) => {
    expect(parseServiceFile(JSON.stringify({ apiKey, stopped }))).toEqual(content);
  });

  it('can have the line ends of Windows', () => {
    expect(parseServiceFile(`{\r\n  "apiKey": "${apiKey}",\r\n  "stopped": true\r\n}\r\n`)).toEqual({
      apiKey,
      stopped: true,
    });
  });

  it.each([
    ['where it cannot be replaced, because another program is reading it', () => (failures.ofRename = true)],
    ['on a full disk, in the room of the old file', () => (failures.ofWrite = true)],
  ])('is written even %s', async (_, fail) => {
    await using folder = await temporaryFolder();
    writeServiceFile(folder.path, { apiKey, url: 'http://127.0.0.1:8080', pid: 12_345 });
    fail();
    writeServiceFile(folder.path, { apiKey, stopped: true });
    Object.assign(failures, { ofRename: false, ofWrite: false });
    expect(await readServiceFile(folder.path)).toEqual({ apiKey, stopped: true });
    expect(await readdir(folder.path)).toEqual(['service.json']);
  });

  it.skipIf(process.platform === 'win32')('is ignored, and not waited for, where it is a pipe', async () => {
    await using folder = await temporaryFolder();
    execFileSync('mkfifo', [path.join(folder.path, 'service.json')]);
    expect(await readServiceFile(folder.path)).toBeUndefined();
  });

  it('is ignored where it is huge', async () => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, 'service.json'), JSON.stringify({ apiKey }).padEnd(1_000_000));
    expect(await readServiceFile(folder.path)).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is ignored if another user owns it', async () => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, 'service.json'), JSON.stringify({ apiKey }));
    expect(await readServiceFile(folder.path)).toEqual({ apiKey });
    const user = vi.spyOn(process, 'getuid').mockReturnValue(process.getuid!() + 1);
    expect(await readServiceFile(folder.path)).toBeUndefined();
    user.mockRestore();
  });

  it('leads to the running service, and to none after that has ended', async () => {
    await using folder = await temporaryFolder();
    const server = await startFaultServer({ localServiceKey: apiKey });
    await writeFile(path.join(folder.path, 'service.json'), JSON.stringify({ apiKey, url: server.url, pid: 1 }));
    expect(await findLocalService(folder.path)).toEqual({ apiKey, url: server.url, pid: process.pid });
    await server[Symbol.asyncDispose]();
    expect(await findLocalService(folder.path)).toBeUndefined();
  });
});

describe('the proof of identity', () => {
  it("is missing differently from a service that doesn't run", async () => {
    await using folder = await temporaryFolder();
    await using stranger = await startListener((socket) => void socket.end());
    await writeFile(path.join(folder.path, 'service.json'), JSON.stringify({ apiKey, url: stranger.url, pid: 1 }));
    expect((await failureOf(findLocalService(folder.path))).message).toContain("didn't prove");
  });

  it('is accepted in pieces, and the connection continues with HTTP', async () => {
    await using service = await startListener((socket, nonce) => {
      const head = `HTTP/1.1 204 No Content\r\n${proofLine(socket, nonce)}\r\n\r\n`;
      socket.setNoDelay(true);
      for (const letter of head) socket.write(letter);
    });
    const { socket, pid } = await connectToLocalService({ url: service.url, apiKey });
    expect(pid).toBe(process.pid);
    socket.destroy();
  });

  const strangers: Record<string, (socket: Socket, nonce: string) => void> = {
    'hangs up': (socket) => void socket.end(),
    'does not speak HTTP': (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    'serves a page': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    'asks for a key as the service does': (socket) =>
      void socket.write('HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer\r\ncontent-length: 0\r\n\r\n'),
    'guesses the key': (socket, nonce) =>
      void socket.write(`HTTP/1.1 204 No Content\r\n${proofLine(socket, nonce, { apiKey: 'guess' })}\r\n\r\n`),
    'proves itself for another nonce': (socket, nonce) =>
      void socket.write(`HTTP/1.1 204 No Content\r\n${proofLine(socket, nonce.toLowerCase())}\r\n\r\n`),
    'gives itself out for another process': (socket, nonce) =>
      void socket.write(`HTTP/1.1 204 No Content\r\n${proofLine(socket, nonce).replace(/\d+ /, '1 ')}\r\n\r\n`),
    'never ends its head': (socket, nonce) =>
      void socket.write(`HTTP/1.1 204 No Content\r\n${proofLine(socket, nonce)}\r\nx: ${'x'.repeat(100_000)}`),
  };

  it.each(Object.entries(strangers))(
    'is not given by a program that %s, and the key is not sent',
    async (_, answer) => {
      await using stranger = await startListener(answer);
      const error = await failureOf(connectTo(stranger.url));
      expect(error).toMatchObject({ kind: 'network', sent: false });
      expect(error.message).toContain("didn't prove that it is the local service");
      expect(stranger.heard()).toMatch(
        /^GET \/_control\/proof\/[\w-]{43} HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n\r\n$/,
      );
    },
  );

  it("can't be relayed by a program at another port", async () => {
    await using service = await startFaultServer({ localServiceKey: apiKey });
    await using stranger = await startListener((socket, nonce) => {
      const relayed = fetch(`${service.url}${proofPath}/${nonce}`);
      void relayed.then(({ headers }) =>
        socket.write(`HTTP/1.1 204 No Content\r\nproof: ${headers.get('proof')}\r\n\r\n`),
      );
    });
    expect((await failureOf(connectTo(stranger.url))).kind).toBe('network');
    expect((await connectToLocalService({ url: service.url, apiKey })).socket.destroy().destroyed).toBe(true);
  });

  it('is waited for with a time limit', async () => {
    await using silent = await startListener(() => undefined);
    const error = await failureOf(connectToLocalService({ url: silent.url, apiKey }, 50));
    expect(error).toMatchObject({ kind: 'timeout', sent: false });
  });

  it('is requested on each connection', async () => {
    const nonces = new Set<string>();
    await using stranger = await startListener((socket, nonce) => {
      nonces.add(nonce);
      socket.end();
    });
    for (let time = 0; time < 3; time += 1) await failureOf(connectTo(stranger.url));
    expect(nonces.size).toBe(3);
  });
});

describe('a program that takes the port of a service that dies during a request', () => {
  const client = (url: string) =>
    testClient({
      baseUrl: url,
      auth: async () => apiKey,
      network: { mode: 'auto', open: async (origin) => (await connectToLocalService({ url: origin, apiKey })).socket },
    });

  it('gets no repeated GET and no key', async () => {
    await using service = await startDyingService();
    await using caller = client(service.url);
    expect(await failureOf(caller.deployments.list())).toMatchObject({ kind: 'network', sent: false });
    expect(caller.waits).toHaveLength(2);
    expect(service.requests()).toEqual(['GET /v2/deployments']);
    expect(service.heardByStranger()).toContain(proofPath);
    expect(service.heardByStranger()).not.toContain(apiKey);
  });

  it('gets no lookup after a create, no key and no created resource', async () => {
    await using service = await startDyingService();
    await using caller = client(service.url);
    const create = caller.deployments.create({ name: 'agent', source: 'repohost' });
    expect((await failureOf(create)).kind).toBe('network');
    expect(service.requests()).toEqual(['POST /v2/deployments']);
    expect(service.heardByStranger()).toContain(proofPath);
    expect(service.heardByStranger()).not.toMatch(/canary-key|agent/);
  });
});

it('sends many requests over one proved connection, without a proxy', async () => {
  await using server = await startFaultServer({ localServiceKey: apiKey });
  server.answer(json(page));
  const open = async (url: string) => (await connectToLocalService({ url, apiKey })).socket;
  const network = { open, proxy: 'http://127.0.0.1:1' };
  await using client = testClient({ baseUrl: server.url, network });
  for (let call = 0; call < 5; call += 1) await client.deployments.list();
  expect(server.seen).toHaveLength(5);
  expect(server.connections()).toBeLessThanOrEqual(2);
});

async function connectTo(url: string): Promise<void> {
  (await connectToLocalService({ url, apiKey })).socket.destroy();
}

/** The header that proves, for the other end of this connection, that its writer knows a key. */
function proofLine({ localAddress, localPort }: Socket, nonce: string, changes: { apiKey?: string } = {}): string {
  return `proof: ${process.pid} ${proofOf(changes.apiKey ?? apiKey, nonce, `${localAddress}:${localPort}`, process.pid)}`;
}

/** Listens for connections without any knowledge of HTTP, and keeps what it hears. */
async function startListener(answer: (socket: Socket, nonce: string) => void, port = 0) {
  let heard = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      const nonce = /\/_control\/proof\/([\w-]+)/.exec(chunk.toString('latin1'))?.[1];
      answer(socket, nonce ?? '');
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** A local service that dies with its first request, when another program gets its port. */
async function startDyingService() {
  const requests: string[] = [];
  let stranger: Awaited<ReturnType<typeof startListener>> | undefined;
  const answer = JSON.stringify(page);
  const accept = (socket: Socket) =>
    void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`);
  const die = async () => {
    service.close();
    stranger = await startListener(accept, port);
    service.closeAllConnections();
  };
  const service = createHttpServer((request, response) => {
    if (provesIdentity(apiKey, request, response)) return;
    requests.push(`${request.method} ${request.url}`);
    void die();
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    heardByStranger: () => stranger?.heard() ?? '',
    [Symbol.asyncDispose]: async () => stranger?.[Symbol.asyncDispose](),
  };
}
