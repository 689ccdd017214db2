import { hideValues } from './hideValues.ts';
import { isKeyHeader, MASK } from './redact.ts';
import { composeRequest, type Call, type RequestOptions } from './request.ts';

/** A request as it is sent, except for the key and for values that may be secret. */
export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in one line; empty if there is none. */
  readonly body: string;
}

/** Stands for the API key, as a shell reads it. */
export const keyPlaceholder = '$API_KEY';

/** Puts a request together as for sending, with a placeholder for the key and masks for other secrets. */
export function describeRequest(options: RequestOptions, call: Call): DescribedRequest {
  const headers = Object.fromEntries(
    Object.entries(options.headers).map(([name, value]) => [name, isKeyHeader(name) ? '***' : value]),
  );
  const masked = { ...call, body: hideValues(call.body, () => MASK) };
  const request = composeRequest({ ...options, headers }, masked, keyPlaceholder);
  return {
    method: request.method,
    url: request.origin + request.path,
    headers: request.headers,
    body: request.body ?? '',
  };
}
