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

describe('activation of the extension does not pay for undici or zod', () => {
  it.each(['errors.ts', 'flavor.ts', 'resources/page.ts', 'schema/enums.ts', 'http/baseUrl.ts', 'http/redact.ts'])(
    'when it loads %s',
    async (module) => {
      expect(await librariesOf(module)).toEqual([]);
    },
  );

  it('because only the client brings them', async () => {
    expect(await librariesOf('client.ts')).toEqual(['undici', 'zod']);
  });

  it('and the local service gets no HTTP client with the schemas', async () => {
    expect(await librariesOf('resources/deployments.ts')).toEqual(['zod']);
  });
});
