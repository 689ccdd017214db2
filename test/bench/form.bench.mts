import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { startBrowser } from '../host/browser.mts';
import { hireJanitor } from '../host/janitor.mts';
import { fullSpecText, longSpecText } from './fullSpec.mts';
import { fullPageState } from './pageState.mts';

export const name = 'form';

const rounds = 20;
const keystrokes = 60;

/**
 * Measures the resource form in the Chromium that VS Code is shown in: the size of its script, how much later than an
 * empty panel its first picture is there, and how long it works on one keystroke and on reading it; and how long the
 * page of a deployment file works on one keystroke and on drawing the state that the editor answers with.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const { files, sizes } = await bundle();
  print(
    `script, minified: ${kilobytes(sizes.total)}; of this the YAML library ${kilobytes(sizes.library)}, ` +
      `and the form ${kilobytes(sizes.total - sizes.library)}`,
  );
  const janitor = await hireJanitor();
  try {
    const server = createServer((request, response) => {
      const [type, body] = answer(request.url ?? '/', files);
      response.setHeader('content-type', type);
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const browser = await startBrowser({ janitor });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await measureOpening(page, print);
    for (const text of [fullSpecText, longSpecText]) await measureKeystrokes(page, text, print);
    for (const count of [1, 10]) await measurePage(page, count, print);
    await browser.close();
    server.close();
  } finally {
    await janitor.end();
  }
}

async function measureOpening(page: Page, print: (line: string) => void): Promise<void> {
  const open = (panel: string) =>
    page.evaluate<number>(`openPanel(${JSON.stringify(panel)}, ${JSON.stringify(setUpForm(''))})`);
  await open('/empty');
  await open('/form');
  const empty: number[] = [];
  const form: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    empty.push(await open('/empty'));
    form.push(await open('/form'));
  }
  const more = median(form) - median(empty);
  print(
    `open to first frame, median of ${rounds}: empty panel ${median(empty).toFixed(1)} ms, form ${median(form).toFixed(1)} ms, ${more.toFixed(1)} ms more (target at most 60 ms)`,
  );
}

async function measureKeystrokes(page: Page, text: string, print: (line: string) => void): Promise<void> {
  await page.evaluate(`openPanel('/form', ${JSON.stringify(setUpForm(text))})`);
  const lines = text.split('\n').length - 1;
  for (const [field, what] of [
    ['field-cpu', 'a number'],
    ['field-sidecars-0-image', "a sidecar's image"],
    ['yaml', 'the YAML view'],
  ] as const) {
    const times = await page.evaluate<[typed: number, read: number][]>(
      `keystrokes(${JSON.stringify(field)}, ${keystrokes})`,
    );
    const [typed, read] = [times.map(([time]) => time), times.map(([, time]) => time)];
    print(
      `a keystroke in ${what}, every group filled and ${lines} lines of YAML: median ${median(typed).toFixed(1)} ms, slowest of ${keystrokes} ${Math.max(...typed).toFixed(1)} ms (target under 16 ms); reading it after a pause: median ${median(read).toFixed(1)} ms`,
    );
  }
}

/** What the editor tells the form first. */
function setUpForm(text: string) {
  const context = { title: 'Resources', flavor: 'standard', subject: 'draft', lock: '' };
  return { type: 'setup', translations: {}, context, version: 1, text };
}

async function measurePage(page: Page, count: number, print: (line: string) => void): Promise<void> {
  const state = fullPageState(count);
  const where = count === 1 ? 'a page with one deployment' : `a page with ${count} deployments`;
  await page.evaluate(`openPanel('/page', ${JSON.stringify({ type: 'setup', translations: {}, state, kept: [] })})`);
  await page.evaluate('openResources()');
  for (const [field, what] of [
    ['field-0-name', 'the name'],
    ['deployment-0-field-cpu', 'a number of the resources'],
    ...(count > 1 ? [['field-shared-ref', 'the branch of all']] : []),
  ] as const) {
    const times = await page.evaluate<[typed: number, drawn: number][]>(
      `keystrokes(${JSON.stringify(field)}, ${keystrokes}, ${JSON.stringify(state)})`,
    );
    const [typed, drawn] = [times.map(([time]) => time), times.map(([, time]) => time)];
    print(
      `a keystroke in ${what}, on ${where}: median ${median(typed).toFixed(1)} ms, slowest of ${keystrokes} ${Math.max(...typed).toFixed(1)} ms (target under 16 ms); drawing the answer: median ${median(drawn).toFixed(1)} ms, slowest ${Math.max(...drawn).toFixed(1)} ms`,
    );
  }
}

