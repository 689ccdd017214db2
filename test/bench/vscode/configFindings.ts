// Runs inside an extension host; test/bench/configFindings.bench.mts builds and starts it.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { IgnoreQuestions } from '../../../src/git/ignoredFiles.ts';
import { configFindings } from '../../../src/ui/appConfig/configFindings.ts';
import { repositoryFindings } from '../../../src/ui/appConfig/repositoryFindings.ts';
import { openGit } from '../../../src/ui/workspace/gitExtension.ts';

const rounds = 8;

/** Checks all config files of the open folder again and again, and writes the times to a file as JSON. */
export async function run(): Promise<void> {
  const git = await openGit();
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder !== undefined) await git.openRepository(folder.uri);
  const files = await vscode.workspace.findFiles('teams/**/graph.json');
  const documents = await Promise.all(files.map(async (file) => vscode.workspace.openTextDocument(file)));
  const findSources = async (): Promise<never> => Promise.reject(new Error('A check searched the folders.'));
  const helpers = { findSources, ignored: new IgnoreQuestions() };
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const { signal } = new AbortController();
    const found = [...configFindings(document), ...(await repositoryFindings(document, helpers, signal))];
    if (found.length !== 1) throw new Error(`${found.length} findings in ${document.uri.path}.`);
  };
  const times = { text: Array.of<number>(), one: Array.of<number>(), all: Array.of<number>() };
  const measure = async (into: number[], work: () => unknown): Promise<void> => {
    const begin = performance.now();
    await work();
    into.push(performance.now() - begin);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const document of documents.slice(0, 5)) {
      await measure(times.text, () => configFindings(document));
      await measure(times.one, async () => check(document));
    }
    await measure(times.all, async () => Promise.all(documents.map(check)));
  }
  writeFileSync(process.env['FINDINGS_FILE'] ?? '', JSON.stringify(times));
}
