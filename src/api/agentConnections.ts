import * as z from 'zod';
import { lenient } from './lenient.ts';
import { timestamp } from './wire.ts';

/** "Agent connection" as the document writes it; which of its fields are required is not shown. */
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

/** Reads an Agent connection of an answer. */
export const agentConnectionReader = lenient(agentConnectionWire);

export type AgentConnectionWire = z.infer<typeof agentConnectionWire>;
export type AgentConnection = z.infer<typeof agentConnectionReader>;
