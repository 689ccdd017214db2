import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const serviceFileShape = z.object({ url: z.string(), apiKey: z.string().min(1), pid: z.int() });

/** What `service.json` tells other processes of this person: where the service listens and with which key. */
export type ServiceFile = z.infer<typeof serviceFileShape>;

/**
 * Reads `service.json` of a data folder. The file stays when a service ends, because the key belongs to the folder.
 * Undefined when there is none or it cannot be read.
 */
export async function readServiceFile(dataFolder: string): Promise<ServiceFile | undefined> {
  try {
    const content = await readFile(path.join(dataFolder, 'service.json'), 'utf8');
    return serviceFileShape.parse(JSON.parse(content));
  } catch {
    // A missing, cut off or foreign file means the same to every caller: no service can be found through it.
    return undefined;
  }
}

/** Writes `service.json` in one step, so that a reader never sees half of it, readable for its owner only. */
export async function writeServiceFile(dataFolder: string, content: ServiceFile): Promise<void> {
  const file = path.join(dataFolder, 'service.json');
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
