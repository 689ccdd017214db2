import * as z from 'zod';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import { deploymentCreateWire, deploymentWire } from '../../api/resources/deployments.ts';
import { integrationWire, repositoryWire } from '../../api/resources/integrations.ts';
import { listenerCreateWire, listenerWire } from '../../api/resources/listeners.ts';
import { oauthProviderPatchWire, oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import { revisionWire } from '../../api/resources/revisions.ts';
import { containerWire, resourceSpecWire } from '../../api/schema/resourceSpec.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

type Direction = 'input' | 'output';

/**
 * Converts zod schemas to JSON Schema and collects the named ones for references.
 * Requests and answers have separate names, because a schema can differ between them: a request may have unknown
 * fields, which are ignored, but an answer has none.
 */
export class JsonSchemas {
  readonly #names = { input: requestNames(), output: answerNames() };
  readonly #components = new Map<string, JsonSchema>();

  /** The schemas that others refer to, by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  of(schema: z.ZodType, direction: Direction): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, {
      metadata: this.#names[direction],
      io: direction,
    });
    for (const [name, definition] of Object.entries($defs)) this.#components.set(name, withComponentRefs(definition));
    return withComponentRefs(rest);
  }
}

function requestNames(): z.core.$ZodRegistry<{ id: string }> {
  return z
    .registry<{ id: string }>()
    .add(deploymentCreateWire, { id: 'DeploymentCreate' })
    .add(listenerCreateWire, { id: 'ListenerCreate' })
    .add(oauthProviderPatchWire, { id: 'OAuthProviderPatch' })
    .add(resourceSpecWire, { id: 'ResourceSpecCreate' })
    .add(containerWire, { id: 'ContainerCreate' });
}

function answerNames(): z.core.$ZodRegistry<{ id: string }> {
  return z
    .registry<{ id: string }>()
    .add(deploymentWire, { id: 'Deployment' })
    .add(revisionWire, { id: 'Revision' })
    .add(listenerWire, { id: 'Listener' })
    .add(repositoryWire, { id: 'Repository' })
    .add(integrationWire, { id: 'Integration' })
    .add(oauthProviderWire, { id: 'OAuthProvider' })
    .add(agentConnectionWire, { id: 'AgentConnection' })
    .add(resourceSpecWire, { id: 'ResourceSpec' })
    .add(containerWire, { id: 'Container' });
}

/** Points references to the description's shared schemas instead of each schema's own `$defs`. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
