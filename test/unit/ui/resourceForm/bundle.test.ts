import path from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/** The bytes that each source file adds to the form's script, minified as it is shipped. */
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
  inputs = Object.entries(script?.inputs ?? {}).map(([file, { bytesInOutput }]) => [file, bytesInOutput]);
});

const withBytes = (name: string) => inputs.filter(([file, bytes]) => file.includes(name) && bytes > 0);

describe('the script of the form', () => {
  it('contains only zod/mini', () => {
    expect(withBytes('zod/v4/classic')).toEqual([]);
    expect(withBytes('/zod/')).not.toEqual([]);
  });

  it('compiles no code from text, because the page forbids that', () => {
    expect(withBytes('zod/v4/core/doc.js')).toEqual([]);
  });
});
