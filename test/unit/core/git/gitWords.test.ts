import { describe, expect, it } from 'vitest';
import { gitWords } from '../../../../src/core/git/gitWords.ts';

describe("git's words about a failure", () => {
  it.each([
    [
      'what a hook says, and that it declined',
      [
        'remote: Ask at https://bot:canary-pass@code.example/rules first.        ',
        'remote: ',
        'To https://me:canary-pass@code.example/acme/app',
        ' ! [remote rejected] main -> main (pre-receive hook declined)',
        "error: failed to push some refs to 'https://me:canary-pass@code.example/acme/app'",
      ],
      'Ask at https://code.example/rules first. pre-receive hook declined',
    ],
    [
      'that the remote has other commits, without the hints',
      [
        'To /srv/app.git',
        ' ! [rejected]        main -> main (fetch first)',
        "error: failed to push some refs to '/srv/app.git'",
        'hint: Updates were rejected because the remote contains work that you do not have locally.',
      ],
      'fetch first',
    ],
    [
      'a protected branch',
      [
        'remote: error: GH006: Protected branch update failed for refs/heads/main.',
        ' ! [remote rejected] main -> main (protected branch hook declined)',
      ],
      'error: GH006: Protected branch update failed for refs/heads/main. protected branch hook declined',
    ],
    [
      'that access is missing',
      [
        "fatal: unable to access 'https://me:canary-pass@code.example/acme/app/': The requested URL returned error: 403",
      ],
      "unable to access 'https://code.example/acme/app/': The requested URL returned error: 403",
    ],
    ['a progress as nothing', ['Counting objects: 100% (3/3), done.\rWriting objects: 100% (3/3)'], ''],
  ])('are %s', (_what, lines, words) => {
    expect(gitWords(lines.join('\n'))).toBe(words);
  });
});
