import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceFile } from '../api/localService.ts';

/**
 * Writes `service.json` for its owner only and in one step, so that nobody reads half of it. It is synchronous, so that
 * a service that is told to end meanwhile leaves no address behind.
 */
export function writeServiceFile(dataFolder: string, content: ServiceFile & { readonly pid?: number }): void {
  const file = path.join(dataFolder, 'service.json');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