async function bundle() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: path.resolve(import.meta.dirname, '../..'),
    entryPoints: {
      resourceForm: 'src/ui/resourceForm/webview/main.ts',
      deploymentPage: 'src/ui/deploy/page/webview/main.ts',
    },
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
  });
  const files = new Map(outputFiles.map((file) => [`/${path.basename(file.path)}`, file.text]));
  const { bytes: total = 0, inputs = {} } = metafile.outputs['dist/resourceForm.js'] ?? {};
  const library = Object.entries(inputs)
    .filter(([file]) => file.includes('node_modules/yaml/'))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return { files, sizes: { total, library } };
}

function answer(url: string, files: ReadonlyMap<string, string>): [type: string, body: string] {
  const file = files.get(url);
  if (file !== undefined) return [url.endsWith('.js') ? 'text/javascript' : 'text/css', file];
  if (url === '/empty') return ['text/html', panelPage('<script>parent.postMessage({ type: "shown" }, "*")</script>')];
  if (url === '/form') return ['text/html', panelOf('resourceForm')];
  if (url === '/page') return ['text/html', panelOf('deploymentPage')];
  return ['text/html', workbenchPage];
}

function panelOf(name: string): string {
  return panelPage(`<script src="/${name}.js"></script>`, `<link rel="stylesheet" href="/${name}.css">`);
}

/** A panel as VS Code makes it: a frame whose page can talk to the one around it and keep a state. */
function panelPage(body: string, head = ''): string {
  return `<!DOCTYPE html><html lang="en"><head><title>panel</title>${head}<script>
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => parent.postMessage(message, '*'),
      setState: () => parent.postMessage({ type: 'shown' }, '*'),
      getState: () => undefined,
    });</script></head><body>${body}</body></html>`;
}

const workbenchPage = `<!DOCTYPE html><html lang="en"><head><title>bench</title></head><body><script>
  let frame;
  function openPanel(url, setup) {
    frame?.remove();
    frame = document.createElement('iframe');
    frame.width = 900;
    frame.height = 900;
    const started = performance.now();
    return new Promise((resolve) => {
      onmessage = ({ data }) => {
        if (data.type === 'ready') frame.contentWindow.postMessage(setup, '*');
        if (data.type === 'shown') frame.contentWindow.requestAnimationFrame(() => resolve(performance.now() - started));
      };
      frame.src = url;
      document.body.append(frame);
    });
  }
  function openResources() {
    const resources = frame.contentDocument.querySelector('details:has(> .resources)');
    return new Promise((resolve) => {
      resources.addEventListener('toggle', resolve, { once: true });
      resources.open = true;
    });
  }
  /** After each keystroke, draws the state with another name, or has the form read what was typed. */
  async function keystrokes(id, count, state) {
    const answer = (index) => {
      const data = { type: 'state', state: structuredClone(state) };
      data.state.version += index;
      for (const each of data.state.deployments) each.isChecking = index % 2 === 0;
      data.state.deployments[0].groups[0].fields[0].value += index;
      return new frame.contentWindow.MessageEvent('message', { data, origin: frame.contentWindow.origin });
    };
    const field = frame.contentDocument.getElementById(id);
    const original = field.value;
    const times = [];
    for (let index = 0; index < count; index += 1) {
      await new Promise(requestAnimationFrame);
      field.value = id.endsWith('field-cpu') ? String(1 + (index % 9) / 10) : original + (id === 'yaml' ? ' #' : 'x').repeat((index % 2) + 1);
      const started = performance.now();
      field.dispatchEvent(new frame.contentWindow.InputEvent('input', { bubbles: true, inputType: 'insertText' }));
      field.getBoundingClientRect();
      const typed = performance.now();
      const event = state === undefined ? new Event('focusout') : answer(index);
      const answered = performance.now();
      frame.contentWindow.dispatchEvent(event);
      field.getBoundingClientRect();
      times.push([typed - started, performance.now() - answered]);
    }
    return times;
  }
</script></body></html>`;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
