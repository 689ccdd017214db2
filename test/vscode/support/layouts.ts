import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { preflight } from '../../../src/core/draft/preflight/preflight.ts';
import { buildPaths } from '../../../src/core/draft/preflight/fileFindings.ts';
import { readDeployedConfig } from '../../../src/ui/deploy/deployedConfig.ts';
import { RemoteAddresses } from '../../../src/ui/workspace/openRemotes.ts';
import { RealRemotes } from '../../../src/ui/workspace/isolatedGit.ts';
import { readWorkspaceRepository } from '../../../src/ui/workspace/findRepository.ts';
import type { WorkspaceRepository } from '../../../src/ui/workspace/workspaceRepository.ts';
import { completeDraft } from '../../support/deploymentDraft.ts';
import { createRepository, git } from '../../support/gitRepositories.ts';
import { addFolder, closeEditors, suiteFolder } from './workspace.ts';

/** The text of a config file with one graph, in `agent.py` beside it. */
export const config = '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }\n';
/** The files of an application. */
export const app = { 'graph.json': config, 'agent.py': 'graph = None\n' };

/** A working copy and the bare repository behind its `origin`. */
export interface Clone {
  readonly folder: string;
  readonly bare: string;
}

/** A folder of the window for working copies. */
export interface Layouts {
  readonly folder: string;
  /** Makes a working copy on `main`, pushed to `origin`, in a folder of its own. */
  clone(files?: Record<string, string>): Promise<Clone>;
}

/** Opens a folder for working copies, because git opens no repository outside the folders of the window. */
export async function openLayouts(): Promise<Layouts> {
  const folder = await suiteFolder();
  await addFolder(folder);
  await closeEditors();
  let count = 0;
  return {
    folder,
    clone: async (files = app) => {
      count += 1;
      const directory = path.join(folder, `layout-${count}`);
      await mkdir(directory);
      return createRepository(directory, { name: 'agent', url: `https://code.example/acme/agent-${count}`, files });
    },
  };
}

/** Adds a remote with a bare repository of its own. */
export async function addRemote(folder: string, name: string): Promise<void> {
  const bare = path.join(folder, '..', `${name}.git`);
  await git(folder, 'init', '--quiet', '--bare', bare);
  await git(folder, 'remote', 'add', name, bare);
}

/** The repository of a folder's file, of what a menu names, or without both of the active editor. */
export async function read(place?: string | object, name = 'graph.json'): Promise<WorkspaceRepository> {
  const argument = typeof place === 'string' ? vscode.Uri.file(path.join(place, name)) : place;
  const repository = await readWorkspaceRepository(
    new RemoteAddresses(async () => new RealRemotes(tmpdir()), { debug: () => undefined }),
    argument,
  );
  assert.ok(repository, 'No question was left.');
  return repository;
}

/** What a draft is begun with, and what its check says of the repository and the files. */
export interface Detected {
  readonly root: string;
  readonly remote: string;
  readonly ref: string;
  readonly configPaths: readonly string[];
  readonly says: readonly string[];
}

/** What is found out about a repository; commits are written as COMMIT. */
export async function detected(repository: WorkspaceRepository): Promise<Detected> {
  const { root, remote, checkedOut, configPaths } = repository;
  assert.ok(checkedOut, 'Something is checked out.');
  const [configPath = ''] = configPaths;
  const state = await repository.stateOf(checkedOut);
  const { remoteCommit: commit } = state;
  const appConfig = await readDeployedConfig(repository, { configPath, commit, isOpenHere: true });
  const files = await repository.buildFiles(commit, buildPaths(configPath, appConfig));
  const draft = completeDraft({ ref: checkedOut, configPath, buildOnPush: false });
  const findings = preflight({ draft, git: state, appConfig, files, isNameTaken: false, reservedSecretNames: [] });
  return {
    root: path.basename(root.fsPath),
    remote,
    ref: withoutCommits(`${checkedOut.kind} ${checkedOut.name}`),
    configPaths,
    says: findings.filter(({ field = '' }) => checkedHere.test(field)).map(({ message }) => withoutCommits(message)),
  };
}

/** What is found out about the repository of a file. */
export async function detect(folder: string, name?: string): Promise<Detected> {
  return detected(await read(folder, name));
}

/** The fields that git and the files decide. */
const checkedHere = /^(?:ref|repositoryUrl|configPath)$/;

function withoutCommits(text: string): string {
  return text.replaceAll(/\b(?:[0-9a-f]{40}|[0-9a-f]{7})\b/g, 'COMMIT');
}
