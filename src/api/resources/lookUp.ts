import * as l10n from '@vscode/l10n';
import { ApiError, type ApiErrorKind } from '../errors.ts';
import { MAX_PAGE_SIZE } from '../schema/limits.ts';
import { isUnreadable, type Unreadable } from './page.ts';

/** Whether a list has something; unknown where it goes on for too long, or has rows that cannot be read. */
export type LookUp = 'found' | 'notFound' | 'unknown';

/** What a look through a list found, and the rows that were seen on the way. */
export interface LookedUp<T> {
  readonly found: LookUp;
  readonly rows: readonly T[];
  /** False where the list goes on, or has rows that cannot be read. */
  readonly isWhole: boolean;
}

/** Three of the largest pages: a short name may be a part of thousands of names. */
const mostRows = 3 * MAX_PAGE_SIZE;

/**
 * Looks through the rows of a list, as far as it makes sense to ask for them.
 * @throws ApiError a page could not be read.
 */
export async function lookUp<T extends object>(
  list: AsyncIterable<T | Unreadable>,
  isWanted: (row: T) => boolean,
): Promise<LookedUp<T>> {
  const rows: T[] = [];
  let count = 0;
  let isWhole = true;
  for await (const row of list) {
    if (isUnreadable(row)) isWhole = false;
    else rows.push(row);
    count += 1;
    if (count === mostRows) {
      isWhole = false;
      break;
    }
  }
  if (rows.some(isWanted)) return { found: 'found', rows, isWhole };
  return { found: isWhole ? 'notFound' : 'unknown', rows, isWhole };
}

/** What a failed create was about. */
interface Attempt<T> {
  /** Finds out whether it exists now. */
  readonly lookUp: () => Promise<LookedUp<T>>;
  /** Whether a row can only have been made by this create; nothing is known of that where it is left out. */
  readonly isMade?: ((row: T) => boolean) | undefined;
  /** Says what was found out. */
  readonly words: (found: LookUp) => string;
}

/**
 * A create that failed after it was sent may have worked all the same, and it must not be sent again. This looks for
 * what it should have made, and gives it where nothing else can have made it.
 * @throws the failure, with what was found in its message
 */
export async function recoverCreate<T>(failure: unknown, { lookUp, isMade, words }: Attempt<T>): Promise<T> {
  if (!(failure instanceof ApiError) || !mayHaveWorked(failure) || failure.kind === 'cancelled') throw failure;
  const { found, rows } = await lookUp().catch((): Pick<LookedUp<T>, 'found' | 'rows'> => {
    return { found: 'unknown', rows: [] };
  });
  const [made, other] = isMade === undefined ? [] : rows.filter(isMade);
  if (made !== undefined && other === undefined) return made;
  const { kind, status, requestId, fields, retryAfterMs, sent, cause } = failure;
  throw new ApiError({
    kind,
    message: `${failure.message} ${words(found)}`,
    status,
    requestId,
    fields,
    retryAfterMs,
    sent,
    cause,
  });
}

/** What a look for a deployment says about a create whose outcome is unknown. */
export function deploymentOutcome(name: string, found: LookUp): string {
  switch (found) {
    case 'found':
      return l10n.t('A deployment named "{0}" exists now. Look at it before you create another one.', name);
    case 'notFound':
      return l10n.t('No deployment named "{0}" was found, so it was probably not created.', name);
    case 'unknown':
      return l10n.t('Whether a deployment named "{0}" exists now could not be found out.', name);
  }
}

/** What a look for a cluster says about a registration whose outcome is unknown. */
export function listenerOutcome(computeId: string, found: LookUp): string {
  switch (found) {
    case 'found':
      return l10n.t('The cluster "{0}" is registered now.', computeId);
    case 'notFound':
      return l10n.t('The cluster "{0}" was not found, so it was probably not registered.', computeId);
    case 'unknown':
      return l10n.t('Whether the cluster "{0}" is registered now could not be found out.', computeId);
  }
}

/** Whether a request that failed may have done all the same what it was sent for. */
export function mayHaveWorked({ sent, kind }: ApiError): boolean {
  return sent && outcomeIsOpen.has(kind);
}

const outcomeIsOpen: ReadonlySet<ApiErrorKind> = new Set([
  'network',
  'timeout',
  'server',
  'unexpectedResponse',
  'cancelled',
]);
