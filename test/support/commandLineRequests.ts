import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const purposes = [
  'list',
  'create',
  'get',
  'makeAddress',
  'upload',
  'update',
  'listRevisions',
  'getRevision',
  'buildLog',
  'deployLog',
  'applicationLog',
  'delete',
] as const;

const request = z.strictObject({
  purpose: z.enum(purposes),
  method: z.string(),
  /** With placeholders for what earlier answers named. */
  path: z.string(),
  query: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.record(z.string(), z.unknown()).optional(),
});

export type ToolPurpose = (typeof purposes)[number];
export type ToolRequest = z.infer<typeof request>;

/**
 * What the public command-line tools send, command by command, in the order in which they do: facts read from their
 * sources, with the document's names. They leave out what they found in packages (`tracked_packages`).
 */
export const { commands: toolCommands } = z
  .strictObject({
    tools: z.array(z.strictObject({ name: z.string(), version: z.string() })),
    commands: z.array(z.strictObject({ command: z.string(), requests: z.array(request) })),
  })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../fixtures/commandLineRequests.json'), 'utf8')));

/** The request with values in place of its placeholders. */
export function filledIn(wanted: ToolRequest, values: Readonly<Record<string, string>>): ToolRequest {
  return JSON.parse(
    JSON.stringify(wanted).replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder),
  ) as ToolRequest;
}
