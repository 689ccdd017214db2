// Runs the local service alone, for trying the interface with curl. Options go through: npm run serve -- --step-ms 200
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

const script = path.join(import.meta.dirname, '../../dist/localService.js');
const child = spawn(process.execPath, [script, ...process.argv.slice(2)], { stdio: ['ignore', 'pipe', 'inherit'] });
// The terminal sends Ctrl+C to the service too; this process waits for its end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

for await (const line of createInterface({ input: child.stdout })) {
  const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
  console.log(`The local service listens at ${url} (Ctrl+C ends it). For example:`);
  console.log(`  curl -H 'X-Api-Key: ${apiKey}' ${url}/v2/deployments`);
  console.log(`  curl -H 'X-Api-Key: ${apiKey}' ${url}/openapi.json`);
}
