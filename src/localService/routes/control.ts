import * as z from 'zod';
import { noFields, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../parts.ts';

/**
 * The route through which a second start on a live service hands over its folders. It is no part of the interface,
 * and only who can read the key of this computer's service can call it.
 */
export function controlRoutes({ repositories }: Pick<ServiceParts, 'repositories'>): Route[] {
  const registerFolders = route(
    {
      method: 'POST',
      path: '/_control/repositories',
      operationId: 'registerFolders',
      summary: 'Offer the repositories of these folders.',
      params: noFields,
      query: noFields,
      body: z.object({ folders: z.array(z.string()) }),
      success: {
        status: 200,
        description: 'Why folders were not registered.',
        schema: z.object({ problems: z.array(z.string()) }),
      },
    },
    async ({ body }) => {
      const problems: string[] = [];
      for (const folder of body.folders) {
        const problem = await repositories.register(folder);
        if (problem !== undefined) problems.push(problem);
      }
      return { problems };
    },
  );
  return [registerFolders];
}
