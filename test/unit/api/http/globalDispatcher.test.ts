import { describe, expect, it } from 'vitest';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import { bundledClient } from './bundledClient.ts';

/**
 * Runs in a process of its own: loads the bundle, uses it, and prints whether the two process-wide dispatchers are the
 * very same values as before.
 */
const PROBE = `
const symbols = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));
const [, bundle, url, ...set] = process.argv;
for (const index of set) {
  const value = { dispatch() { throw new Error('The process-wide dispatcher was used.'); } };
  Object.defineProperty(globalThis, symbols[index], { value, writable: true, configurable: true });
}
const look = () => symbols.map((symbol) => globalThis[symbol]);
const before = look();
const { createClient, createTransport } = require(bundle);
const transports = [
  createTransport({ mode: 'undici', environment: {} }),
  createTransport({ mode: 'undici', proxy: 'http://127.0.0.1:9', noProxy: ['127.0.0.1'] }),
];
(async () => {
  for (const transport of transports) {
    const client = createClient({ baseUrl: url, auth: async () => 'key', transport });
    await client.deployments.list();
    await client.close();
  }
  const after = look();
  const same = before.every((value, index) => value === after[index]);
  console.log(JSON.stringify({ same, before: before.map((value) => typeof value) }));
})();
`;

const client = bundledClient();

describe('the bundled client', () => {
  it.each([
    { name: 'both are unset', set: [], before: ['undefined', 'undefined'] },
    { name: 'both are set', set: ['0', '1'], before: ['object', 'object'] },
    { name: 'only the first is set, as in VS Code 1.106', set: ['0'], before: ['object', 'undefined'] },
  ])('leaves the process-wide undici dispatchers unchanged $name', async ({ set, before }) => {
    await using server = await startFaultServer();
    server.answer(json({ resources: [], offset: 0 }));
    expect(JSON.parse(await client.run(PROBE, [server.url, ...set]))).toEqual({ same: true, before });
    expect(server.count('GET')).toBe(2);
  });
});
