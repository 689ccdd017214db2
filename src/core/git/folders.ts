/**
 * A file's path below a folder, with forward slashes; undefined if it is elsewhere. Takes the paths of URIs.
 * On Windows and macOS the same folder can be written in capital or small letters.
 */
export function pathBelow(folder: string, file: string, platform: string): string | undefined {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const own = file.slice(0, start.length);
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  const isBelow = ignoresCase ? own.toLowerCase() === start.toLowerCase() : own === start;
  return isBelow ? file.slice(start.length) : undefined;
}
