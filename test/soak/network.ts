import { ApiError } from '../../src/api/errors.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../src/api/http/transport.ts';
import type { Random } from './random.ts';
import type { ServiceModel } from './serviceModel.ts';
import type { Machine } from './simulatedTime.ts';

/** What lies between a machine and the services. */
export type Weather = 'good' | 'offline' | 'portal' | 'gateway' | 'flaky' | 'slow';

const second = 1_000;

/** The network of one machine. */
export class Network {
  readonly machine: Machine;
  readonly #random: Random;
  weather: Weather = 'good';
  /** The services that refuse the key of this machine. */
  readonly refusing = new Set<ServiceModel>();

  constructor(machine: Machine, random: Random) {
    this.machine = machine;
    this.#random = random;
  }

  /** Whether answers of a service come back, at least some. */
  reaches(service: ServiceModel): boolean {
    const isOpen = this.weather === 'good' || this.weather === 'flaky' || this.weather === 'slow';
    return isOpen && !this.machine.isAsleep && !service.isDown && !service.isStopped && !this.refusing.has(service);
  }

  /** A transport to a service. Its requests are counted until it is closed. */
  transportTo(
    service: ServiceModel,
    onRequest: (path: string) => void,
  ): Transport & { readonly running: () => number } {
    let running = 0;
    return {
      running: () => running,
      request: async (request) => {
        onRequest(request.path);
        running += 1;
        return this.#exchange(service, request).finally(() => (running -= 1));
      },
      close: async () => undefined,
      retire: async () => undefined,
    };
  }

  #exchange(service: ServiceModel, { path, signal, timeoutMs }: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const { time } = this.machine;
      const planned = new Set<{ dispose(): void }>();
      const settle = (outcome: () => void): void => {
        for (const each of planned) each.dispose();
        signal?.removeEventListener('abort', abort);
        outcome();
      };
      const abort = (): void => settle(() => reject(failure('cancelled')));
      signal?.addEventListener('abort', abort, { once: true });
      const plan = (delay: number, happen: () => void): void => void planned.add(time.plan(delay, happen));
      /** What arrives while the machine sleeps is found when it wakes, if the connection lives so long. */
      const deliver = (outcome: () => void): void => {
        if (!this.machine.isAsleep) return settle(outcome);
        const lives = this.#random.chance(0.3);
        planned.add(this.machine.onWake(() => settle(lives ? outcome : () => reject(failure('network')))));
      };
      const latency = this.#latency();
      const fate = this.#fate();
      if (fate === 'network') return plan(Math.min(latency, 200), () => deliver(() => reject(failure('network'))));
      if (fate === 'timeout') return plan(timeoutMs, () => deliver(() => reject(failure('timeout'))));
      if (latency >= timeoutMs) plan(timeoutMs, () => deliver(() => reject(failure('timeout'))));
      plan(latency * this.#random.fraction(), () => {
        if (service.isStopped) return deliver(() => reject(failure('network')));
        const answer = this.#answer(service, path, fate);
        plan(latency / 2, () => deliver(() => resolve(answer)));
      });
    });
  }

  #latency(): number {
    return this.weather === 'slow' ? this.#random.spread(500, 40 * second) : this.#random.spread(20, 900);
  }

  #fate(): 'answer' | 'network' | 'timeout' | 'portal' | 'gateway' | 'broken' | 'busy' {
    switch (this.weather) {
      case 'good':
      case 'slow':
        return 'answer';
      case 'offline':
        return this.#random.chance(0.9) ? 'network' : 'timeout';
      case 'portal':
        return 'portal';
      case 'gateway':
        return 'gateway';
      case 'flaky':
        return this.#random.weigh({ answer: 5, network: 2, timeout: 1, broken: 1, busy: 1, gateway: 1 });
    }
  }

  #answer(service: ServiceModel, path: string, fate: string): TransportResponse {
    if (fate === 'portal') return sent(200, '<!doctype html><title>Sign in to the network</title>');
    if (fate === 'gateway') return sent(404, '<html>no such site</html>');
    if (fate === 'broken') return sent(this.#random.pick([500, 502, 503, 504]), '{"detail":"out of order"}');
    if (fate === 'busy')
      return sent(429, '{"detail":"slow down"}', { 'retry-after': String(this.#random.between(1, 90)) });
    if (service.isDown) return sent(503, '{"detail":"starting"}');
    if (this.refusing.has(service)) return sent(401, '{"detail":"no"}');
    const body = service.answer(path);
    return body === undefined ? sent(404, '{"detail":"not found"}') : sent(200, JSON.stringify(body));
  }
}

function failure(kind: 'network' | 'timeout' | 'cancelled'): ApiError {
  return new ApiError({ kind, message: `simulated: ${kind}`, sent: true });
}

function sent(status: number, body: string, headers: Readonly<Record<string, string>> = {}): TransportResponse {
  return { status, headers, body: Buffer.from(body) };
}
