import path from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';
import { findChromium } from './chromium.mts';
import type { Janitor } from './janitor.mts';

export interface BrowserOptions {
  readonly janitor: Janitor;
  /** In CSS pixels. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Device pixels per CSS pixel: 2 gives screenshots that are sharp on any screen. */
  readonly scale?: number;
}

/**
 * Starts a headless Chromium with its profile in the janitor's folder. It ends with `close` or with this process.
 * Its pages stand still: nobody watches their animations, which take over a tenth of the processor's time.
 */
export async function startBrowser(options: BrowserOptions): Promise<BrowserContext> {
  const { executable, env } = await findChromium();
  const profile = path.join(options.janitor.folder, 'browser');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable,
    headless: true,
    env: { ...definedOnly(process.env), ...env },
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    locale: 'en-US',
    reducedMotion: 'reduce',
    artifactsDir: path.join(options.janitor.folder, 'artifacts'),
    // Without the sandbox, because CI machines run as root and forbid the system calls that it is made of; the only
    // pages opened are our own.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  await context.addInitScript({
    content: `const still = new CSSStyleSheet();
      still.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }');
      document.adoptedStyleSheets.push(still);`,
  });
  return context;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
