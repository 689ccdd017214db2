import type { Dispatcher } from 'undici';
import { cancelled, timedOut, tooLarge } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import { MAX_BODY_BYTES } from '../schema/limits.ts';
import { ReceivedBody } from './receivedBody.ts';
import type { TransportRequest, TransportResponse } from './transport.ts';

/** Converts an undici error to an ApiError. `sent` says whether the request had left the queue. */
export type Classify = (cause: unknown, sent: boolean) => ApiError;

/**
 * Sends one request over a dispatcher and collects the response, whose body may be compressed.
 * Drives the dispatcher directly: only its handler learns when the request leaves the queue and the timeout starts.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: TransportRequest,
  classify: Classify,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const { origin, timeoutMs, signal } = request;
    const handler = new ExchangeHandler({ origin, timeoutMs, signal }, classify, resolve, reject);
    if (handler.isSettled) return;
    try {
      dispatcher.dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: request.method,
          headers: { ...request.headers },
          body: request.body ?? null,
        },
        handler,
      );
    } catch (error) {
      handler.onResponseError(undefined, error);
    }
  });
}

/** The request without its body. An error can keep the handler in memory, and a body may hold secrets. */
type Answered = Pick<TransportRequest, 'origin' | 'timeoutMs' | 'signal'>;

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #request: Answered;
  readonly #classify: Classify;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: ApiError) => void;
  readonly #onAbort = () => this.#fail(cancelled(this.#request.origin, this.#controller !== undefined));
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: ApiError | undefined;
  #settled = false;
  #status = 0;
  #headers: TransportResponse['headers'] = {};
  #body = new ReceivedBody();

  constructor(
    request: Answered,
    classify: Classify,
    resolve: (response: TransportResponse) => void,
    reject: (error: ApiError) => void,
  ) {
    this.#request = request;
    this.#classify = classify;
    this.#resolve = resolve;
    this.#reject = reject;
    request.signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (request.signal?.aborted === true) this.#onAbort();
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure !== undefined) {
      controller.abort(this.#failure);
      return;
    }
    this.#controller = controller;
    const { origin, timeoutMs } = this.#request;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(timedOut(origin, timeoutMs, true)), timeoutMs);
  }

  onResponseStart(_controller: unknown, status: number, headers: TransportResponse['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) this.#fail(tooLarge(this.#request.origin));
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#settled) return;
    if (!this.#body.add(chunk)) this.#fail(tooLarge(this.#request.origin));
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settle();
    this.#controller = undefined;
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body.bytes });
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    if (this.#settled) return;
    this.#fail(this.#classify(cause, this.#controller !== undefined));
  }

  #fail(error: ApiError): void {
    if (this.#settled) return;
    this.#failure = error;
    this.#settle();
    this.#body = new ReceivedBody();
    this.#reject(error);
    this.#controller?.abort(error);
    this.#controller = undefined;
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }
}
