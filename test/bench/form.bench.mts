import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { startBrowser } from '../host/browser.mts';
import { hireJanitor } from '../host/janitor.mts';
import { fullSpecText, longSpecText } from './fullSpec.mts';

export const name = 'form';

const rounds = 20;
const keystrokes = 60;

/**
 * Measures the resource form in the Chromium that VS Code is shown in: the size of its script, how much later than an
 * empty panel its first picture is there, and how long it works on one keystroke and on reading it.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const { script, style, sizes } = await bundle();
  print(
    `script, minified: ${kilobytes(sizes.total)}; of this the YAML library ${kilobytes(sizes.library)}, ` +
      `and the form ${kilobytes(sizes.total - sizes.library)} (budget 95 kB)`,
  );
  const janitor = await hireJanitor();
  try {
    const server = createServer((request, response) => {
      const [type, body] = answer(request.url ?? '/', script, style);
      response.setHeader('content-type', type);
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const browser = await startBrowser({ janitor });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await measureOpening(page, print);
    for (const text of [fullSpecText, longSpecText]) await measureKeystrokes(page, text, print);
    await browser.close();
    server.close();
  } finally {
    await janitor.end();
  }
}

async function measureOpening(page: Page, print: (line: string) => void): Promise<void> {
  const open = (panel: string) => page.evaluate<number>(`openPanel(${JSON.stringify(panel)}, '')`);
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
  await page.evaluate(`openPanel('/form', ${JSON.stringify(text)})`);
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

async function bundle() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: path.resolve(import.meta.dirname, '../..'),
    entryPoints: { resourceForm: 'src/ui/resourceForm/webview/main.ts' },
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
  });
  const textOf = (ending: string) => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  const { bytes: total = 0, inputs = {} } = metafile.outputs['dist/resourceForm.js'] ?? {};
  const library = Object.entries(inputs)
    .filter(([file]) => file.includes('node_modules/yaml/'))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return { script: textOf('.js'), style: textOf('.css'), sizes: { total, library } };
}

function answer(url: string, script: string, style: string): [type: string, body: string] {
  if (url === '/script') return ['text/javascript', script];
  if (url === '/style') return ['text/css', style];
  if (url === '/empty') return ['text/html', panelPage('<script>parent.postMessage({ type: "shown" }, "*")</script>')];
  if (url === '/form')
    return ['text/html', panelPage('<script src="/script"></script>', '<link rel="stylesheet" href="/style">')];
  return ['text/html', workbenchPage];
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
  const context = { title: 'Resources', flavor: 'standard', subject: 'draft', lock: '' };
  let frame;
  function openPanel(url, text) {
    frame?.remove();
    frame = document.createElement('iframe');
    frame.width = 900;
    frame.height = 900;
    const started = performance.now();
    return new Promise((resolve) => {
      onmessage = ({ data }) => {
        if (data.type === 'ready') frame.contentWindow.postMessage({ type: 'setup', translations: {}, context, version: 1, text }, '*');
        if (data.type === 'shown') frame.contentWindow.requestAnimationFrame(() => resolve(performance.now() - started));
      };
      frame.src = url;
      document.body.append(frame);
    });
  }
  async function keystrokes(id, count) {
    const field = frame.contentDocument.getElementById(id);
    const original = field.value;
    const times = [];
    for (let index = 0; index < count; index += 1) {
      await new Promise(requestAnimationFrame);
      field.value = id === 'field-cpu' ? String(1 + (index % 9) / 10) : original + (id === 'yaml' ? ' #' : 'x').repeat((index % 2) + 1);
      const started = performance.now();
      field.dispatchEvent(new frame.contentWindow.InputEvent('input', { bubbles: true, inputType: 'insertText' }));
      field.getBoundingClientRect();
      const typed = performance.now();
      frame.contentWindow.dispatchEvent(new Event('focusout'));
      field.getBoundingClientRect();
      times.push([typed - started, performance.now() - typed]);
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
