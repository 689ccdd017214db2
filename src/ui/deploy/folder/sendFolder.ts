import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { ApiError } from '../../../api/errors.ts';
import { MAX_UPLOAD_BYTES } from '../../../api/resources/deploymentChanges.ts';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { createRequest, isWhatWasRequested } from '../../../core/draft/createRequest.ts';
import { compareWithWish } from '../../../core/draft/deploymentChange.ts';
import { secretsChangeFindings } from '../../../core/draft/secretsChange.ts';
import { sizeWords, tooLargeArchive } from '../../../core/upload/folderWords.ts';
import { uploadNoteWords } from '../../../core/upload/uploadNote.ts';
import { ChangedFileError, LargeArchiveError, writeArchive } from '../../../state/deploying/folder/archive.ts';
import { rememberFolder } from '../../../state/deploying/folder/folderDeployments.ts';
import { rememberUpload } from '../../../state/deploying/uploads.ts';
import type { Services } from '../../services.ts';
import { UserError } from '../../window/errors.ts';
import type { FolderPlan } from './folderPlan.ts';
import { useCapability } from '../../../state/connections/useCapability.ts';

/** What sending a folder needs, until the signal is aborted. */
interface Sending {
  readonly services: Services;
  readonly folderPlan: FolderPlan;
  /** Whether the name of a new deployment was free, so what has it now is the one that was requested. */
  readonly nameWasFree: boolean;
  readonly signal: AbortSignal;
  /** Replaces the progress text. */
  readonly say: (words: string) => void;
}

/**
 * Packs a folder, uploads it, and has the deployment build it, which is created first if it is new.
 * A deployment that was created stays remembered for the folder, whatever happens then. Nothing stays on the disk.
 * @returns the deployment, whose latest revision is the new one
 * @throws {UserError} the folder can't be packed
 */
export async function sendFolder(sending: Sending): Promise<Deployment> {
  const { services, folderPlan, signal, say } = sending;
  const { session } = folderPlan.plan;
  const folder = await temporaryFolder(services.uploadsFolder);
  try {
    const archive = path.join(folder, 'source.tar.gz');
    const size = await pack(sending, archive);
    say(vscode.l10n.t('Looking for the deployment…'));
    const deployment = await targetOf(sending);
    const subject = { deploymentId: deployment.id };
    const remembered = { deploymentId: deployment.id, configPath: folderPlan.configPath };
    await rememberFolder(services.workspaceMemory, session, folderPlan.place.folder.toString(), remembered);
    const objectPath = await useCapability(services.capabilities, session, 'upload', subject, async ({ changes }) => {
      const content = Readable.from(counted(archive, size, say));
      return changes.upload(deployment.id, { content, size }, { signal });
    });
    say(vscode.l10n.t('Starting the build…'));
    const patch = patchOf(folderPlan, deployment, objectPath);
    const updating = useCapability(services.capabilities, session, 'update', subject, async ({ changes }) =>
      changes.update(deployment.id, patch, { latest: deployment.latest_revision_id, signal }),
    );
    const unsure = vscode.l10n.t('The request was cancelled, but {0} may build the upload.', deployment.name);
    const updated = await orUnsure(updating, unsure);
    if (updated.latest_revision_id !== undefined && updated.latest_revision_id !== deployment.latest_revision_id) {
      const note = { host: hostname(), at: services.clock.now(), checkout: folderPlan.checkout };
      await rememberUpload(services.workspaceMemory, updated.latest_revision_id, uploadNoteWords(note));
    }
    return updated;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {UserError} the deployment can't be changed like this */
function patchOf({ plan, configPath, replacesSecrets }: FolderPlan, deployment: Deployment, objectPath: string) {
  const { patch, findings } = compareWithWish(deployment, {
    source_revision_config: { source_tarball_path: objectPath, graph_config_path: configPath },
    ...(replacesSecrets ? { secrets: plan.draft.secrets } : {}),
  });
  if (patch !== undefined) return patch;
  throw new UserError(findings.map(({ message }) => message).join(' '));
}

async function pack({ folderPlan, signal, say }: Sending, archive: string): Promise<number> {
  const { files } = folderPlan.contents;
  try {
    return await writeArchive(files, archive, {
      limit: MAX_UPLOAD_BYTES,
      signal,
      onProgress: (count) => {
        if (count % 100 === 0) say(vscode.l10n.t('Packing {0} of {1} files…', count, files.length));
      },
    });
  } catch (error) {
    if (signal.aborted) throw new vscode.CancellationError();
    if (error instanceof LargeArchiveError) throw new UserError(tooLargeArchive());
    if (!(error instanceof ChangedFileError)) throw error;
    throw new UserError(vscode.l10n.t('{0} changed while the folder was packed. Check the review again.', error.path));
  }
}

/** The deployment as it is now: the one to update, or a new one. Only what is created for an upload has no source. */
async function targetOf({ folderPlan, nameWasFree, signal }: Sending): Promise<Deployment> {
  const { plan, target } = folderPlan;
  const { session } = plan;
  const client = await session.client();
  const name = plan.draft.name.trim();
  if (target !== undefined) {
    const present = await client.deployments.find(target.id, { signal });
    if (present === undefined) {
      throw new UserError(vscode.l10n.t('{0} no longer exists on {1}.', name, session.connection.name));
    }
    folderPlan.target = present;
    const losses = [target, present].map((each) => JSON.stringify(secretsChangeFindings(each, plan.draft.secrets)));
    if (!folderPlan.replacesSecrets || losses[0] === losses[1]) return present;
    // Another window has changed the secrets, which would be replaced without a word.
    throw new UserError(vscode.l10n.t('{0} changed in the meantime, so nothing was deployed.', name));
  }
  const request = createRequest(plan.draft);
  const isMade = nameWasFree ? (row: Deployment): boolean => isWhatWasRequested(request, row) : undefined;
  const creating = client.deployments.create(request, { signal, isMade });
  const unsure = vscode.l10n.t('The request was cancelled, but the service may have created {0}.', name);
  const created = await orUnsure(creating, unsure);
  folderPlan.target = created;
  return created;
}

/** Waits for a request that may take effect even if it is canceled, and says so then. */
async function orUnsure<T>(request: Promise<T>, words: string): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const isSent = error instanceof ApiError && error.kind === 'cancelled' && error.sent;
    throw isSent ? new UserError(words, [], { cause: error }) : error;
  }
}

/** The pieces of a file, as they are taken, with words for the progress. */
async function* counted(file: string, size: number, say: (words: string) => void): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const piece of createReadStream(file)) {
    if (!Buffer.isBuffer(piece)) continue;
    yield piece;
    sent += piece.length;
    say(vscode.l10n.t('Uploaded {0} of {1}…', sizeWords(sent), sizeWords(size)));
  }
}

/** Folders of windows that ended before they removed them are older than this, in milliseconds. */
const longestUse = 24 * 3_600_000;

/** A new folder, which only the user can read. Removes those that nobody uses any longer. */
async function temporaryFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const old = path.join(parent, name);
    const found = await stat(old).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - longestUse) await rm(old, { recursive: true, force: true });
  }
  return mkdtemp(path.join(parent, 'upload-'));
}
