import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const api = path.resolve(import.meta.dirname, '../../../src/api');

/** The libraries that a module brings along when it is bundled. */
async function librariesOf(module: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [path.join(api, module)],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const libraries = Object.keys(metafile.inputs).flatMap(
    (input) => /node_modules\/(undici|zod)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(libraries)].toSorted();
}

describe('a module for the activation of the extension', () => {
  it.each(['errors.ts', 'flavor.ts', 'resources/page.ts', 'schema/enums.ts', 'http/baseUrl.ts', 'redaction/redact.ts'])(
    'loads neither undici nor zod: %s',
    async (module) => {
      expect(await librariesOf(module)).toEqual([]);
    },
  );

  it('loads both in the client', async () => {
    expect(await librariesOf('client.ts')).toEqual(['undici', 'zod']);
  });

  it('loads only zod in the schemas', async () => {
    expect(await librariesOf('resources/deployments.ts')).toEqual(['zod']);
  });
});
