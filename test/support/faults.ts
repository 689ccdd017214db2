import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fault } from './faultServer.ts';

type Headers = OutgoingHttpHeaders;

const JSON_TYPE = { 'content-type': 'application/json' };

/** A well-formed answer. */
export function json(body: unknown, status = 200, headers: Headers = {}): Fault {
  return (response) => response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body));
}

/** An answer with exactly these bytes. */
export function raw(body: string | Buffer, status = 200, headers: Headers = JSON_TYPE): Fault {
  return (response) => response.writeHead(status, headers).end(body);
}

/** An answer that waits until `release` is called: latency without a clock. */
export function held(then: Fault): { fault: Fault; release: () => void } {
  const gate = new EventEmitter();
  return {
    fault: (response, request) => void gate.once('open', () => then(response, request)),
    release: () => void gate.emit('open'),
  };
}

/** Nothing at all is ever answered. */
export const stallBeforeHeaders: Fault = () => undefined;

/** The header section is never finished. */
export const stallInHeaders: Fault = (response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Half');
};

/** The body is never finished. */
export const stallInBody: Fault = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 }).write('{"resources":[');
};

/** The connection is reset before anything is answered. */
export const resetBeforeHeaders: Fault = (response) => {
  response.socket?.resetAndDestroy();
};

/** The connection is reset in the middle of the body. */
export const resetInBody: Fault = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 });
  response.write('{"resources":[', () => response.socket?.resetAndDestroy());
};

/** The connection is closed in an orderly way before the promised length has been sent. */
export const cutOff: Fault = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 });
  response.write('{"resources":[', () => response.socket?.end());
};

/** A complete answer whose JSON ends in the middle. */
export const truncatedJson = raw('{"resources":[{"id":"1","na');

export const emptyBody = raw('');

/** Bytes that are no UTF-8, inside a string of otherwise good JSON. */
export const invalidUtf8 = raw(Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]));

/** A web page where data is expected. */
export const webPage = raw('<!doctype html><title>Welcome</title>', 200, { 'content-type': 'text/html' });

/** What answers is not HTTP. */
export const notHttp: Fault = (response) => {
  response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n');
};

/** More than 8 MB, announced by its length. */
export const tooLongAnnounced: Fault = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': 9 * 1024 * 1024 }).write('[');
};

/** More than 8 MB, in chunks and without announcing a length. */
export const tooLongChunked: Fault = (response) => {
  response.writeHead(200, JSON_TYPE);
  for (let megabyte = 0; megabyte < 9; megabyte += 1) response.write(Buffer.alloc(1024 * 1024, ' '));
  response.end('[]');
};

/** A few kB that decode to more than 8 MB. */
export const tooLongDecoded: Fault = (response, request) =>
  raw(gzipSync(Buffer.alloc(9 * 1024 * 1024, ' ')), 200, { ...JSON_TYPE, 'content-encoding': 'gzip' })(
    response,
    request,
  );

/** A few kB that decode to two million values, which take a second to parse and more to read. */
export const tooManyValues: Fault = (response, request) =>
  raw(gzipSync(`{"resources":[${'{},'.repeat(2_000_000)}{}],"offset":0}`), 200, {
    ...JSON_TYPE,
    'content-encoding': 'gzip',
  })(response, request);

/** Values in values in values, of which each has only one. */
export const tooDeep = raw(`{"resources":${'['.repeat(100)}${']'.repeat(100)},"offset":0}`);

/** Compressed data whose end is missing. */
export const damagedGzip = raw(gzipSync('{"resources":[],"offset":0}').subarray(0, 20), 200, {
  ...JSON_TYPE,
  'content-encoding': 'gzip',
});

export function redirect(location: string, status = 302): Fault {
  return raw('', status, { location });
}

/** Each answer sends the client to another path of the same server. */
export const endlessRedirect: Fault = (response, request) => {
  const step = Number(/step=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  redirect(`/v2/deployments?step=${step + 1}`)(response, request);
};
