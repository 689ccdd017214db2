import type { Services } from '../services.ts';

export async function showLog({ log }: Services): Promise<void> {
  log.show();
}
