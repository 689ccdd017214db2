// Builds every bundle into dist/ and fails when one outgrows its budget.
// Flags: --production (minified, no source maps, no test bundles), --watch.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Budgets are for minified bundles, in kilobytes of 1000 bytes; `startBudget` for what is loaded at the start. */
const bundles = [
  { name: 'extension', entry: 'src/extension.ts', budget: 1100, startBudget: 130, external: ['vscode'], split: true },
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

/**
 * Writes a split bundle as CommonJS. VS Code loads extensions as CommonJS, for which esbuild does not split, so that it
 * splits ES modules and each of them is converted. What is imported dynamically is then read only when it is needed.
 */
const writeAsCommonJs = {
  name: 'write-as-commonjs',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const file of outputFiles) {
        const { code } = await esbuild.transform(withoutInterop(file.text, 'vscode'), {
          format: 'cjs',
          platform: 'node',
          target: 'node22',
          supported: { 'dynamic-import': false },
          minify: production,
          sourcemap: production ? false : 'inline',
          sourcefile: path.basename(file.path),
          logLevel: 'warning',
        });
        mkdirSync(path.dirname(file.path), { recursive: true });
        writeFileSync(file.path, code);
      }
    });
  },
};

/**
 * Reads a CommonJS module as it is where a script imports all of it. esbuild would copy the module for every file that
 * imports it, property by property: for `vscode`, a sixth of the time that the extension takes to start.
 */
function withoutInterop(script, name) {
  let first;
  const code = script.replaceAll(new RegExp(`import\\s*\\*\\s*as ([\\w$]+) from ?"${name}";`, 'g'), (_, local) => {
    const value = first ?? `require("${name}")`;
    first ??= local;
    return `const ${local} = ${value};`;
  });
  if (code.includes(`from"${name}"`) || code.includes(`from "${name}"`)) {
    throw new Error(`Import "${name}" as "* as …" everywhere: another import of it would copy the whole module.`);
  }
  return code;
}

const optionsOf = (bundle) => ({
  entryPoints: { [bundle.name]: bundle.entry },
  outdir: 'dist',
  chunkNames: `${bundle.name}/[hash]`,
  bundle: true,
  splitting: bundle.split ?? false,
  write: !bundle.split,
  format: bundle.split ? 'esm' : bundle.browser ? 'iife' : 'cjs',
  platform: bundle.browser ? 'browser' : 'node',
  target: bundle.browser ? 'es2023' : 'node22',
  external: bundle.external ?? [],
  minify: production,
  sourcemap: production ? false : bundle.split ? 'inline' : true,
  metafile: true,
  legalComments: 'none',
  logLevel: watch ? 'silent' : 'warning',
  plugins: [...(bundle.split ? [writeAsCommonJs] : []), ...(watch ? [announce] : [])],
});

async function buildOnce() {
  rmSync('dist', { recursive: true, force: true });
  const results = await Promise.all(bundles.map((bundle) => esbuild.build(optionsOf(bundle))));
  if (!production) return;
  for (const [index, { metafile }] of results.entries()) {
    const { name, budget, startBudget } = bundles[index];
    const scripts = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'));
    check(`${name}.js`, sizeOf(metafile, scripts), budget);
    if (startBudget)
      check(`${name}.js at the start`, sizeOf(metafile, loadedWith(metafile, `dist/${name}.js`)), startBudget);
  }
}

function check(what, size, budget) {
  console.log(`${what}: ${size.toFixed(0)} kB of ${budget} kB`);
  if (size <= budget) return;
  console.error(`${what} is over its budget: find what was added with "npx esbuild --analyze".`);
  process.exitCode = 1;
}

function sizeOf({ outputs }, files) {
  return files.reduce((sum, file) => sum + outputs[file].bytes, 0) / 1000;
}

/** A script and what it imports statically: what is read when the script is loaded. */
function loadedWith({ outputs }, script, found = new Set()) {
  if (found.has(script)) return [];
  found.add(script);
  for (const { path: imported, kind } of outputs[script].imports) {
    if (kind === 'import-statement' && outputs[imported]) loadedWith({ outputs }, imported, found);
  }
  return [...found];
}

if (watch) {
  for (const bundle of bundles) await (await esbuild.context(optionsOf(bundle))).watch();
} else {
  await buildOnce();
}
