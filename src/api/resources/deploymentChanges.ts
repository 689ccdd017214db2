import type { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { CallOptions, Http } from '../http/http.ts';
import { DEPLOYMENT_TYPES, isDeletion } from '../schema/enums.ts';
import { oneOf } from '../schema/wire.ts';
import { checkBeforeSending, pathStep } from './check.ts';
import { aboutAnother, changeShapeOf, deploymentReader } from './deployments.ts';
import type { Deployment, DeploymentCalls } from './deployments.ts';
import { isWorthLookingUp } from './lookUp.ts';
import { isUnreadable } from './page.ts';
import { readOne } from './reading.ts';
import type { Revision, RevisionCalls } from './revisions.ts';
import { toWire } from './wireNames.ts';

/** The sources whose revisions an update can change. */
const UPDATED_SOURCES = ['repohost', 'internal_docker', 'internal_source'] as const;

/**
 * The body of PATCH /v2/deployments/{deployment_id}, which the document doesn't have. Every field is optional.
 * `secrets` replaces the whole environment, `resource_spec` the whole spec; an empty list of secrets changes nothing.
 */
export const deploymentPatchWire = patchOf(DEPLOYMENT_TYPES);

function patchOf<const Types extends readonly string[]>(deploymentTypes: Types) {
  return z.strictObject({ revision_source: oneOf(UPDATED_SOURCES).nullish(), ...changeShapeOf(deploymentTypes) });
}

/** The answer to POST /v2/deployments/{deployment_id}/upload-url. */
export const uploadPlaceWire = z.object({ upload_url: z.string(), object_path: z.string() });

/** The largest archive that a service takes, in bytes. */
export const MAX_UPLOAD_BYTES = 209_715_200;

export type DeploymentPatch = z.infer<ReturnType<typeof patchOf<readonly string[]>>>;

/** A change that makes a new revision. */
export interface RevisionOptions extends CallOptions {
  /** The latest revision before the change. What is newer may be its result. */
  readonly latest: string | undefined;
}

/** An archive to upload. */
export interface Archive {
  /** A gzip-compressed tar file. */
  readonly content: Readable;
  /** In bytes. */
  readonly size: number;
}

/**
 * What the public service and the local service can change about a deployment, which the document doesn't have.
 * Nothing is sent twice. Fails only with ApiError.
 */
export function createDeploymentChanges(http: Http, deployments: DeploymentCalls, revisions: RevisionCalls) {
  const pathOf = (deploymentId: string): string => `/v2/deployments/${pathStep('deployment_id', deploymentId)}`;
  const revisionPath = (deploymentId: string, revisionId: string): string =>
    `${pathOf(deploymentId)}/revisions/${pathStep('revision_id', revisionId)}`;

  function updateCall(deploymentId: string, patch: DeploymentPatch) {
    return { method: 'PATCH', path: pathOf(deploymentId), body: toWire(patch, http.flavor) } as const;
  }

  /**
   * Reads the record after a change, or finds it if the answer is missing.
   * It's the result if the one revision that is newer than `latest` is as wanted.
   */
  async function changed(
    deploymentId: string,
    answer: () => Promise<unknown>,
    { latest, signal }: RevisionOptions,
    isWanted: (revision: Revision) => boolean,
  ): Promise<Deployment> {
    try {
      const record = readOne(http, deploymentReader, await answer());
      if (record.id.toLowerCase() === deploymentId.toLowerCase()) return record;
      throw aboutAnother(http.origin);
    } catch (error) {
      if (!isWorthLookingUp(error)) throw error;
      const newer = await revisionsAfter(deploymentId, latest, signal).catch(() => undefined);
      const [made, other] = newer ?? [];
      if (made !== undefined && other === undefined && isWanted(made)) {
        const record = await deployments.find(deploymentId, { signal }).catch(() => undefined);
        if (record?.latest_revision_id === made.id) return record;
      }
      error.message += ` ${revisionOutcome(newer?.length)}`;
      throw error;
    }
  }

  async function revisionsAfter(id: string, latest: string | undefined, signal?: AbortSignal): Promise<Revision[]> {
    const { resources } = await revisions.list(id, { limit: 3 }, { signal });
    const rows = resources.flatMap((row) => (isUnreadable(row) ? [] : [row]));
    const end = rows.findIndex((row) => row.id === latest);
    return end < 0 ? rows : rows.slice(0, end);
  }

  return {
    /**
     * PATCH /v2/deployments/{deployment_id}. A new environment, ref, config path, image or spec makes a new revision.
     * If the outcome is unknown, it looks for the new revision, and says in the message what it found.
     */
    async update(deploymentId: string, patch: DeploymentPatch, options: RevisionOptions): Promise<Deployment> {
      checkBeforeSending(patchOf(http.flavor.deploymentTypes), patch);
      const { source_revision_config: wanted } = patch;
      return changed(
        deploymentId,
        async () => http.send(updateCall(deploymentId, patch), options),
        options,
        (made) => wanted !== undefined && wanted !== null && hasConfig(made, wanted, Object.keys(wanted)),
      );
    },

    /** The request that `update` sends for a patch, without the key and values that may be secret. Sends nothing. */
    describeUpdate: (deploymentId: string, patch: DeploymentPatch) => http.describe(updateCall(deploymentId, patch)),

    /**
     * POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy: a new revision with an earlier one's config.
     * If the outcome is unknown, it looks for the new revision, and says in the message what it found.
     */
    async redeploy(deploymentId: string, revision: Revision, options: RevisionOptions): Promise<Deployment> {
      const path = `${revisionPath(deploymentId, revision.id)}/redeploy`;
      const config = revision.source_revision_config ?? {};
      return changed(
        deploymentId,
        async () => http.send({ method: 'POST', path }, options),
        options,
        (made) => hasConfig(made, config, ['repo_ref', 'graph_config_path', 'image_uri', 'source_tarball_path']),
      );
    },

    /**
     * POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interruption.
     * If the outcome is unknown, the revision's status tells whether it worked.
     */
    async interrupt(deploymentId: string, revisionId: string, options?: CallOptions): Promise<void> {
      const path = `${revisionPath(deploymentId, revisionId)}/interruption`;
      try {
        await http.perform({ method: 'POST', path }, options);
      } catch (error) {
        if (!isWorthLookingUp(error)) throw error;
        const revision = await revisions.get(deploymentId, revisionId, options).catch(() => undefined);
        if (revision?.status === 'INTERRUPTED') return;
        error.message += ` ${l10n.t("It isn't known whether the build was stopped. Refresh to see its status.")}`;
        throw error;
      }
    },

    /**
     * DELETE /v2/deployments/{deployment_id}. The service removes it in stages, and its name may stay taken meanwhile.
     * If the outcome is unknown, its absence or its status tells whether it worked.
     */
    async remove(deploymentId: string, deleteTracingProject: boolean, options?: CallOptions): Promise<void> {
      const query = { delete_tracing_project: deleteTracingProject };
      try {
        await http.perform({ method: 'DELETE', path: pathOf(deploymentId), query }, options);
      } catch (error) {
        if (!isWorthLookingUp(error)) throw error;
        const found = await deployments.find(deploymentId, options).then(
          (record) => record?.status ?? 'gone',
          () => 'unknown',
        );
        if (found === 'gone' || isDeletion(found)) return;
        error.message += ` ${l10n.t("It isn't known whether the deployment will be deleted. Refresh to see its status.")}`;
        throw error;
      }
    },

    /**
     * Uploads an archive for a deployment with the source `internal_source`, and returns the path for its next revision
     * (`source_tarball_path`). The archive goes to a signed address, which gets neither the key nor the own headers.
     */
    async upload(deploymentId: string, { content, size }: Archive, options?: CallOptions): Promise<string> {
      const answer = await http.send({ method: 'POST', path: `${pathOf(deploymentId)}/upload-url` }, options);
      const place = readOne(http, uploadPlaceWire, answer);
      const headers = {
        'content-type': 'application/gzip',
        'x-goog-content-length-range': `0,${MAX_UPLOAD_BYTES}`,
      };
      await http.upload({ address: place.upload_url, headers, content, size }, options);
      return place.object_path;
    },
  };
}

/** Whether a revision has these values of a config. */
function hasConfig({ source_revision_config: made = {} }: Revision, config: object, names: readonly string[]): boolean {
  const has = new Map<string, unknown>(Object.entries(made));
  const wanted = new Map<string, unknown>(Object.entries(config));
  return names.every((name) => (has.get(name) ?? undefined) === (wanted.get(name) ?? undefined));
}

/** What a lookup after a change with an unknown outcome found: how many revisions are newer, if it could be asked. */
function revisionOutcome(newer: number | undefined): string {
  if (newer === undefined) return l10n.t("A new revision may have been made. The service couldn't be asked.");
  if (newer === 0) return l10n.t("A new revision may have been made, but isn't listed yet.");
  return l10n.t('A new revision now exists. Look at it before you try again.');
}
