import type { ReadySession, Session } from '../connections/connections.ts';

/**
 * The session of a list that is about to be loaded.
 * @throws {Error} there is none; views ask only where there is one, so that this is a mistake of ours
 */
export function readySession(session: Session): ReadySession {
  if (session.kind !== 'ready') throw new Error('A list was asked for without a connection.');
  return session;
}
