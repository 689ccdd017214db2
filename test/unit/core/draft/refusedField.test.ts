import { expect, it } from 'vitest';
import { refusedField } from '../../../../src/core/draft/createRequest.ts';

it.each([
  ["'source_config.listener_id' is required for workspace with available listener IDs: [a]", 'listener'],
  ["'source_config.listener_config.k8s_namespace' is not a namespace of the listener.", 'kubernetesNamespace'],
  ['install_command has characters that are not allowed', 'installCommand'],
  ['build_command has characters that are not allowed', 'buildCommand'],
  ['Quota exceeded.', undefined],
])('the refusal %j is about %s', (message, field) => {
  expect(refusedField(message)).toBe(field);
});
