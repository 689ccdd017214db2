// Builds every bundle into dist/ and fails when one outgrows its budget.
// Flags: --production (minified, no source maps, no test bundles), --watch, --late=SEED (a number; delays what
// `test/late` says; never for production).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { configSchema } from './configSchema.mts';
import { noticesOf } from './notices.mts';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const lateSeed = process.argv.find((flag) => flag.startsWith('--late='))?.slice('--late='.length);

const common = {
  outdir: 'dist',
  bundle: true,
  minify: production,
  sourcemap: !production,
  metafile: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: watch ? 'info' : 'warning',
};

const node = {
  ...common,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // The `require` of bundled CommonJS packages: what they still ask for at run time is part of Node.
  banner: { js: 'const require = process.getBuiltinModule;' },
};

/**
 * Parts of undici that no request needs: a faster variant of its HTTP parser, HTTP/2, SOCKS, statistics, and bodies that
 * are forms; and the editing of tokens, of which YAML needs only the reading.
 */
const unneeded =
  /undici.lib.(llhttp.llhttp_simd|dispatcher.client-h2|dispatcher.socks5|util.stats|web.fetch.(body|formdata)\.js|web.webidl)|yaml.dist.parse.cst-/;
const lean = { name: 'lean', setup: (build) => build.onLoad({ filter: unneeded }, () => ({ contents: '' })) };

/** Puts the modules of `test/late` in the places of those that they delay. */
const lateFolder = path.join(import.meta.dirname, 'test/late');
const late = {
  name: 'late',
  setup: (build) =>
    build.onResolve({ filter: /^vscode$|\/createTransport\.ts$/ }, ({ path: wanted, importer }) =>
      path.dirname(importer) === lateFolder
        ? undefined
        : { path: path.join(lateFolder, `${path.basename(wanted, '.ts')}.ts`) },
    ),
};
const isLate = lateSeed !== undefined && !production;

/**
 * Joins what the start loads to one file: whatever loads a part later has loaded all of the start, which esbuild would
 * split into a chunk for each set of parts that use it.
 */
const start = path.join(import.meta.dirname, 'src/extension.ts');
const parts = /src.(ui.(commands|texts|background|resourceForm.forms)|state.connections.clients)\.ts$/;
const joined = {
  name: 'joined',
  setup: (build) =>
    build.onLoad({ filter: parts }, ({ path: file }) => ({
      contents: `${readFileSync(file, 'utf8')}\nimport ${JSON.stringify(start)};`,
      loader: 'ts',
    })),
};

const builds = [
  {
    ...node,
    entryPoints: { extension: 'src/extension.ts', localService: 'src/localService/main.ts' },
    // What both programs or several parts load becomes a chunk of its own, which is in the package once.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: ['vscode'],
    // Leaves out the experimental HTTP parser of undici, which asks for this where Node bundles it.
    define: { esbuildDetection: 'true', ...(isLate && { LATE_SEED: lateSeed }) },
    plugins: isLate ? [lean, joined, late] : [lean, joined],
  },
  {
    ...common,
    entryPoints: {
      resourceForm: 'src/ui/resourceForm/webview/main.ts',
      deploymentPage: 'src/ui/deploy/page/webview/main.ts',
    },
    format: 'esm',
    // The YAML library and the fields of resources are in both pages, as one file, whose name a page knows in advance.
    splitting: true,
    chunkNames: 'pages',
    platform: 'browser',
    target: 'es2023',
  },
];

const tests = {
  ...node,
  entryPoints: { 'test/vscode/index': 'test/vscode/index.ts', 'test/localService': 'test/localService/main.ts' },
  external: ['vscode', 'mocha', 'expect'],
  // The helpers of the tests look for files from their own folder, also in a bundle.
  define: { 'import.meta.dirname': JSON.stringify(path.join(import.meta.dirname, 'test/support')) },
};
if (!production) builds.push(tests);

const atStart = ['import-statement'];
const everything = [...atStart, 'dynamic-import'];

/** For minified scripts with what they import, in kilobytes of 1000 bytes; the start also in files. */
const budgets = [
  { what: 'extension.js at the start', entry: 'dist/extension.js', imports: atStart, most: 8, budget: 150 },
  { what: 'extension.js', entry: 'dist/extension.js', imports: everything, budget: 1051 },
  { what: 'localService.js', entry: 'dist/localService.js', imports: everything, budget: 430 },
  { what: 'form besides YAML', entry: 'dist/resourceForm.js', imports: atStart, besides: /modules.yaml/, budget: 99 },
  {
    what: 'page besides YAML',
    entry: 'dist/deploymentPage.js',
    imports: atStart,
    besides: /modules.yaml/,
    budget: 110,
  },
];

function checkBudgets(metafiles) {
  const outputs = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
  const over = [];
  for (const { what, entry, imports, besides, budget, most = Infinity } of budgets) {
    const files = new Set([entry]);
    // A set also visits what is added on the way.
    for (const file of files)
      for (const { path, kind } of outputs[file].imports) if (outputs[path] && imports.includes(kind)) files.add(path);
    const parts = [...files].flatMap((file) => Object.entries(outputs[file].inputs));
    const size = parts.reduce((sum, [file, part]) => sum + (besides?.test(file) ? 0 : part.bytesInOutput), 0) / 1000;
    console.log(`${what}: ${size.toFixed(2)} kB of ${budget} kB in ${files.size} files`);
    if (size > budget || files.size > most) over.push(what);
  }
  if (over.length === 0) return;
  throw new Error(`Over budget: ${over.join(', ')}. Find what was added with "npx esbuild --analyze".`);
}

if (!watch) rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
writeFileSync('dist/langgraph.schema.json', configSchema());
if (watch) {
  for (const build of builds) await (await esbuild.context(build)).watch();
} else {
  const metafiles = (await Promise.all(builds.map((build) => esbuild.build(build)))).map(({ metafile }) => metafile);
  if (production) {
    writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(metafiles, import.meta.dirname));
    checkBudgets(metafiles);
  }
}
