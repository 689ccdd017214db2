import path from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/** The bytes of the script of the form, minified as it is shipped, and what each source file adds to them. */
let total: number;
let inputs: [file: string, bytes: number][];

beforeAll(async () => {
  const root = path.resolve(import.meta.dirname, '../../../..');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/ui/resourceForm/webview/main.ts'],
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    logLevel: 'silent',
  });
  const script = Object.entries(metafile.outputs).find(([name]) => name.endsWith('.js'))?.[1];
  total = script?.bytes ?? Number.POSITIVE_INFINITY;
  inputs = Object.entries(script?.inputs ?? {}).map(([file, { bytesInOutput }]) => [file, bytesInOutput]);
});

const bytesOf = (belongs: (file: string) => boolean) =>
  inputs.filter(([file]) => belongs(file)).reduce((sum, [, bytes]) => sum + bytes, 0);

describe('the script of the form', () => {
  it('imports only types from the client', () => {
    expect(inputs.filter(([file, bytes]) => file.startsWith('src/api/') && bytes > 0)).toEqual([]);
  });

  it('contains only zod/mini', () => {
    expect(inputs.filter(([file]) => file.includes('zod/v4/classic'))).toEqual([]);
    expect(bytesOf((file) => file.includes('/zod/'))).toBeGreaterThan(0);
  });

  it('is at most 75 kB besides the YAML library', () => {
    const yaml = bytesOf((file) => file.includes('node_modules/yaml/'));
    expect(yaml).toBeGreaterThan(0);
    expect(total - yaml).toBeLessThanOrEqual(75_000);
  });

  it('compiles no code from text, because the page forbids that', () => {
    expect(
      inputs.filter(([file]) => file.endsWith('zod/v4/core/doc.js') && bytesOf((other) => other === file) > 0),
    ).toEqual([]);
  });
});
