import { inspect } from 'node:util';
import { createClient } from '../../src/api/client.ts';
import type { Client, ClientOptions } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/errors.ts';
import type { Logger } from '../../src/api/redaction/redact.ts';
import { createTransport } from '../../src/api/http/createTransport.ts';
import type { TransportOptions } from '../../src/api/http/transport.ts';

export interface TestClient extends Client, AsyncDisposable {
  /** Everything that was logged, as text. */
  readonly logged: string[];
  /** How long the client wanted to wait before each repetition, in milliseconds; it did not wait in fact. */
  readonly waits: number[];
}

export type TestClientOptions = Partial<ClientOptions> & {
  baseUrl: string;
  /** Options of the transport; its mode is `undici` unless given. */
  network?: Partial<TransportOptions>;
};

/** A client whose log is kept and whose waits take no time. Use it with `await using`. */
export function testClient({ network, ...options }: TestClientOptions): TestClient {
  const logged: string[] = [];
  const waits: number[] = [];
  const keep = (...parts: unknown[]) => void logged.push(parts.map((part) => inspect(part)).join(' '));
  const log: Logger = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  const client = createClient({
    auth: async () => 'test-key-0123',
    transport: createTransport({ mode: 'undici', environment: {}, log, ...network }),
    log,
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  });
  return { ...client, logged, waits, [Symbol.asyncDispose]: () => client.close() };
}

/** The ApiError with which a call fails; a call that succeeds, or that fails with another error, fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const outcome = await call.then(
    () => 'The call succeeded.',
    (error: unknown) => error,
  );
  if (outcome instanceof ApiError) return outcome;
  throw new Error(`Not an ApiError: ${inspect(outcome)}`);
}
