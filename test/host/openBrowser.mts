import { spawn } from 'node:child_process';

/** Opens an address in the person's browser where there is one. Nothing happens on a CI machine or without a display. */
export function openBrowser(address: string): void {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI) return;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const [command, parameters] = opener(address);
  // The address has been printed: a browser that cannot be opened this way is opened by hand.
  spawn(command, parameters, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

function opener(address: string): [command: string, parameters: string[]] {
  if (process.platform === 'darwin') return ['open', [address]];
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}
