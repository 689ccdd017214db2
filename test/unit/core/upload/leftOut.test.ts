import { describe, expect, it } from 'vitest';
import { isPointer, neverUploaded } from '../../../../src/core/upload/leftOut.ts';

describe('what is never uploaded', () => {
  it.each([
    '.env',
    '.env.production',
    '.env-local',
    '.envrc',
    'a.env',
    'apps/one/.ENV',
    '.env/bin/python',
    '.env.example.local',
    '.env copy',
    '.env - Copy',
    '.env1',
    '.env~',
    '#.env#',
    'production.env~',
    '.envs/.production/.django',
  ])('is %s, because it may hold secrets', (path) => expect(neverUploaded(path)).toBe('secrets'));

  it.each(['.git', '.git/config', 'libs/library/.git', 'a/.GIT/hooks/x'])('is %s, which belongs to git', (path) =>
    expect(neverUploaded(path)).toBe('git'),
  );

  it.each([
    '.env.example',
    'a/.env.sample',
    '.env.template',
    'example.env',
    '.gitignore',
    'env.py',
    '.environment',
    '.envision',
  ])('is not %s', (path) => expect(neverUploaded(path)).toBeUndefined());
});

describe('a pointer of Git LFS', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

  it('is known by its first lines', () => {
    expect(isPointer(pointer)).toBe(true);
    expect(isPointer(pointer.replaceAll('\n', '\r\n'))).toBe(true);
  });

  it('is not a text that only mentions one', () => {
    expect(isPointer(`# ${pointer}`)).toBe(false);
    expect(isPointer('version https://git-lfs.github.com/spec/v1\n')).toBe(false);
  });
});
