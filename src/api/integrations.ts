import * as z from 'zod';
import { lenient } from './lenient.ts';
import { uuid } from './wire.ts';

/** "Repository record" as the document writes it; `id` is a number of the code host, not a UUID. */
export const repositoryWire = z.object({
  host_integration_id: uuid,
  id: z.int(),
  name: z.string(),
  owner: z.string(),
  url: z.string(),
  default_branch: z.string(),
});

/** "Integration record" as the document writes it: an installation on the code host; `name` is the account. */
export const integrationWire = z.object({
  id: uuid,
  installation_id: z.int(),
  name: z.string(),
});

/** Reads a Repository record of an answer. */
export const repositoryReader = lenient(repositoryWire);

/** Reads an Integration record of an answer. */
export const integrationReader = lenient(integrationWire);

export type RepositoryWire = z.infer<typeof repositoryWire>;
export type Repository = z.infer<typeof repositoryReader>;
export type IntegrationWire = z.infer<typeof integrationWire>;
export type Integration = z.infer<typeof integrationReader>;
