import { describe, expect, it } from 'vitest';
import { explainGitFailure, gitFailureIn } from '../../../../src/core/git/gitWords.ts';

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
      'The remote declined the push. Git says: Ask at https://code.example/rules first. pre-receive hook declined',
    ],
    [
      'that the remote has other commits, without the hints',
      [
        'To /srv/app.git',
        ' ! [rejected]        main -> main (fetch first)',
        "error: failed to push some refs to '/srv/app.git'",
        'hint: Updates were rejected because the remote contains work that you do not have locally.',
      ],
      "The remote has commits that you don't have. Pull, then push again. Git says: fetch first",
    ],
    [
      'a protected branch',
      [
        'remote: error: GH006: Protected branch update failed for refs/heads/main.',
        ' ! [remote rejected] main -> main (protected branch hook declined)',
      ],
      'The branch is protected. Push another branch and merge it there. Git says: error: GH006: Protected branch update failed for refs/heads/main. protected branch hook declined',
    ],
    [
      'that access is missing',
      [
        "fatal: unable to access 'https://me:canary-pass@code.example/acme/app/': The requested URL returned error: 403",
      ],
      "You aren't signed in to the remote. Check your credentials and your access. Git says: unable to access 'https://code.example/acme/app/': The requested URL returned error: 403",
    ],
    ['a progress as nothing', ['Counting objects: 100% (3/3), done.\rWriting objects: 100% (3/3)'], undefined],
    [
      'what a hook of this clone prints, which git names nowhere',
      [
        'Checking secrets…',
        'canary: found a key',
        "error: failed to push some refs to 'https://code.example/acme/app'",
      ],
      'A hook of this clone stopped the push. Git says: Checking secrets…. canary: found a key',
    ],
  ])('are %s', (_what, lines, words) => {
    expect(explainGitFailure(lines.join('\n'))).toBe(words);
  });
});

describe('why git failed', () => {
  it.each([
    ['credentials', "remote: Invalid username or token.\nfatal: Authentication failed for 'https://code.example/a/b/'"],
    ['credentials', "fatal: could not read Username for 'https://code.example': terminal prompts disabled"],
    ['credentials', 'git@code.example: Permission denied (publickey).\nfatal: Could not read from remote repository.'],
    ['hostKey', 'Host key verification failed.\nfatal: Could not read from remote repository.'],
    ['notFound', "remote: Repository not found.\nfatal: repository 'https://code.example/a/b/' not found"],
    ['network', 'ssh: connect to host code.example port 22: Connection refused'],
    ['other', 'fatal: bad object HEAD'],
    ['other', ''],
  ])('is %s for %j', (failure, output) => {
    expect(gitFailureIn(output)).toBe(failure);
  });
});
