/** The largest response to read, in decoded bytes. A service that sends more is broken or hostile. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The most values in a response, members of objects included. Parsing more would stop the editor's extensions. */
export const MAX_VALUES = 100_000;

/**
 * The most texts and names in a response that consist of six or more digits. Node 22.20 hashes them without a seed, so
 * many chosen ones take seconds to parse.
 */
export const MAX_DIGIT_TEXTS = 5000;

/** The most members of an object in a response. */
export const MAX_MEMBERS = 2000;

/** How deep arrays and objects may be nested in a response. */
export const MAX_DEPTH = 64;

/** The most rows of a list without pages. */
export const MAX_ROWS = 10_000;

/** The most rows on one page of a list (the interface, "Limits"). */
export const MAX_PAGE_SIZE = 100;

/** The longest service text to show or log, in characters. */
export const MAX_TEXT_LENGTH = 500;

/** The longest log entry, in characters. */
export const MAX_ENTRY_LENGTH = 20_000;
