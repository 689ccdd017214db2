// Runs inside an extension host; test/bench/detection.bench.mts builds and starts it.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { RemoteAddresses } from '../../../src/ui/workspace/openRemotes.ts';
import { RealRemotes } from '../../../src/ui/workspace/isolatedGit.ts';
import { readWorkspaceRepository } from '../../../src/ui/workspace/findRepository.ts';
import { openGit } from '../../../src/ui/workspace/gitExtension.ts';

const rounds = 8;

/** Detects the repository of the open folder again and again, and writes the times to a file as JSON. */
export async function run(): Promise<void> {
  // The first scan of git is its own, and is waited for before the command that is measured.
  await openGit();
  const addresses = new RemoteAddresses(async () => new RealRemotes(tmpdir()), { debug: () => undefined });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now();
    const repository = await readWorkspaceRepository(addresses);
    times.push(performance.now() - begin);
    const found = repository?.configPaths.length;
    if (String(found) !== process.env['DETECTION_CONFIGS']) throw new Error(`${found} config files were found.`);
  }
  writeFileSync(process.env['DETECTION_FILE'] ?? '', JSON.stringify(times));
}
