import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { ApiError, codeOf } from './errors.ts';
import { isRecord } from './schema/json.ts';

/** The address and API key of the local service. */
export interface LocalServiceAddress {
  readonly url: string;
  readonly apiKey: string;
}

/** A running service that has just proved its identity. */
export interface LiveLocalService extends LocalServiceAddress {
  readonly pid: number;
}

/** The content of `service.json`: the data folder's key and, while a service runs, its address. */
export interface ServiceFile {
  readonly apiKey: string;
  readonly url?: string | undefined;
  /** Whether a user stopped the service. One that ended with its window may be started again by another window. */
  readonly stopped?: boolean | undefined;
}

/** A connection on which the local service has proved its identity. */
interface ProvedConnection {
  readonly socket: Socket;
  /** The process at the other end of the connection. */
  readonly pid: number;
}

/** Followed by a nonce. Needs no key, because the client sends its key only after the proof. */
export const proofPath = '/_control/proof';

/** Takes the folders that a window or a start registers and unregisters. */
export const foldersPath = '/_control/repositories';

/** Stops the service. When it answers, `service.json` says so to other windows. */
export const stopPath = '/_control/stop';

/** The agent that a new data folder has. No endpoint lists agents, so the client has to know it. */
export const sampleAgentId = 'sample-agent';

/** The file in a data folder that holds the key and the address. */
export const serviceFileName = 'service.json';

/** A nonce as the client creates it: 32 bytes in base64url. */
export const noncePattern = '[\\w-]{43}';

const connectLimit = 10_000;

/** In characters. The service's response has about 250. */
const headLimit = 4096;

/**
 * Computes the proof that a service knows the key.
 * It's valid for one nonce and one end of a connection (`IP:PORT`). A program on another port can't reuse the service's
 * proof.
 */
export function proofOf(apiKey: string, nonce: string, end: string, pid: number): string {
  return createHmac('sha256', apiKey).update(`${nonce}\n${end}\n${pid}`).digest('base64url');
}

/** Whether a text can be the key: a header must be able to carry it unchanged. */
export function isServiceKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]{1,500}$/.test(text);
}

/** Parses `service.json` or the line that the service prints on start. Undefined if it has no key. */
export function parseServiceFile(content: string): ServiceFile | undefined {
  try {
    const value: unknown = JSON.parse(content);
    if (!isRecord(value)) return undefined;
    const { apiKey, url, stopped } = value;
    if (!isServiceKey(apiKey)) return undefined;
    return { apiKey, url: isOnThisMachine(url) ? url : undefined, ...(stopped === true && { stopped }) };
  } catch {
    return undefined;
  }
}

/** In bytes. The service writes at most a fifth of this. */
const largestFile = 4096;

/** Keep from following a link to another file, and from waiting for the other end of a pipe. Zero on Windows. */
const onlyFiles = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The address in a data folder's `service.json`. The service may have ended without removing it. */
export async function readServiceAddress(dataFolder: string): Promise<LocalServiceAddress | undefined> {
  return addressIn(await readServiceFile(dataFolder));
}

/** The address in a file or line of the service; undefined while it isn't running. */
export function addressIn(file: ServiceFile | undefined): LocalServiceAddress | undefined {
  return file?.url === undefined ? undefined : { url: file.url, apiKey: file.apiKey };
}

/** Reads `service.json` from a data folder. Undefined if it's missing, unreadable or owned by another user. */
export async function readServiceFile(dataFolder: string): Promise<ServiceFile | undefined> {
  const file = await open(path.join(dataFolder, serviceFileName), onlyFiles).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    // Another owner could name their own service and key. Windows has no user IDs.
    const isOurs = process.getuid === undefined || stats.uid === process.getuid();
    if (!isOurs || !stats.isFile() || stats.size > largestFile) return undefined;
    return parseServiceFile(await file.readFile('utf8'));
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * Writes `service.json` in one step, readable only by its owner.
 * Synchronous, so a service that is told to end meanwhile leaves no address behind.
 */
export function writeServiceFile(dataFolder: string, content: ServiceFile & { readonly pid?: number }): void {
  const file = path.join(dataFolder, serviceFileName);
  const draft = `${file}.${process.pid}`;
  const text = `${JSON.stringify(content)}\n`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { recursive: true, force: true });
    // On Windows, no file replaces one that another program is reading. On a full disk, only the old file has room.
    const handle = openSync(file, constants.O_WRONLY | constants.O_CREAT | onlyFiles, 0o600);
    try {
      ftruncateSync(handle, writeSync(handle, text));
    } finally {
      closeSync(handle);
    }
  }
}

/**
 * Finds the running service of a data folder and checks its identity. Undefined if nothing listens.
 * @throws when something listens but doesn't prove its identity
 */
export async function findLocalService(dataFolder: string, limitMs?: number): Promise<LiveLocalService | undefined> {
  const address = await readServiceAddress(dataFolder);
  if (address === undefined) return undefined;
  try {
    const { socket, pid } = await connectToLocalService(address, limitMs);
    socket.destroy();
    return { ...address, pid };
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') return undefined;
    throw error;
  }
}

/**
 * Connects to the local service and checks its identity.
 * After a crash, any program may use the port, so nothing else is sent before the proof.
 * @throws {ApiError} when something else answers, or nothing does in time
 * @throws {Error} with the system's code when there is no connection
 */
export async function connectToLocalService(
  { url, apiKey }: LocalServiceAddress,
  limitMs = connectLimit,
): Promise<ProvedConnection> {
  const { host, hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 80), noDelay: true });
  // Without this listener, a broken connection would end the process.
  socket.on('error', () => undefined);
  const limit = setTimeout(() => socket.destroy(noProofInTime(url)), limitMs);
  try {
    const nonce = randomBytes(32).toString('base64url');
    socket.write(`GET ${proofPath}/${nonce} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const head = await readHead(socket);
    const [, pid = '', proof = ''] = /\r\nproof: (\d{1,10}) ([\w-]{43})\r\n/i.exec(head) ?? [];
    const expected = proofOf(apiKey, nonce, `${socket.remoteAddress}:${socket.remotePort}`, Number(pid));
    if (!isSameProof(proof, expected)) throw notTheService(url);
    return { socket, pid: Number(pid) };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

/** Reads up to the first blank line, where the response ends. Empty if there is none within the limit. */
async function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const read = (): void => {
      const chunk: unknown = socket.read();
      if (!Buffer.isBuffer(chunk)) return;
      head += chunk.toString('latin1');
      if (head.length <= headLimit && !head.includes('\r\n\r\n')) return;
      socket.off('readable', read);
      resolve(head.length <= headLimit ? head : '');
    };
    socket.on('readable', read);
    socket.once('close', () => (socket.errored === null ? resolve('') : reject(socket.errored)));
  });
}

/** Whether a proof or a signature is the expected one. Takes the same time for every wrong one of its length. */
export function isSameProof(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function isOnThisMachine(url: unknown): url is string {
  return typeof url === 'string' && /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/.test(url) && URL.canParse(url);
}

function notTheService(url: string): ApiError {
  const message = l10n.t(
    "{0} didn't prove that it is the local service, so the API key wasn't sent. Try again, or start the local service.",
    url,
  );
  return new ApiError({ kind: 'network', message, sent: false });
}

function noProofInTime(url: string): ApiError {
  const message = l10n.t("The local service at {0} didn't respond in time. Try again, or stop and start it.", url);
  return new ApiError({ kind: 'timeout', message, sent: false });
}
