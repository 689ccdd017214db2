/** The longest answer that is read, in bytes after decoding: a service that sends more is broken or hostile. */
export const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** The most rows that the service puts into one page of a list (the interface, "Limits"). */
export const MAX_PAGE_SIZE = 100;

/** The longest text of a service that is shown or logged, in characters. */
export const MAX_TEXT_LENGTH = 500;

/** The longest entry of the log, in characters. */
export const MAX_ENTRY_LENGTH = 20_000;
