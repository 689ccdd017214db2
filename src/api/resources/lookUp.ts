import * as l10n from '@vscode/l10n';
import { ApiError, type ApiErrorKind } from '../errors.ts';
import { MAX_PAGE_SIZE } from '../schema/limits.ts';
import { readRows, type ReadRows, type Unreadable } from './page.ts';

/** Whether a list has an item. Unknown if the list is too long or has unreadable rows. */
export type LookUp = 'found' | 'notFound' | 'unknown';

/** The result of searching a list, and the rows it read. */
export interface LookedUp<T> extends ReadRows<T> {
  readonly found: LookUp;
}

/** Three of the largest pages. Thousands of names may contain a short name. */
const mostRows = 3 * MAX_PAGE_SIZE;

/**
 * Searches the rows of a list, up to a limit.
 * @throws ApiError when a page can't be read.
 */
export async function lookUp<T extends object>(
  list: AsyncIterable<T | Unreadable>,
  isWanted: (row: T) => boolean,
): Promise<LookedUp<T>> {
  const { rows, isWhole } = await readRows(list, mostRows);
  if (rows.some(isWanted)) return { found: 'found', rows, isWhole };
  return { found: isWhole ? 'notFound' : 'unknown', rows, isWhole };
}

/** How to check on a create that failed. */
interface Attempt<T> {
  /** Finds out whether the resource exists now. */
  readonly lookUp: () => Promise<LookedUp<T>>;
  /** Whether only this create can have made a row. If missing, the create is never assumed to have worked. */
  readonly isMade?: ((row: T) => boolean) | undefined;
  /** Describes the result. */
  readonly words: (found: LookUp) => string;
}

/**
 * Looks for the resource of a failed create that may have worked and must not be sent again.
 * Returns the resource if nothing else can have made it.
 * @throws the failure, with the result of any lookup in its message
 */
export async function recoverCreate<T>(failure: unknown, { lookUp, isMade, words }: Attempt<T>): Promise<T> {
  if (!isWorthLookingUp(failure)) throw failure;
  const nothing: LookedUp<T> = { found: 'unknown', rows: [], isWhole: false };
  const { found, rows } = await lookUp().catch(() => nothing);
  const [made, other] = isMade === undefined ? [] : rows.filter(isMade);
  if (made !== undefined && other === undefined) return made;
  failure.message += ` ${words(found)}`;
  throw failure;
}

/** Describes the result of looking up a deployment after a create with an unknown outcome. */
export function deploymentOutcome(name: string, found: LookUp): string {
  switch (found) {
    case 'found':
      return l10n.t('A deployment named "{0}" now exists. Check it before you create another one.', name);
    case 'notFound':
      return l10n.t('The deployment "{0}" may have been created, but isn\'t listed yet.', name);
    case 'unknown':
      return l10n.t('The deployment "{0}" may have been created. The service couldn\'t be asked.', name);
  }
}

/** Describes the result of looking up a cluster after a registration with an unknown outcome. */
export function listenerOutcome(computeId: string, found: LookUp): string {
  switch (found) {
    case 'found':
      return l10n.t('The cluster "{0}" is now registered.', computeId);
    case 'notFound':
      return l10n.t('The cluster "{0}" may have been registered, but isn\'t listed yet.', computeId);
    case 'unknown':
      return l10n.t('The cluster "{0}" may have been registered. The service couldn\'t be asked.', computeId);
  }
}

/** Whether a failed request may still have taken effect. */
export function mayHaveWorked(error: unknown): error is ApiError {
  return error instanceof ApiError && error.sent && outcomeIsOpen.has(error.kind);
}

/** Whether a failed request may have taken effect, and the user still waits to be told. */
export function isWorthLookingUp(error: unknown): error is ApiError {
  return mayHaveWorked(error) && error.kind !== 'cancelled';
}

const outcomeIsOpen: ReadonlySet<ApiErrorKind> = new Set([
  'network',
  'timeout',
  'server',
  'unexpectedResponse',
  'cancelled',
]);
