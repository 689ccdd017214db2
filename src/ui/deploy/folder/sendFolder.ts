import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { ApiError } from '../../../api/errors.ts';
import { MAX_UPLOAD_BYTES, type DeploymentPatch } from '../../../api/resources/deploymentChanges.ts';
import type { Deployment } from '../../../api/resources/deployments.ts';
import type { DeploymentChange } from '../../../core/draft/deploymentChange.ts';
import type { DeploymentDraft } from '../../../core/draft/draft.ts';
import { finding } from '../../../core/draft/findings.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { sizeWords, tooLargeArchive } from '../../../core/upload/folderWords.ts';
import { uploadNoteWords } from '../../../core/upload/uploadNote.ts';
import { useCapability } from '../../../state/connections/useCapability.ts';
import { ChangedFileError, LargeArchiveError, writeArchive } from '../../../state/deploying/folder/archive.ts';
import { rememberFolder } from '../../../state/deploying/folder/folderDeployments.ts';
import { rememberUpload } from '../../../state/deploying/uploads.ts';
import type { Services } from '../../services.ts';
import { isCancelled, messageOf, requestIdOf, UserError } from '../../window/errors.ts';
import { whileWaiting } from '../../window/waiting.ts';
import type { DeploymentPlan } from '../plan.ts';
import { failureFindings, sendDraft, type SentDeployment } from '../sendDraft.ts';
import type { CheckedFolder } from './folderReading.ts';

/** What sending a folder needs, until the signal is aborted. */
interface Sending {
  readonly services: Services;
  readonly plan: DeploymentPlan;
  readonly folder: CheckedFolder;
  /** The deployment that the folder is for, and what changes besides its source; undefined for a new one. */
  readonly update: { readonly target: Deployment; readonly change: Pick<DeploymentChange, 'patch'> } | undefined;
  /** Whether the name of a new deployment was free, so what has it now is the one that was requested. */
  readonly wasFree: boolean;
}

/** How the signal is aborted, and how the progress text is replaced. */
interface Progress {
  readonly signal: AbortSignal;
  readonly say: (words: string) => void;
}

/**
 * Packs a folder, uploads it, and has the deployment build it, which is created first if it is new.
 * A deployment that was created stays remembered for the folder, whatever happens then. Nothing stays on the disk.
 */
export async function sendFolder(sending: Sending): Promise<SentDeployment> {
  const { services, plan, update } = sending;
  const { session, draft, title } = plan;
  const made: { deployment?: Deployment } = {};
  try {
    return await whileWaiting({ title, words: vscode.l10n.t('Packing…') }, (signal, say) =>
      inTemporaryFolder(services.uploadsFolder, async (temporary): Promise<SentDeployment> => {
        const archive = path.join(temporary, 'source.tar.gz');
        const size = await pack(sending, archive, { signal, say });
        if (update !== undefined) return sendArchive(sending, update, { archive, size }, { signal, say });
        const [name, connection] = [withoutIcons(draft.name), withoutIcons(draft.connectionName)];
        say(vscode.l10n.t('Creating {0} on {1}…', name, connection));
        const upload = { draft: withoutBuild(draft), folder: placeOf(sending) };
        const outcome = await sendDraft(services, plan, sending.wasFree, signal, upload);
        if (outcome.kind === 'refused') {
          const late = outcome.late?.then(async (found) => {
            if (found !== undefined) await remember(sending, found);
            return found;
          });
          return { ...outcome, late };
        }
        made.deployment = outcome.deployment;
        const start = { target: outcome.deployment, change: { patch: {} } };
        return sendArchive(sending, start, { archive, size }, { signal, say });
      }),
    );
  } catch (error) {
    services.log.error(`deploy folder: ${messageOf(error)}${requestIdOf(error)}`);
    // The list reports its own errors.
    if ((made.deployment ?? update) !== undefined && services.connections.session === session)
      void services.deployments.refresh();
    const stopped = [finding('warning', vscode.l10n.t('The upload was stopped.'))];
    const findings = isCancelled(error) ? stopped : failureFindings(draft, error);
    return { kind: 'refused', findings, isCancelled: isCancelled(error), created: made.deployment };
  }
}

