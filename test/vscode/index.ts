import Mocha from 'mocha/lib/mocha.cjs';
import { PrintingReporter } from './reporter.ts';

/** Every suite that runs inside the extension host, in this order. */
const suites = [
  () => import('./workspace.test.ts'),
  () => import('./deployments.test.ts'),
  () => import('./resourceForm.test.ts'),
];

/** VS Code calls this in its extension host. It fails when a test fails, which makes VS Code end with an exit code. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ timeout: 30_000, forbidOnly: Boolean(process.env['CI']), reporter: PrintingReporter });
  // What mocha does for each file that it loads itself: from here on `describe` and `it` add to this run.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  for (const load of suites) await load();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} failed.`);
}
