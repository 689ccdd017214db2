import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';

/** A mistake in each language, and what the built-in extension says about it. */
const mistakes = [
  {
    language: 'typescript',
    text: "const count: number = 'two';",
    problem: /'string' is not assignable to type 'number'/,
  },
  { language: 'json', text: '{ "a": }', problem: /Value expected/ },
  { language: 'css', text: 'a { colour: red; }', problem: /Unknown property: 'colour'/ },
  { language: 'html', text: '<script>const a = 1; const a = 2;</script>', problem: /Cannot redeclare .* 'a'/ },
];

describe("VS Code's own language features", () => {
  const documents = new Map<string, vscode.TextDocument>();

  before(async () => {
    // Opened together, so the language servers start side by side.
    for (const { language, text: content } of mistakes) {
      documents.set(language, await vscode.workspace.openTextDocument({ language, content }));
    }
  });

  for (const { language, problem } of mistakes) {
    it(`find a mistake in ${language}`, async () => {
      const document = documents.get(language);
      assert.ok(document);
      assert.match(await firstProblem(document.uri), problem);
    });
  }

  it('outline a markdown file', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: '# Title\n\n## Part\n' });
    await vscode.extensions.getExtension('vscode.markdown-language-features')?.activate();
    const [title]: vscode.DocumentSymbol[] = await vscode.commands.executeCommand(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.equal(title?.name, '# Title');
    assert.deepEqual(
      title.children.map(({ name }) => name),
      ['## Part'],
    );
  });
});

async function firstProblem(uri: vscode.Uri): Promise<string> {
  let subscription: vscode.Disposable | undefined;
  try {
    return await new Promise((resolve) => {
      const look = (): void => {
        const [problem] = vscode.languages.getDiagnostics(uri);
        if (problem) resolve(problem.message);
      };
      subscription = vscode.languages.onDidChangeDiagnostics(look);
      look();
    });
  } finally {
    subscription?.dispose();
  }
}
