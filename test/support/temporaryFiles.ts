import { hireJanitor } from '../host/janitor.mts';

/**
 * Gives a whole test run a folder for its temporary files, which is removed even when the run is interrupted or killed
 * and the clean-up of its tests does not happen. The processes of the tests take it over with the environment.
 */
export async function setup(): Promise<() => Promise<void>> {
  const janitor = await hireJanitor();
  for (const name of process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR']) process.env[name] = janitor.folder;
  return () => janitor.end();
}
