import * as z from 'zod';
import { freeForm, whole } from './wire.ts';

/** "Volume mounts" of the resource spec and of a container. Like all Kubernetes objects, keeps other fields. */
export const volumeMountWire = z.looseObject({
  name: z.string().nullish(),
  mountPath: z.string().nullish(),
  subPath: z.string().nullish(),
  mountPropagation: z.string().nullish(),
  readOnly: z.boolean().nullish(),
  subPathExpr: z.string().nullish(),
});

/** "Volumes" of the resource spec: a name and one free-form member for the kind of volume. */
export const volumeWire = z.looseObject({
  name: z.string().nullish(),
  configMap: freeForm.nullish(),
  secret: freeForm.nullish(),
  emptyDir: freeForm.nullish(),
  persistentVolumeClaim: freeForm.nullish(),
  nfs: freeForm.nullish(),
  projected: freeForm.nullish(),
  downwardAPI: freeForm.nullish(),
  csi: freeForm.nullish(),
});

/** An environment variable of a container. Its `value` can be a secret and is redacted in all text. */
const environmentVariableWire = z.looseObject({
  name: z.string().nullish(),
  value: z.string().nullish(),
  valueFrom: freeForm.nullish(),
});

/** "Container": an init container or a sidecar. */
export const containerWire = z.looseObject({
  name: z.string().nullish(),
  image: z.string().nullish(),
  imagePullPolicy: z.string().nullish(),
  workingDir: z.string().nullish(),
  restartPolicy: z.string().nullish(),
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  env: z.array(environmentVariableWire).nullish(),
  envFrom: z.array(freeForm).nullish(),
  resources: z.looseObject({ limits: freeForm.nullish(), requests: freeForm.nullish() }).nullish(),
  volumeMounts: z.array(volumeMountWire).nullish(),
  securityContext: freeForm.nullish(),
});

const cores = z.number().describe('Cores; fractions are allowed.').nullish();
const megabytes = whole().describe('Memory in MB, whole units.').nullish();
const replicas = whole().describe('Number of replicas, whole units.').nullish();

/**
 * "Resource spec". No field is required, and null equals absent.
 * CPU in cores (fractions allowed), memory in whole MB, scale in whole replicas, storage in Gi.
 */
export const resourceSpecWire = z.object({
  min_scale: replicas,
  max_scale: replicas,
  cpu: cores,
  cpu_limit: cores,
  memory_mb: megabytes,
  memory_limit_mb: megabytes,
  queue_min_scale: replicas,
  queue_max_scale: replicas,
  queue_cpu: cores,
  queue_cpu_limit: cores,
  queue_memory_mb: megabytes,
  queue_memory_limit_mb: megabytes,
  orchestrator_cpu: cores,
  orchestrator_cpu_limit: cores,
  orchestrator_memory_mb: megabytes,
  orchestrator_memory_limit_mb: megabytes,
  orchestrator_min_scale: replicas,
  orchestrator_max_scale: replicas,
  executor_cpu: cores,
  executor_cpu_limit: cores,
  executor_memory_mb: megabytes,
  executor_memory_limit_mb: megabytes,
  redis_cpu: cores,
  redis_cpu_limit: cores,
  redis_memory_mb: megabytes,
  redis_memory_limit_mb: megabytes,
  db_cpu: cores,
  db_cpu_limit: cores,
  db_memory_mb: megabytes,
  db_memory_limit_mb: megabytes,
  db_storage_gi: z.number().describe('Storage in Gi.').nullish(),
  db_max_connections: z.number().describe('Number of connections.').nullish(),
  labels: freeForm.nullish(),
  annotations: freeForm.nullish(),
  service_account_name: z.string().nullish(),
  image_pull_secrets: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
  volumes: z.array(volumeWire).nullish(),
  volume_mounts: z.array(volumeMountWire).nullish(),
  init_containers: z.array(containerWire).nullish(),
  sidecars: z.array(containerWire).nullish(),
});

export type VolumeMount = z.infer<typeof volumeMountWire>;
export type Volume = z.infer<typeof volumeWire>;
export type EnvironmentVariable = z.infer<typeof environmentVariableWire>;
export type Container = z.infer<typeof containerWire>;
export type ResourceSpec = z.infer<typeof resourceSpecWire>;
