import * as z from 'zod';
import { deploymentCreateWire } from '../../api/resources/deployments.ts';

const name = z.string().regex(/^(?=\P{Cc}*\S)\P{Cc}{1,255}$/u, {
  error: 'must have 1 to 255 characters, not only blanks, and no control characters',
});

/** The body of POST /v2/deployments with this service's rules for names (the decision "Names"). */
export const deploymentBody = deploymentCreateWire.safeExtend({ name });
