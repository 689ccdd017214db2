import { beforeAll } from 'vitest';
import { createSampleRepository } from '../../support/gitRepositories.ts';
import type { SampleRepository } from '../../support/gitRepositories.ts';
import { startLocalService } from '../../support/localService.ts';
import type { LocalServiceOptions, RunningLocalService } from '../../support/localService.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { callerOf } from './caller.ts';
import type { Caller } from './caller.ts';

/** How long a revision stays in each state where a test moves the clock by hand, in milliseconds. */
export const stepMs = 60_000;

/** A machine with other work to do may take its time to start a service, in milliseconds. */
const startLimit = 30_000;

export interface ServiceFixture {
  /** A temporary folder, removed after the tests of the file. */
  folder: string;
  service: RunningLocalService;
  caller: Caller;
}

/** One service for the tests of a file, with development controls and a clock that the tests move. */
export function runningService(
  prepare: (folder: string) => LocalServiceOptions | Promise<LocalServiceOptions> = () => ({}),
): ServiceFixture {
  const fixture = {} as ServiceFixture;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    fixture.folder = folder.path;
    const options = await prepare(fixture.folder);
    fixture.service = await startLocalService({ stepMs, devControls: true, ...options });
    fixture.caller = await callerOf(fixture.service);
    return async () => {
      await fixture.service.stop();
      await folder.remove();
    };
  }, startLimit);
  return fixture;
}

export interface SampleFixture extends ServiceFixture {
  sample: SampleRepository;
}

/** A service as above that offers the sample repository. */
export function runningServiceWithSample(options: LocalServiceOptions = {}): SampleFixture {
  const fixture: ServiceFixture & { sample?: SampleRepository } = runningService(async (folder) => {
    const sample = await createSampleRepository(folder);
    fixture.sample = sample;
    return { repositories: [sample.folder], ...options };
  });
  return fixture as SampleFixture;
}
