/**
 * A file's path below a folder, with forward slashes; undefined if it is elsewhere. Takes paths of URIs and of the disk.
 * On Windows and macOS the same folder can be written in capital or small letters.
 */
export function pathBelow(folder: string, file: string, platform: string): string | undefined {
  // Elsewhere than on Windows, a backslash is part of a name.
  const slashed = (path: string): string => (platform === 'win32' ? path.replaceAll('\\', '/') : path);
  const [root, place] = [slashed(folder), slashed(file)];
  const start = root.endsWith('/') ? root : `${root}/`;
  const own = place.slice(0, start.length);
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  const isBelow = ignoresCase ? own.toLowerCase() === start.toLowerCase() : own === start;
  return isBelow ? place.slice(start.length) : undefined;
}
