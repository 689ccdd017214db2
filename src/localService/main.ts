import { runLocalService } from './process/run.ts';
import { createService } from './service.ts';

runLocalService(process.argv.slice(2), createService);
