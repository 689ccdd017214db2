// Builds every bundle into dist/ and fails when one outgrows its budget.
// Flags: --production (minified, no source maps, no test bundles), --watch.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { noticesOf } from './notices.mts';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Budgets are for minified bundles, in kilobytes of 1000 bytes; `startBudget` for what is loaded at the start. */
const bundles = [
  { name: 'extension', entry: 'src/extension.ts', budget: 1100, startBudget: 130, external: ['vscode'], split: true },
  { name: 'localService', entry: 'src/localService/main.ts', budget: 700 },
  { name: 'resourceForm', entry: 'src/ui/resourceForm/webview/main.ts', budget: 190, browser: true },
  { name: 'test/vscode/index', entry: 'test/vscode/index.ts', external: ['vscode', 'mocha', 'expect'], test: true },
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

/** How a script of a split bundle becomes one that VS Code loads. */
const commonJs = {
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  supported: { 'dynamic-import': false },
  minify: production,
  sourcemap: production ? false : 'inline',
  logLevel: 'warning',
};

/**
 * Writes a split bundle as CommonJS. VS Code loads extensions as CommonJS, for which esbuild does not split, so that it
 * splits ES modules and they are converted. What is loaded at the start becomes one script, as finding and compiling
 * twenty scripts takes twice as long; what is imported dynamically is read only when it is needed.
 */
const writeAsCommonJs = {
  name: 'write-as-commonjs',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], metafile, errors }) => {
      if (errors.length > 0) return;
      const scripts = new Map(outputFiles.map(({ path: file, text }) => [file, withoutInterop(text, 'vscode')]));
      const [entry] = Object.keys(build.initialOptions.entryPoints).map((name) => `dist/${name}.js`);
      const start = new Set(loadedWith(metafile, entry).map((file) => path.resolve(file)));
      for (const [file, text] of scripts) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, await convert(file, text));
      }

      async function convert(file, text) {
        if (file === path.resolve(entry)) return joinStart(file, start, scripts);
        if (start.has(file)) return `module.exports = require("../${path.basename(entry)}").${partName(file)};\n`;
        return (await esbuild.transform(text, { ...commonJs, sourcefile: path.basename(file) })).code;
      }
    });
  },
};

/** One script of all that is loaded at the start. It also exports each part of it, for what is loaded later. */
async function joinStart(entry, start, scripts) {
  const others = [...start].filter((file) => file !== entry);
  const imported = (file) => `./${path.relative(path.dirname(entry), file).replaceAll('\\', '/')}`;
  const { outputFiles } = await esbuild.build({
    ...commonJs,
    bundle: true,
    outfile: entry,
    write: false,
    stdin: {
      contents: [
        `export * from "${imported(entry)}";`,
        ...others.map((file) => `export * as ${partName(file)} from "${imported(file)}";`),
      ].join('\n'),
      resolveDir: path.dirname(entry),
      sourcefile: 'start.js',
    },
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /^\.\.?\// }, ({ path: target, resolveDir, kind }) => {
            const file = path.resolve(resolveDir, target);
            if (kind === 'dynamic-import' || !start.has(file)) return { path: imported(file), external: true };
            return { path: file };
          });
          build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path: file }) => ({
            contents: scripts.get(file),
            resolveDir: path.dirname(file),
          }));
          // Asked for once instead of by every part.
          build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
            namespace === 'editor' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'editor' },
          );
          build.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({
            contents: 'module.exports = require("vscode");',
          }));
        },
      },
    ],
  });
  return outputFiles[0].text;
}

/** The name by which the start exports a part of it. */
function partName(file) {
  return `part_${path.basename(file, '.js')}`;
}

/**
 * Reads a CommonJS module as it is where a script imports all of it. esbuild would copy the module for every file that
 * imports it, property by property: for `vscode`, a third of the time that the extension took to start.
 */
function withoutInterop(script, name) {
  const code = script.replaceAll(
    new RegExp(`import\\s*\\*\\s*as ([\\w$]+) from ?"${name}";`, 'g'),
    (_, local) => `const ${local} = require("${name}");`,
  );
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
  // The helpers of the tests look for files from their own folder, also in a bundle.
  ...(bundle.test && {
    banner: { js: 'const supportFolder = require("node:path").join(__dirname, "../../../test/support");' },
    define: { 'import.meta.dirname': 'supportFolder' },
  }),
  logLevel: watch ? 'silent' : 'warning',
  plugins: [...(bundle.split ? [writeAsCommonJs] : []), ...(watch ? [announce] : [])],
});

async function buildOnce() {
  rmSync('dist', { recursive: true, force: true });
  const results = await Promise.all(bundles.map((bundle) => esbuild.build(optionsOf(bundle))));
  if (!production) return;
  const metafiles = results.map(({ metafile }) => metafile);
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(metafiles, import.meta.dirname));
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
