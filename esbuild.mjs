// Builds every bundle into dist/ and fails when one outgrows its budget.
// Flags: --production (minified, no source maps, no test bundles), --watch.
import { existsSync, rmSync } from 'node:fs';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Budgets are for minified bundles, in kilobytes of 1000 bytes. */
const bundles = [
  { name: 'extension', entry: 'src/extension.ts', budget: 1000, external: ['vscode'] },
  { name: 'localService', entry: 'src/localService/main.ts', budget: 700 },
  { name: 'resourceForm', entry: 'src/ui/resourceForm/webview/main.ts', budget: 190, browser: true },
  { name: 'test/vscode/index', entry: 'test/vscode/index.ts', external: ['vscode', 'mocha'], test: true },
].filter((bundle) => existsSync(bundle.entry) && !(production && bundle.test));

/** Prints the lines that the watch problem matchers of .vscode/tasks.json wait for. */
const announce = {
  name: 'announce',
  setup(build) {
    build.onStart(() => console.log('[watch] build started'));
    build.onEnd(({ errors }) => {
      for (const { text, location } of errors) {
        console.error(`✘ [ERROR] ${text}`);
        if (location) console.error(`    ${location.file}:${location.line}:${location.column}:`);
      }
      console.log('[watch] build finished');
    });
  },
};

const optionsOf = (bundle) => ({
  entryPoints: { [bundle.name]: bundle.entry },
  outdir: 'dist',
  bundle: true,
  format: bundle.browser ? 'iife' : 'cjs',
  platform: bundle.browser ? 'browser' : 'node',
  target: bundle.browser ? 'es2023' : 'node22',
  external: bundle.external ?? [],
  minify: production,
  sourcemap: !production,
  metafile: true,
  legalComments: 'none',
  logLevel: watch ? 'silent' : 'warning',
  plugins: watch ? [announce] : [],
});

async function buildOnce() {
  rmSync('dist', { recursive: true, force: true });
  const results = await Promise.all(bundles.map((bundle) => esbuild.build(optionsOf(bundle))));
  if (!production) return;
  for (const [index, { metafile }] of results.entries()) {
    const { name, budget } = bundles[index];
    const size = metafile.outputs[`dist/${name}.js`].bytes / 1000;
    console.log(`${name}.js ${size.toFixed(0)} kB of ${budget} kB`);
    if (size > budget) {
      console.error(`${name}.js is over its budget: find what was added with "npx esbuild --analyze".`);
      process.exitCode = 1;
    }
  }
}

if (watch) {
  for (const bundle of bundles) await (await esbuild.context(optionsOf(bundle))).watch();
} else {
  await buildOnce();
}
