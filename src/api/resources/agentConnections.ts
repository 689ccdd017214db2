import * as z from 'zod';
import type { CallOptions, Http } from '../http/http.ts';
import { lenient } from '../schema/lenient.ts';
import { timestamp } from '../schema/wire.ts';
import { pathStep } from './check.ts';
import { readList } from './reading.ts';

/** "Agent connection" from the document, which doesn't say which fields are required. */
export const agentConnectionWire = z.object({
  id: z.string(),
  agent_id: z.string().nullish(),
  oauth_token_id: z.string().nullish(),
  provider_id: z.string().nullish(),
  provider_account_label: z.string().nullish(),
  created_by: z.string().nullish(),
  scopes: z.array(z.string()).nullish(),
  expires_at: timestamp.nullish(),
  created_at: timestamp.nullish(),
});

export const agentConnectionReader = lenient(agentConnectionWire);

export type AgentConnectionWire = z.infer<typeof agentConnectionWire>;
export type AgentConnection = z.infer<typeof agentConnectionReader>;

/** The endpoint of section "Agent connections". Fails only with ApiError. */
export function createAgentConnections(http: Http) {
  return {
    /** GET /v2/auth/agents/{agent_id}/connections. */
    async list(agentId: string, options?: CallOptions) {
      const answer = await http.get(`/v2/auth/agents/${pathStep('agent_id', agentId)}/connections`, {}, options);
      return { data: readList(http, agentConnectionReader, answer, 'data') };
    },
  };
}
