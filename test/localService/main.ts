// The local service as tests run it: with development controls, and with the option --mode cloud|self-hosted.
import { runLocalService } from '../../src/localService/process/run.ts';
import type { Mode } from '../support/localService.ts';
import { createControlledService } from './controlledService.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--mode');
const [, mode = 'any'] = at === -1 ? [] : args.splice(at, 2);
runLocalService(args, (database, settings) => createControlledService(database, settings, mode as Mode));
