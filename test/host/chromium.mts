import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { cached } from './cache.mts';

export interface Chromium {
  readonly executable: string;
  /** The environment that it needs to start and to have letters to draw with. */
  readonly env: Readonly<Record<string, string>>;
}

const run = promisify(execFile);

/**
 * Finds the Chromium of the tests, unpacked once into the project's cache where it comes from the npm registry.
 * @throws Error when there is none, or it does not start.
 */
export async function findChromium(): Promise<Chromium> {
  const { platform, arch, env } = process;
  const chosen = chooseChromium({ platform, arch, env, exists: existsSync });
  return chosen === undefined ? packagedChromium() : { executable: chosen, env: {} };
}

/** What decides which Chromium the tests use. */
interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (file: string) => boolean;
}

/**
 * Gives the program that `CHROME_PATH` names, or an installed Chrome or Chromium. On Linux x64 it gives nothing unless
 * one is named: there the headless shell in the npm package `@sparticuz/chromium` is used, for the same results on
 * every machine.
 * @throws Error when there is none.
 */
export function chooseChromium({ platform, arch, env, exists }: Machine): string | undefined {
  const named = env['CHROME_PATH'];
  if (named) {
    if (exists(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, but that file does not exist.`);
  }
  if (platform === 'linux' && arch === 'x64') return undefined;
  const installed = usualPlaces(platform, env).find(exists);
  if (installed === undefined) {
    throw new Error('No Chrome or Chromium was found. Install one, or name its program in CHROME_PATH.');
  }
  return installed;
}

function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] {
  if (platform === 'darwin') {
    return ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (platform === 'win32') {
    return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((variable) =>
      path.join(env[variable] ?? '', 'Google/Chrome/Application/chrome.exe'),
    );
  }
  return ['google-chrome', 'google-chrome-stable', 'chromium'].map((name) => `/usr/bin/${name}`);
}

async function packagedChromium(): Promise<Chromium> {
  const packaged = path.resolve(import.meta.dirname, '../../node_modules/@sparticuz/chromium');
  const { version } = JSON.parse(await readFile(path.join(packaged, 'package.json'), 'utf8'));
  const folder = await cached(`chromium-${version}`, (draft) => unpack(path.join(packaged, 'bin'), draft));
  const executable = path.join(folder, 'chromium');
  const fonts = (await hasFonts()) ? {} : { FONTCONFIG_FILE: await writeFontSettings(folder) };
  if (await starts(executable, fonts)) return { executable, env: fonts };
  // The packed libraries are for machines that lack them; where they are installed they are the better match.
  const env = { ...fonts, LD_LIBRARY_PATH: path.join(folder, 'lib') };
  if (await starts(executable, env)) return { executable, env };
  throw new Error(`${executable} does not start on this machine. Name an installed Chrome or Chromium in CHROME_PATH.`);
}

async function unpack(packed: string, folder: string): Promise<void> {
  const executable = path.join(folder, 'chromium');
  await decompress(path.join(packed, 'chromium.br'), executable);
  await chmod(executable, 0o755);
  for (const name of ['al2023.tar', 'fonts.tar']) {
    const archive = path.join(folder, name);
    await decompress(path.join(packed, `${name}.br`), archive);
    await run('tar', ['-xf', archive], { cwd: folder });
    await rm(archive);
  }
}

function decompress(packed: string, target: string): Promise<void> {
  return pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(target));
}

async function starts(executable: string, env: Record<string, string>): Promise<boolean> {
  return run(executable, ['--version'], { env: { ...process.env, ...env }, timeout: 20_000 }).then(
    () => true,
    () => false,
  );
}

async function hasFonts(): Promise<boolean> {
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    path.join(homedir(), '.fonts'),
    path.join(homedir(), '.local/share/fonts'),
  ];
  for (const folder of folders) {
    const files = await readdir(folder, { recursive: true }).catch(() => []);
    if (files.some((file) => /\.(?:ttf|otf|ttc)$/.test(file))) return true;
  }
  return false;
}

/** The package's own font settings name the folder of another machine. */
async function writeFontSettings(folder: string): Promise<string> {
  const cache = path.join(folder, 'font-cache');
  await mkdir(cache, { recursive: true });
  const file = path.join(folder, 'fonts-of-this-folder.conf');
  await writeFile(
    file,
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">' +
      `<fontconfig><dir>${path.join(folder, 'fonts')}</dir><cachedir>${cache}</cachedir></fontconfig>\n`,
  );
  return file;
}
