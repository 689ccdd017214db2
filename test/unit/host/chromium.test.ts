import { describe, expect, it } from 'vitest';
import { chooseChromium } from '../../host/chromium.mts';

/** A machine that has these programs installed. */
function machine(platform: NodeJS.Platform, arch: string, installed: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return { platform, arch, env, exists: (file: string) => installed.includes(file.replaceAll('\\', '/')) };
}

const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const windowsChrome = 'C:/Program Files/Google/Chrome/Application/chrome.exe';

describe('The browser of the tests', () => {
  it('is the packaged one on Linux, also where another is installed', () => {
    expect(chooseChromium(machine('linux', 'x64', ['/usr/bin/google-chrome', '/usr/bin/chromium']))).toBeUndefined();
  });

  it('is the one that CHROME_PATH names, if that exists', () => {
    const env = { CHROME_PATH: '/opt/chrome' };
    expect(chooseChromium(machine('linux', 'x64', ['/opt/chrome'], env))).toBe('/opt/chrome');
    expect(() => chooseChromium(machine('linux', 'x64', [], env))).toThrow('CHROME_PATH names /opt/chrome, but');
  });

  it.each([
    ['linux', 'arm64', '/usr/bin/chromium'],
    ['darwin', 'arm64', macChrome],
    ['win32', 'x64', windowsChrome],
  ] as const)('is an installed one on %s %s, where the package has none', (platform, arch, program) => {
    const env = { PROGRAMFILES: 'C:/Program Files' };
    expect(chooseChromium(machine(platform, arch, [program], env))?.replaceAll('\\', '/')).toBe(program);
    expect(() => chooseChromium(machine(platform, arch, [], env))).toThrow('No Chrome or Chromium was found.');
  });
});
