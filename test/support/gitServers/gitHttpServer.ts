import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isolatedEnvironment } from '../gitRepositories.ts';

/** Whether git came with the program that serves repositories; tests that need it are skipped by name without it. */
export const httpBackend = ['', '.exe'].some((ending) =>
  existsSync(path.join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), `git-http-backend${ending}`)),
);

/** A request of a git client; `password` is what it sent with Basic auth. */
export interface GitRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** What the server does with a request: serve it, answer with a status and words, or say nothing until told otherwise. */
export type GitAnswer = 'serve' | 'hang' | { readonly status: number; readonly words?: string };

export interface GitHttpServerOptions {
  /** The folder whose bare repositories are served: `FOLDER/acme/agent.git` as `URL/acme/agent.git`. */
  readonly folder: string;
  /** The user name and password that Basic auth must send; without them, nobody is asked. */
  readonly user?: string;
  readonly password?: string;
}

export interface GitHttpServer extends AsyncDisposable {
  readonly url: string;
  /** Every request since the start, in the order of arrival. */
  readonly seen: readonly GitRequest[];
  /** Sets what happens to the requests that follow; held requests are served with `serve`. */
  answer(next: GitAnswer): void;
  /** Resolves when `count` requests have arrived in total. */
  arrived(count: number): Promise<void>;
}

/** Serves bare repositories over HTTP with git's own `http-backend`, on a free port. Use it with `await using`. */
export async function startGitHttpServer(options: GitHttpServerOptions): Promise<GitHttpServer> {
  const seen: GitRequest[] = [];
  const running = new Set<ChildProcess>();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let held: (() => void)[] = [];
  let answer: GitAnswer = 'serve';

  function handle(request: http.IncomingMessage, response: http.ServerResponse): void {
    // A git that goes away in the middle is what some tests are about.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const entry = { method: request.method ?? '', path: request.url ?? '', ...basicAuth(request) };
    seen.push(entry);
    for (const waiter of waiting) if (seen.length >= waiter.count) waiter.resolve();
    if (answer === 'hang') held.push(() => serve(request, response, entry));
    else if (answer === 'serve') serve(request, response, entry);
    else refuse(response, answer.status, answer.words);
  }

  function serve(request: http.IncomingMessage, response: http.ServerResponse, { user, password }: GitRequest): void {
    if (options.password !== undefined && (user !== options.user || password !== options.password)) {
      refuse(response, 401, 'The password is wrong.');
      return;
    }
    const backend = spawn('git', ['http-backend'], { env: backendEnvironment(request, options.folder, user) });
    running.add(backend);
    backend.on('exit', () => running.delete(backend));
    backend.stdin.on('error', () => undefined);
    request.pipe(backend.stdin);
    backend.stderr.resume();
    answerAsBackend(backend.stdout, response);
  }

  const server = http.createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    answer: (next) => {
      answer = next;
      const released = next === 'serve' ? held : [];
      held = held.slice(released.length);
      for (const release of released) release();
    },
    arrived: (count) =>
      seen.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    async [Symbol.asyncDispose]() {
      const ends = [...running].map(async (backend) => {
        const end = once(backend, 'exit');
        backend.kill('SIGKILL');
        await end;
      });
      const close = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([close, ...ends]);
    },
  };
}

function basicAuth({ headers }: http.IncomingMessage): Pick<GitRequest, 'user' | 'password'> {
  const [scheme, encoded = ''] = (headers.authorization ?? '').split(' ');
  if (scheme !== 'Basic') return { user: undefined, password: undefined };
  const [user, ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return { user, password: password.join(':') };
}

/** Git shows words of type text/plain as lines that begin with "remote:". */
function refuse(response: http.ServerResponse, status: number, words = ''): void {
  const realm = status === 401 ? { 'WWW-Authenticate': 'Basic realm="Git"' } : {};
  response.writeHead(status, { 'Content-Type': 'text/plain', ...realm }).end(words);
}

function backendEnvironment(request: http.IncomingMessage, folder: string, user = ''): NodeJS.ProcessEnv {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const { headers } = request;
  return {
    ...isolatedEnvironment(),
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    // A user who is known may push.
    REMOTE_USER: user === '' ? 'anyone' : user,
    REMOTE_ADDR: '127.0.0.1',
    REQUEST_METHOD: request.method,
    PATH_INFO: decodeURIComponent(pathname),
    QUERY_STRING: search.slice(1),
    CONTENT_TYPE: headers['content-type'] ?? '',
    ...(headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: headers['content-length'] }),
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
  };
}

/** The backend prints headers and a body, as a CGI program does; a header called Status replaces 200. */
function answerAsBackend(output: NodeJS.ReadableStream, response: http.ServerResponse): void {
  let head = Buffer.alloc(0);
  output.on('data', (chunk: Buffer) => {
    if (response.headersSent) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    const headers = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
  });
  output.on('end', () => response.end());
}
