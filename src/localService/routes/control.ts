import * as z from 'zod';
import { noFields, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../parts.ts';
import { takeFolders } from '../process/folders.ts';

/**
 * The route that registers and unregisters folders, for windows and for a second start.
 * It isn't part of the API. Callers need the key of this computer's service.
 */
export function controlRoutes({ repositories }: Pick<ServiceParts, 'repositories'>): Route[] {
  const registerFolders = route(
    {
      method: 'POST',
      path: '/_control/repositories',
      operationId: 'registerFolders',
      summary: 'Offer the repositories of trusted folders, and no longer those of restricted ones.',
      params: noFields,
      query: noFields,
      body: z.object({
        folders: z.array(z.string()).default([]),
        restricted: z.array(z.string()).default([]),
        repositories: z.array(z.string()).default([]),
      }),
      success: {
        status: 200,
        description: 'Why folders were not registered.',
        schema: z.object({ problems: z.array(z.string()) }),
      },
    },
    async ({ body }) => ({ problems: await takeFolders(repositories, body) }),
  );
  return [registerFolders];
}
