import type { Finding } from './preflightInput.ts';

/** The names of the interface that a refusal may complain about, and the fields of a draft behind them. */
const fields = [
  ['k8s_namespace', 'kubernetesNamespace'],
  ['listener_id', 'listener'],
  ['install_command', 'installCommand'],
  ['build_command', 'buildCommand'],
] as const satisfies readonly (readonly [string, Finding['field']])[];

/** The option that a service complains about in a message, so that the message leads to it. */
export function refusedField(message: string): Finding['field'] {
  return fields.find(([name]) => message.includes(name))?.[1];
}