/** A draft of a deployment that has nothing to build until its source is there. */
function withoutBuild(draft: DeploymentDraft): DeploymentDraft {
  return draft.source === 'internal_source' ? { ...draft, configPath: '', tarballPath: undefined } : draft;
}

/**
 * The request to show for a folder: it creates the deployment, or updates it to build the upload.
 * A placeholder stands for the path of the upload, because the service chooses that.
 */
export function folderRequest(plan: DeploymentPlan, update: Sending['update']): Pick<Sending, 'plan' | 'update'> {
  if (update === undefined) return { plan: { ...plan, draft: withoutBuild(plan.draft) }, update };
  const patch = buildPatch(plan.draft, update, vscode.l10n.t('<path of the upload>'));
  return { plan, update: { ...update, change: { patch } } };
}

/** The update that has a deployment build an upload, with its other changes. */
function buildPatch(
  draft: DeploymentDraft,
  { change }: NonNullable<Sending['update']>,
  objectPath: string,
): DeploymentPatch {
  const configPath = 'configPath' in draft ? draft.configPath : '';
  return {
    ...change.patch,
    revision_source: 'internal_source',
    source_revision_config: { source_tarball_path: objectPath, graph_config_path: configPath },
  };
}

/** Keeps in mind which deployment a folder belongs to. */
async function remember(sending: Sending, { id: deploymentId }: Deployment): Promise<void> {
  const { services, plan } = sending;
  const { draft, session } = plan;
  const configPath = 'configPath' in draft ? draft.configPath : '';
  await rememberFolder(services.workspaceMemory, session, placeOf(sending), { deploymentId, configPath });
}

function placeOf({ folder }: Sending): string {
  return folder.place.folder.toString();
}

/** Uploads an archive, and has the deployment build it. */
async function sendArchive(
  sending: Sending,
  update: NonNullable<Sending['update']>,
  { archive, size }: { readonly archive: string; readonly size: number },
  { signal, say }: Progress,
): Promise<SentDeployment> {
  const { services, plan, folder } = sending;
  const { capabilities, workspaceMemory, clock } = services;
  const { session, draft } = plan;
  const { target } = update;
  const subject = { deploymentId: target.id };
  await remember(sending, target);
  const objectPath = await useCapability(capabilities, session, 'upload', subject, async ({ changes }) => {
    const content = Readable.from(counted(archive, size, say));
    return changes.upload(target.id, { content, size }, { signal });
  });
  say(vscode.l10n.t('Starting the build…'));
  const patch = buildPatch(draft, update, objectPath);
  const updating = useCapability(capabilities, session, 'update', subject, async ({ changes }) =>
    changes.update(target.id, patch, { latest: target.latest_revision_id, signal }),
  );
  const unsure = vscode.l10n.t('The request was cancelled, but {0} may build the upload.', target.name);
  const deployment = await orUnsure(updating, unsure);
  const { latest_revision_id: revisionId } = deployment;
  const isUnrevised = revisionId === target.latest_revision_id;
  if (revisionId !== undefined && !isUnrevised) {
    const note = { host: hostname(), at: clock.now(), checkout: folder.checkout };
    await rememberUpload(workspaceMemory, revisionId, uploadNoteWords(note));
  }
  return { kind: 'uploaded', deployment, isUnrevised };
}

async function pack({ folder }: Sending, archive: string, { signal, say }: Progress): Promise<number> {
  const { files } = folder.contents;
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
    throw new UserError(vscode.l10n.t('{0} changed while the folder was packed. Deploy again.', error.path));
  }
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

/** Does something with a new folder that only the user can read. Removes those that nobody uses any longer. */
async function inTemporaryFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const old = path.join(parent, name);
    const found = await stat(old).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - longestUse) await rm(old, { recursive: true, force: true });
  }
  const folder = await mkdtemp(path.join(parent, 'upload-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
