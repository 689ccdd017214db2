import * as l10n from '@vscode/l10n';
import { ApiError } from './errors.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/** The caller's signal was aborted, or the client was closed. */
export function cancelled(origin: string, sent: boolean): ApiError {
  return new ApiError({ kind: 'cancelled', message: l10n.t('The request to {0} was cancelled.', origin), sent });
}

/** No complete answer in time. */
export function timedOut(origin: string, timeoutMs: number, sent: boolean): ApiError {
  return new ApiError({
    kind: 'timeout',
    message: l10n.t(
      '{0} did not answer within {1} seconds. Try again, or raise the setting deploymentManager.network.timeoutSeconds.',
      origin,
      timeoutMs / 1000,
    ),
    sent,
  });
}

/** The answer is longer than the client is willing to hold. */
export function tooLarge(origin: string): ApiError {
  return unexpected(
    l10n.t('{0} sent an answer of more than {1} MB. It was not read.', origin, MAX_BODY_BYTES / 1024 / 1024),
  );
}

/** The service answered, but not with what the interface says. */
export function unexpected(message: string, status?: number): ApiError {
  return new ApiError({ kind: 'unexpectedResponse', message, status, sent: true });
}

/** The client refuses to send something; nothing left this machine. */
export function refused(message: string): ApiError {
  return new ApiError({ kind: 'invalid', message, sent: false });
}
