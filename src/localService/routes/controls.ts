import * as z from 'zod';
import { foldersPath, stopPath } from '../../api/localService.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';

/** The routes outside the API, for windows and for a second start. `onStop` is called when a user stops the service. */
export function controlRoutes({ repositories }: ServiceParts, onStop: () => void): Route[] {
  const registerFolders = route(
    {
      method: 'POST',
      path: foldersPath,
      operationId: 'registerFolders',
      summary: 'Register trusted folders and unregister restricted ones.',
      body: z.object({
        folders: z.array(z.string()).default([]),
        restricted: z.array(z.string()).default([]),
        repositories: z.array(z.string()).default([]),
      }),
      success: {
        status: 200,
        description: 'The reasons why folders were not registered.',
        schema: z.object({ problems: z.array(z.string()) }),
      },
    },
    async ({ body }) => ({ problems: await repositories.update(body) }),
  );
  // Windows needs it, because no handler runs there on a signal.
  const stopService = route(
    {
      method: 'POST',
      path: stopPath,
      operationId: 'stopService',
      summary: 'Stop this service.',
      success: { status: 200, description: 'Done.', schema: z.unknown() },
    },
    () => {
      onStop();
      return {};
    },
  );
  return [registerFolders, stopService];
}
