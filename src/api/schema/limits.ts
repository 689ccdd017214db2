/** The largest response to read, in decoded bytes. A service that sends more is broken or hostile. */
export const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** The most rows on one page of a list (the interface, "Limits"). */
export const MAX_PAGE_SIZE = 100;

/** The longest service text to show or log, in characters. */
export const MAX_TEXT_LENGTH = 500;

/** The longest log entry, in characters. */
export const MAX_ENTRY_LENGTH = 20_000;
