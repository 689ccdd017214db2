import * as z from 'zod';
import { DEPLOYMENT_TYPES } from './enums.ts';
import { resourceSpecWire } from './resourceSpec.ts';
import { oneOf, uuid, writable } from './wire.ts';

/**
 * "Source config": settings that are fixed or need no new revision to change. Every field is nullable.
 * A flavor has deployment types of its own.
 */
export function sourceConfigOf<const Types extends readonly string[]>(deploymentTypes: Types) {
  return z.object({
    integration_id: uuid.nullish(),
    repo_url: z.string().nullish(),
    deployment_type: oneOf(deploymentTypes).nullish(),
    build_on_push: z.boolean().nullish(),
    custom_url: z.string().nullish(),
    resource_spec: resourceSpecWire.nullish(),
    listener_id: uuid.nullish(),
    listener_config: z.object({ k8s_namespace: z.string().nullish() }).nullish(),
    install_command: z.string().nullish(),
    build_command: z.string().nullish(),
  });
}

/** "Source config" with the deployment types of the document. */
export const sourceConfigWire = sourceConfigOf(DEPLOYMENT_TYPES);

const sourceRevisionConfigShape = {
  repo_ref: z.string().nullish(),
  graph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
  source_tarball_path: z.string().nullish(),
};

/** "Source revision config" in responses. Every field is nullable. */
export const sourceRevisionConfigWire = z.object({
  ...sourceRevisionConfigShape,
  repo_commit_sha: z.string().nullish(),
});

/** "Source revision config" of a create request. Only responses have `repo_commit_sha`. */
export const sourceRevisionConfigCreateWire = writable(sourceRevisionConfigShape, ['repo_commit_sha']);

export type SourceConfig = z.infer<typeof sourceConfigWire>;
export type SourceRevisionConfigCreate = z.infer<z.ZodObject<typeof sourceRevisionConfigShape>>;
