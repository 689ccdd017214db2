import type { Logger } from '../../src/api/redaction/redact.ts';

/** A log that keeps nothing. */
export const silentLog: Logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
