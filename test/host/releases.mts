/** One VS Code as the npm package `code-server` carries it, with what it needs to run. */
export interface Release {
  /** The VS Code version inside. */
  readonly vscode: string;
  /** The version of the npm package `code-server`. */
  readonly codeServer: string;
  /** The integrity of that package's archive, as the registry gave it when this version was chosen. */
  readonly integrity: string;
  /** A version of the npm package `node` to run it with; without one, the Node that runs this project. */
  readonly node?: string;
  /** A dependency that comes from an unreachable git host, and the version of the same package in the registry. */
  readonly replaced?: { readonly name: string; readonly version: string };
}

export type ReleaseName = keyof typeof releases;

/** The newest VS Code that was seen to work, and the oldest that `engines.vscode` allows. */
export const releases = {
  newest: {
    vscode: '1.139.1',
    codeServer: '4.139.1',
    integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  },
  oldest: {
    vscode: '1.106.3',
    codeServer: '4.106.3',
    integrity: 'sha512-GCspZ2Naj4/1pCVgfD3swU0/6RWGiodqeugwYLofT4rShPMCJXiw+hQYNREQlA6Yp53vJuRlR9ccrfIPLNQAKw==',
    node: '22.23.3',
    replaced: { name: '@parcel/watcher', version: '2.5.1' },
  },
} as const satisfies Record<string, Release>;
