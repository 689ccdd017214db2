import { describe, expect, it } from 'vitest';
import {
  fileLists,
  filesWords,
  folderFindings,
  sizeWords,
  tooLargeArchive,
  type FolderFacts,
} from '../../../../src/core/upload/folderWords.ts';

const facts: FolderFacts = {
  name: 'app',
  place: '/home/me/app',
  checkout: undefined,
  files: [{ path: 'agent.py', size: 10 }],
  leftOut: [],
  pointers: [],
  windowsScripts: [],
  isFromGit: true,
  unsaved: [],
  outside: [],
};
const says = (changed: Partial<FolderFacts>) =>
  folderFindings({ ...facts, ...changed })
    .slice(0, -1)
    .map(({ severity, message }) => `${severity}: ${message}`);

describe('the findings about a folder', () => {
  it('always say what is uploaded, and that nothing is committed or pushed', () => {
    expect(folderFindings(facts)).toEqual([
      {
        severity: 'info',
        message: 'Uploads /home/me/app as it is on disk: 1 file, 10 bytes. Nothing is committed or pushed.',
        field: 'tarballPath',
      },
    ]);
    const checkout = { commit: '0123456789abcdef0123456789abcdef01234567', changes: 2 };
    expect(folderFindings({ ...facts, checkout }).at(-1)?.message).toBe(
      'Uploads /home/me/app as it is on disk: 1 file, 10 bytes, 0123456 + 2 changes. Nothing is committed or pushed.',
    );
  });

  it.each<[string, Partial<FolderFacts>, string]>([
    ['has no files', { files: [] }, 'error: app has no files to upload, or git ignores all of them.'],
    [
      'has pointers of Git LFS',
      { pointers: ['a.bin', 'b.bin'] },
      'error: Git LFS hasn\'t fetched a.bin, b.bin. Run "git lfs pull", then try again.',
    ],
    [
      'is too large',
      {
        files: [
          { path: 'model.bin', size: 209_715_200 },
          { path: 'agent.py', size: 1 },
        ],
      },
      "error: The files have 200 MB, more than the limit of 200 MB. Have git ignore what the application doesn't need. The largest: model.bin (200 MB), agent.py (1 byte).",
    ],
    ['will not build', { buildProblem: 'agent.py is missing' }, 'warning: The build will fail: agent.py is missing.'],
    [
      'lacks dependencies',
      { outside: ['../shared'] },
      'warning: The application needs ../shared outside this folder. Deploy a folder that holds both.',
    ],
    [
      'has scripts with CRLF',
      { windowsScripts: ['run.sh'] },
      "warning: Linux can't run scripts with Windows line ends. Save these with LF: run.sh.",
    ],
    ['has unsaved changes', { unsaved: ['agent.py'] }, "warning: Unsaved changes aren't uploaded: agent.py."],
    [
      'has links outside',
      {
        leftOut: [
          { path: 'data', reason: 'linkOutside' },
          { path: '.env', reason: 'secrets' },
        ],
      },
      'warning: Left out (links outside the folder): data.',
    ],
    [
      "has a submodule that isn't checked out",
      {
        leftOut: [
          { path: 'a', reason: 'submodule' },
          { path: 'b', reason: 'submodule' },
        ],
      },
      "warning: Left out (submodule that isn't checked out): a, b.",
    ],
    [
      'is in no repository',
      { isFromGit: false },
      "info: app isn't in a git repository. All its files are uploaded, except packages, caches and .env files.",
    ],
    [
      'is read without git',
      { isFromGit: false, gitProblem: "Git wasn't found." },
      "warning: Git isn't available, so files that it would ignore are uploaded too: Git wasn't found.",
    ],
  ])('say if it %s', (_, changed, expected) => {
    expect(says(changed)).toEqual([expected]);
  });

  it('allow exactly as much as a service takes', () => {
    expect(says({ files: [{ path: 'model.bin', size: 209_715_200 }] })).toEqual([]);
    expect(tooLargeArchive()).toBe('The archive is larger than the limit of 200 MB.');
  });
});

describe('the words of a folder', () => {
  const files = [
    { path: 'a.py', size: 1 },
    { path: 'b\nc.bin', size: 2_000_000 },
    { path: 'd.py', size: 30_000 },
    { path: 'e.py', size: 0 },
  ];

  it('count the files', () => {
    expect(filesWords(files)).toBe('4 files, 1.9 MB');
    expect(filesWords(files.slice(0, 1))).toBe('1 file, 1 byte');
  });

  it('list what is left out, and all files with the largest first', () => {
    const taken = [
      { path: 'b?c.bin', words: '1.9 MB' },
      { path: 'd.py', words: '29 kB' },
      { path: 'a.py', words: '1 byte' },
      { path: 'e.py', words: '0 bytes' },
    ];
    const uploaded = { heading: 'Files to upload', rows: taken };
    expect(fileLists({ files, leftOut: [] })).toEqual([uploaded]);
    expect(fileLists({ files, leftOut: [{ path: '.env', reason: 'secrets' }] })).toEqual([
      { heading: 'Left out, besides what git ignores', rows: [{ path: '.env', words: 'may hold secrets' }] },
      uploaded,
    ]);
  });

  it('list no more files than anybody reads', () => {
    const many = Array.from({ length: 6001 }, (_, index) => ({ path: `${index}.py`, size: 1 }));
    const [list] = fileLists({ files: many, leftOut: [] });
    expect(list?.rows.length).toBe(5000);
    expect(list?.more).toBe('1,001 more');
  });

  it('give sizes in the usual units', () => {
    expect([0, 1023, 1024, 10_240, 1_022_976, 1_048_576, 209_715_200].map(sizeWords)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1 kB',
      '10 kB',
      '999 kB',
      '1 MB',
      '200 MB',
    ]);
  });
});
