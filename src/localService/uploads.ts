import { createHmac, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../api/errors.ts';
import { isSameProof } from '../api/localService.ts';
import { MAX_UPLOAD_BYTES } from '../api/resources/deploymentChanges.ts';
import { HttpProblem } from './http/route.ts';
import { limitedBytes } from './limitedBytes.ts';
import { explainFileError } from './store/database.ts';

/** Where archives are uploaded; the folder and the file of the archive follow. */
export const uploadsPath = '/_uploads';

/** How long an address is valid, in milliseconds. */
const lifetime = 15 * 60_000;

/** How many archives of a deployment are kept, so that its latest revisions can be deployed again. */
const mostKept = 10;

const unfinished = '.part';

/** The parts of an archive's path in the uploads folder. */
interface ArchivePath {
  readonly folder: string;
  readonly file: string;
}

interface UploadsParts {
  /** The folder of all uploads. */
  readonly folder: string;
  readonly apiKey: string;
  readonly clock: { now(): number };
}

/** The archives that clients upload, each to a signed address that needs no key. */
export class Uploads {
  readonly #parts: UploadsParts;

  constructor(parts: UploadsParts) {
    this.#parts = parts;
  }

  /** Makes an address for a deployment's next archive. Removes the deployment's oldest archives. */
  async makeAddress(deploymentId: string, origin: string): Promise<{ upload_url: string; object_path: string }> {
    await this.#tidy(deploymentId);
    const archive = { folder: deploymentId, file: `${randomUUID()}.tar.gz` };
    const expires = String(this.#parts.clock.now() + lifetime);
    const search = new URLSearchParams({ expires, signature: this.#sign(archive, expires) });
    const objectPath = `${archive.folder}/${archive.file}`;
    return { upload_url: `${origin}${uploadsPath}/${objectPath}?${search.toString()}`, object_path: objectPath };
  }

  /**
   * Stores the body of a request to a signed address. The file appears when it is whole.
   * @throws {HttpProblem} 403 for a wrong or expired signature, 415 for another type, 413 for too many bytes
   * @throws {DatabaseError} the file can't be written
   */
  async receive(archive: ArchivePath, request: Request): Promise<void> {
    this.#checkSignature(archive, new URL(request.url).searchParams);
    const type = request.headers.get('content-type') ?? '';
    if (!/^application\/(?:x-)?gzip\s*$/i.test(type))
      throw new HttpProblem(415, 'Send the archive as application/gzip.');
    if (Number(request.headers.get('content-length') ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
    const folder = path.join(this.#parts.folder, archive.folder);
    const file = path.join(folder, archive.file);
    // Two uploads to one address at once each write a file of their own.
    const part = `${file}.${randomUUID()}${unfinished}`;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await pipeline(
        limitedBytes(request.body ?? [], MAX_UPLOAD_BYTES, tooLarge),
        createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
      );
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw explainFileError(error, file);
    }
  }

  /** Removes all archives of a deployment. */
  async removeOf(deploymentId: string): Promise<void> {
    await rm(path.join(this.#parts.folder, deploymentId), { recursive: true, force: true });
  }

  /** Removes the archives of deployments that no longer exist, because a service can end between the two deletions. */
  async removeOrphans(exists: (deploymentId: string) => boolean): Promise<void> {
    for (const name of await filesIn(this.#parts.folder)) {
      if (isId(name) && !exists(name)) await this.removeOf(name);
    }
  }

  /** Keeps a deployment's newest archives. Removes parts that no upload still writes. */
  async #tidy(deploymentId: string): Promise<void> {
    const folder = path.join(this.#parts.folder, deploymentId);
    const files = await Promise.all(
      (await filesIn(folder)).map(async (name) => {
        const file = path.join(folder, name);
        const changedAt = await stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
        return { file, changedAt };
      }),
    );
    const newestFirst = files.toSorted((a, b) => b.changedAt - a.changedAt);
    const whole = newestFirst.filter(({ file }) => !file.endsWith(unfinished));
    const parts = newestFirst.filter(
      ({ file, changedAt }) => file.endsWith(unfinished) && changedAt < Date.now() - lifetime,
    );
    // One place stays free for the archive to come.
    for (const { file } of [...whole.slice(mostKept - 1), ...parts]) await rm(file, { force: true });
  }

  #checkSignature(archive: ArchivePath, search: URLSearchParams): void {
    const expires = search.get('expires') ?? '';
    if (!isSameProof(search.get('signature') ?? '', this.#sign(archive, expires))) {
      throw new HttpProblem(403, 'The signature of this address is wrong.');
    }
    if (Number(expires) < this.#parts.clock.now()) throw new HttpProblem(403, 'This address has expired.');
  }

  /** The purpose comes first, so that no other signature of the key fits. */
  #sign({ folder, file }: ArchivePath, expires: string): string {
    const text = ['upload', folder, file, expires].join('\n');
    return createHmac('sha256', this.#parts.apiKey).update(text).digest('base64url');
  }
}

function tooLarge(): HttpProblem {
  return new HttpProblem(413, `The archive is larger than ${MAX_UPLOAD_BYTES} bytes.`, { connection: 'close' });
}

function isId(name: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw explainFileError(error, folder);
  }
}
