export type Fields = Record<string, unknown>;

export interface Overrides {
  readonly [field: string]: unknown;
  readonly source_config?: Fields;
  readonly source_revision_config?: Fields;
}

/** The body that creates a deployment from a container image; what a test does not care about is filled in. */
export function imageBody(name: string, overrides: Overrides = {}): Fields {
  const { source_config: config, source_revision_config: revisionConfig, ...rest } = overrides;
  return {
    name,
    source: 'external_docker',
    source_config: { ...config },
    source_revision_config: { image_uri: 'registry.example/acme/agent:1.0', ...revisionConfig },
    secrets: [],
    ...rest,
  };
}
