import { cancelled } from '../../src/api/errors.ts';
import { createTransport as createRealTransport } from '../../src/api/http/createTransport.ts';
import type { Transport, TransportOptions } from '../../src/api/http/transport.ts';
import { late } from './late.ts';

// Takes the place of `api/http/createTransport.ts` in a late build.

/** Creates a transport whose answers arrive late. */
export function createTransport(options: TransportOptions): Transport {
  const transport = createRealTransport(options);
  return {
    ...transport,
    async request(request) {
      const answer = await transport.request(request);
      await late('answer', request.signal).catch(() => {
        throw cancelled(request.origin, true);
      });
      return answer;
    },
  };
}
