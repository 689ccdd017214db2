import type { ReadySession } from '../../state/connections.ts';
import { readableRows } from '../../state/pagedList.ts';
import { registerListener } from '../registerListener.ts';
import type { Services } from '../services.ts';

/** Registers a cluster with the service and shows its row. */
export async function createListener(services: Services, session: ReadySession): Promise<void> {
  const listener = await registerListener(services, session, readableRows(services.listeners.state.rows));
  if (listener !== undefined && services.connections.session === session) {
    await services.sideViews.listeners.reveal(listener.id);
  }
}
