import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkApp } from '../../../../src/localService/build/outcome.ts';
import type { AppCheck } from '../../../../src/localService/build/outcome.ts';

const application = z.strictObject({
  repository: z.string(),
  config: z.string(),
  /** Only what a build reads. */
  content: z.looseObject({ graphs: z.record(z.string(), z.string()) }),
  /** Only what the graphs are looked for in. */
  files: z.array(z.string()),
  /** The graphs whose code isn't in the repository, and why they run all the same. */
  doubtful: z.array(z.string()).optional(),
  reason: z.string().optional(),
});

type Application = z.infer<typeof application>;

/** Configs of public repositories, of which it is known that they have the files. */
const applications = z
  .array(application)
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../fixtures/publicApplications.json'), 'utf8')));

async function check({ config, content }: Application, files: readonly string[]): Promise<AppCheck> {
  return checkApp(
    { text: JSON.stringify(content), path: config },
    async () => (needed, kind) =>
      !files.some((file) => (kind === 'file' ? file === needed : file.startsWith(`${needed}/`))),
    () => {},
  );
}

/** The graphs that a message names. */
const namedIn = (message = ''): string[] => [...message.matchAll(/\(graph "(.+?)"\)/g)].map(([, id = '']) => id);

const graphsOf = ({ content }: Application): string[] => Object.keys(content.graphs);

const titled = applications.map((app) => [`${app.repository}/${app.config}`, app] as const);

describe('a public application', () => {
  it.each(titled)('%s builds', async (_, app) => {
    const { problem, warning } = await check(app, app.files);
    expect(problem).toBeUndefined();
    expect(namedIn(warning)).toEqual(app.doubtful ?? []);
    expect(app.reason === undefined).toBe(app.doubtful === undefined);
  });

  it.each(titled)('%s has every graph named that is missing', async (_, app) => {
    const { problem, warning } = await check(app, []);
    expect(namedIn(problem ?? warning)).toEqual(graphsOf(app));
    for (const gone of app.files) {
      const left = app.files.filter((file) => file !== gone);
      const damaged = await check(app, left);
      expect(damaged.problem === undefined, gone).toBe(!namesFile(app, gone));
    }
  });
});

/** Whether a graph names a file by its path. Modules may be elsewhere. */
function namesFile({ config, content }: Application, file: string): boolean {
  const folder = path.posix.dirname(config);
  return Object.values(content.graphs).some((graph) => path.posix.join(folder, graph.replace(/:[^:]*$/, '')) === file);
}

it('are many, of many kinds', () => {
  const graphs = applications.flatMap(({ content }) => Object.values(content.graphs));
  expect(applications.length).toBeGreaterThanOrEqual(60);
  expect(graphs.filter((graph) => /^[\w.]+:\w+$/.test(graph) && !/\.py:/.test(graph)).length).toBeGreaterThan(20);
  expect(graphs.filter((graph) => /\.[cm]?[jt]s:/.test(graph)).length).toBeGreaterThan(20);
  expect(applications.filter(({ config }) => config.includes('/')).length).toBeGreaterThan(30);
});
