import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commitFiles, createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import { afterPush, createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { addConnection, removeConnection, switchConnection } from './support/connections.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, statusBar, statusBarEntry, told, tree } from './support/window.ts';
import { activeTab, addFolder, closeEditors, suiteFolder } from './support/workspace.ts';

const url = 'https://code.example/scm/acme/compare-agent';

describe('The code of two revisions', () => {
  const view = () => tree('Deployments');
  let folder: string;
  let bare: string;
  let fork: string;
  let service: Service;
  /** The commit of the live revision, which a colleague pushed. */
  let pushed: string;

  before(async () => {
    const temporary = await suiteFolder();
    const repository = await createRepository(temporary, { name: 'compare-agent', url, files: sampleFiles });
    ({ folder, bare } = repository);
    const colleague = path.join(temporary, 'colleague');
    await git(temporary, 'clone', '--quiet', repository.bare, colleague);
    await git(colleague, 'config', `url.${repository.bare}.insteadOf`, url);
    await git(colleague, 'remote', 'set-url', 'origin', url);
    await git(colleague, 'config', 'user.name', 'A Colleague');
    await git(colleague, 'config', 'user.email', 'colleague@code.example');
    service = await startService({ repositories: [colleague], stepMs: 1, devControls: true });
    const deployment = await createFromRepository(service, 'compare-agent', url);
    await untilEnded(service, [deployment]);
    pushed = await commitFiles(colleague, { 'notes.md': 'From a colleague.\n' }, 'Write notes');
    await git(colleague, 'push', '--quiet', 'origin', 'main');
    await untilEnded(service, [{ ...deployment, latest_revision_id: await afterPush(service, deployment) }]);
    // The clone tracks a fork, which lacks the commit.
    fork = path.join(temporary, 'fork.git');
    const forkUrl = 'https://code.example/scm/ada/compare-agent';
    await git(folder, 'remote', 'rename', 'origin', 'upstream');
    await git(temporary, 'clone', '--quiet', '--bare', folder, fork);
    await git(folder, 'config', `url.${fork}.insteadOf`, forkUrl);
    await git(folder, 'remote', 'add', 'origin', forkUrl);
    await git(folder, 'fetch', '--quiet', 'origin');
    await git(folder, 'branch', '--quiet', '--set-upstream-to', 'origin/main', 'main');
    await addFolder(folder);
    await view().open();
    await addConnection('Compare', service);
    await view().shows('compare-agent');
  });

  /** The texts of the open documents of a scheme, by their names or their kinds. */
  const texts = (scheme: string, name: RegExp) =>
    vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === scheme && (name.test(uri.path) || name.test(uri.query)))
      .map((document) => document.getText());

  it('is said to be missing if the remotes lack a commit as well', async () => {
    await git(folder, 'config', '--unset', `url.${bare}.insteadOf`);
    await git(folder, 'config', '--add', `url.${fork}.insteadOf`, url);
    const shown = run('showChangesSinceLive', await view().shows('compare-agent'));
    (await told.message(`This clone doesn't have ${pushed.slice(0, 7)}. Fetch to compare the code.`)).press('Fetch');
    (await told.message(`This clone lacks ${pushed.slice(0, 7)} also after the fetch.`)).press();
    await shown;
    await git(folder, 'config', '--unset', `url.${fork}.insteadOf`, '/acme/');
    await git(folder, 'config', `url.${bare}.insteadOf`, url);
  });

  it('is shown after a fetch if the clone lacks a commit, and their records before', async () => {
    await git(folder, 'remote', 'add', 'gone', path.join(folder, 'gone'));
    await view().expand('compare-agent');
    const compared = run('compareRevisions', await view().shows(/active · latest/));
    await quickInput.choose(/^main @/);
    const missing = await told.message(`This clone doesn't have ${pushed.slice(0, 7)}. Fetch to compare the code.`);
    await activeTab(/compare-agent: main @ [0-9a-f]{7} ↔ main @ [0-9a-f]{7}/);
    const records = texts('deployment-manager', /"comparedRevision"/).join('\n');
    expect(records).toContain(`repo_commit_sha: ${pushed}`);
    expect(records).not.toMatch(/^(?:id|created_at|updated_at):/m);
    expect(texts('git', /compare-agent\/notes\.md$/)).toEqual([]);
    missing.press('Fetch');
    await compared;
    await expect.poll(() => texts('git', /compare-agent\/notes\.md$/)).toEqual(['From a colleague.\n']);
    await git(folder, 'remote', 'remove', 'gone');
    expect(texts('deployment-manager', /Compare\/compare-agent\/Commits\.txt$/)).toEqual([
      expect.stringMatching(/^Only in \w{7}:\n\w{7} Write notes \(A Colleague, .*\)\n$/),
    ]);
  });

  it('is shown for what one revision changed, without a question', async () => {
    await closeEditors();
    await run('showRevisionChanges', await view().shows(/active · latest/));
    await activeTab(/compare-agent: main @ [0-9a-f]{7} ↔ main @ [0-9a-f]{7}/);
    await expect.poll(() => texts('git', /compare-agent\/notes\.md$/)).toEqual(['From a colleague.\n']);
    const shown = run('showRevisionChanges', await view().shows(/^main @ .* replaced/));
    (await told.message('No revision of "compare-agent" before this one is known.')).press();
    await shown;
  });

  it('has a commit that can be copied, and opened where the pages of its host are known', async () => {
    await run('copyCommit', await view().shows(/active · latest/));
    expect(await vscode.env.clipboard.readText()).toBe(pushed);
    expect(view().tags(/active · latest/)).toMatch(/^revision;commit;commitPage;/);
    await run('openCommit', await view().shows(/active · latest/));
    expect(told.opened.at(-1)).toBe(`https://code.example/projects/acme/repos/compare-agent/commits/${pushed}`);
  });

  it('is compared with HEAD even if the live commit is ahead of it', async () => {
    await closeEditors();
    await run('showChangesSinceLive', await view().shows('compare-agent'));
    await activeTab(/^compare-agent: live [0-9a-f]{7} ↔ HEAD/);
    await expect.poll(() => texts('git', /compare-agent\/notes\.md$/)).toEqual(['From a colleague.\n']);
    expect(texts('deployment-manager', /Compare\/compare-agent\/Commits\.txt$/)).toEqual([
      expect.stringMatching(/^Live, but not in HEAD:\n\w{7} Write notes /),
    ]);
  });

  it('is a link of the details', async () => {
    await closeEditors();
    await run('openDetails', await view().shows('compare-agent'));
    await expect.poll(editorText).toMatch(/\n# Show Changes Since Live\n# Deploy Current Repository…\n/);
    const document = vscode.window.activeTextEditor?.document;
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document?.uri,
    );
    const link = links.find(({ range }) => document?.getText(range) === 'Show Changes Since Live');
    expect(link?.target?.path).toBe('deploymentManager.showChangesSinceLive');
    await run('showChangesSinceLive', ...(JSON.parse(link?.target?.query ?? '') as unknown[]));
    await activeTab(/^compare-agent: live [0-9a-f]{7} ↔ HEAD/);
  });

  it('is the same after a pull', async () => {
    await git(folder, 'merge', '--quiet', '--ff-only', 'upstream/main');
    const shown = run('showChangesSinceLive', await view().shows('compare-agent'));
    (await told.message('"compare-agent" is up to date: the live commit')).press();
    await shown;
  });

  it('is compared for the followed deployment that a link names, also if another connection is in use', async () => {
    await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Write more');
    await untilEnded(service, [await createFromRepository(service, 'twin-agent', url)]);
    await run('followDeployment', await view().shows('compare-agent'));
    await expect.poll(statusBar).toBe(`compare-agent: main @ ${pushed.slice(0, 7)} is live`);
    const [, link] =
      /\[Changes Since Live\]\(command:deploymentManager\.showFollowed\?([^)]+)\)/.exec(statusBarEntry().tooltip()) ??
      [];
    const argumentsOfLink = JSON.parse(decodeURIComponent(link ?? '')) as unknown[];
    for (const connection of ['Compare', 'Other']) {
      if (connection === 'Other') await addConnection(connection, service);
      await closeEditors();
      await run('showFollowed', ...argumentsOfLink);
      await activeTab(/^compare-agent: live [0-9a-f]{7} ↔ HEAD/);
      await expect.poll(() => texts('deployment-manager', /Compare\/compare-agent\/Commits\.txt$/)).toHaveLength(1);
    }
    await removeConnection('Other');
    // Both connections have the same rows, so see the old ones go first.
    await expect.poll(() => view().rows()).toBe('');
    await switchConnection('Compare');
    await view().shows('compare-agent');
  });

  it('is cut off after 500 files, and the title says so', async () => {
    const files = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`many/${index}.md`, `${index}\n`]));
    await commitFiles(folder, files, 'Write much');
    const { executeCommand } = vscode.commands;
    // To open so many files would take minutes.
    const shown = new Promise<readonly unknown[]>((resolve) => {
      Object.assign(vscode.commands, {
        executeCommand: async (command: string, ...parameters: unknown[]) =>
          command === 'vscode.changes' ? resolve(parameters) : executeCommand(command, ...parameters),
      });
    });
    try {
      await run('showChangesSinceLive', await view().shows('compare-agent'));
      const [title, entries] = await shown;
      expect(title).toMatch(/^compare-agent: live [0-9a-f]{7} ↔ HEAD \(first 500 of 501 files\)$/);
      // The list of commits comes first.
      expect(entries).toHaveLength(501);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
  });
});
