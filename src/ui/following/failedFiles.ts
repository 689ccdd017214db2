import * as vscode from 'vscode';
import { filesIn, lineIn } from '../../core/status/reasonFiles.ts';
import { shortened } from '../../core/text/text.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import { deploymentKey, type RevisionId } from '../../state/answers/answers.ts';
import type { Followed } from '../../state/following/follower.ts';
import type { Services } from '../services.ts';
import { commandRemedy, type Remedy } from '../window/errors.ts';
import { openDocument } from '../window/files.ts';
import { readFileText } from '../window/fileText.ts';

type Sources = Pick<Services, 'answers' | 'connections' | 'follower' | 'log' | 'workspaceDrift'>;

interface FailedFile {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly line: number | undefined;
}

interface MarkedFile {
  readonly followed: Followed;
  readonly uri: vscode.Uri;
  readonly problem: vscode.Diagnostic;
}

/** What is known of a failed build in the workspace. */
interface LookedUp {
  readonly repository: vscode.Uri | undefined;
  readonly files: readonly FailedFile[];
}

/** In characters; VS Code marks no more than the line has. */
const longestLine = 1_000;

/** In bytes. A larger config file is marked at its first line. */
const largestFile = 256 * 1024;

/** In characters. The details have the whole reason. */
const longestProblem = 2_000;

/** The files of the workspace that failed builds name, which are problems until the next revision. */
export class FailedFiles implements vscode.Disposable {
  readonly #services: Sources;
  readonly #problems = vscode.languages.createDiagnosticCollection('deploymentManager');
  /** By connection and deployment, because several can fail at one file. */
  readonly #shown = new Map<string, MarkedFile>();
  /** Those that a check of ours said too. */
  readonly #told = new WeakSet<MarkedFile>();
  /** What was drawn last, because drawing changes the diagnostics that it depends on. */
  #drawn = '';
  /** The mark and the notification of one ending share a look, because each runs git. */
  readonly #searches = new WeakMap<RevisionId, Promise<LookedUp>>();
  readonly #subscription: vscode.Disposable;

  constructor(services: Sources) {
    this.#services = services;
    const { follower, log } = services;
    this.#subscription = vscode.Disposable.from(
      this.#problems,
      follower.onDidEnd((followed) => {
        this.#mark(followed).catch((error: unknown) => log.debug('The files of a failed build.', error));
      }),
      follower.onDidChange(() => this.#forgetOld()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#forgetCorrected(
          document.uri,
          contentChanges.map(({ range }) => range),
        ),
      ),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const marked = new Set([...this.#shown.values()].map(({ uri }) => uri.toString()));
        if (uris.some((uri) => marked.has(uri.toString()))) this.#draw();
      }),
    );
  }

  /** A button that opens the file that the reason names, at its line, and one that pushes again. */
  async remediesOf(
    followed: RevisionId,
  ): Promise<{ readonly opening: readonly Remedy[]; readonly pushing: readonly Remedy[] }> {
    const { repository, files } = await this.#lookUpOnce(followed);
    return {
      opening: files
        .slice(0, 1)
        .map((file) => ({ title: vscode.l10n.t('Open {0}', shortened(file.path)), run: () => open(file) })),
      pushing: repository === undefined ? [] : await this.#pushingOf(followed, repository),
    };
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /**
   * A button that pushes again where a push starts the next build: deploying the repository again offers the push, or an
   * empty commit where nothing is left to push.
   */
  async #pushingOf(followed: RevisionId, repository: vscode.Uri): Promise<readonly Remedy[]> {
    const { answers, connections } = this.#services;
    const { session } = connections;
    const isHere = session.kind === 'ready' && session.connection.name === followed.connection;
    const record = answers.record(followed.connection, followed.deploymentId);
    const { source_config: source, source_revision_config: revision } = record ?? {};
    if (!isHere || source?.build_on_push === false) return [];
    const config = vscode.Uri.joinPath(repository, revision?.graph_config_path ?? '');
    // Like the menus of a file and of a repository do.
    const place = (await isFile(config)) ? config : { rootUri: repository };
    return [commandRemedy(vscode.l10n.t('Push Again'), 'deployCurrentRepository', place)];
  }

  async #mark(followed: Followed): Promise<void> {
    const revision = this.#revisionOf(followed);
    if (revisionStatusView(statusOf(revision ?? {})).phase !== 'failed') return;
    const { files } = await this.#lookUpOnce(followed);
    const [file] = files;
    if (file === undefined || !this.#isLatest(followed)) return;
    const line = Math.max(0, (file.line ?? 1) - 1);
    const message = shortened(revision?.status_message ?? '', longestProblem);
    const problem = new vscode.Diagnostic(new vscode.Range(line, 0, line, longestLine), message);
    problem.source = 'Deployment Manager';
    this.#shown.set(deploymentKey(followed), { followed, uri: file.uri, problem });
    this.#draw();
  }

  #revisionOf({ connection, revisionId }: RevisionId): Revision | undefined {
    return this.#services.answers.revision(connection, revisionId);
  }

  #forgetOld(): void {
    const old = [...this.#shown].filter(([, { followed }]) => !this.#isLatest(followed));
    if (old.length === 0) return;
    for (const [key] of old) this.#shown.delete(key);
    this.#draw();
  }

  /** Once its line is edited, a mark says nothing of the file any more. Checks of its text say what is still wrong. */
  #forgetCorrected(uri: vscode.Uri, changed: readonly vscode.Range[]): void {
    const corrected = [...this.#shown].filter(([, marked]) => {
      if (marked.uri.toString() !== uri.toString()) return false;
      const isEdited = changed.some((range) => range.intersection(marked.problem.range) !== undefined);
      // While the editor says where its JSON is broken, any line may correct it.
      return isEdited || this.#toldBy(marked) === 'editor';
    });
    if (corrected.length === 0) return;
    for (const [key] of corrected) this.#shown.delete(key);
    this.#draw();
  }

  #isLatest({ connection, deploymentId, revisionId }: Followed): boolean {
    return this.#services.follower.find(connection, deploymentId)?.revisionId === revisionId;
  }

  /**
   * Several deployments can fail at one file for one reason, which is one problem. VS Code joins those of a file. What
   * a check of the file's text marks as an error in the same entry isn't said twice.
   */
  #draw(): void {
    const keyOf = ({ uri, problem }: MarkedFile): string => JSON.stringify([uri.toString(), problem.message]);
    for (const [key, marked] of this.#shown) {
      const teller = this.#toldBy(marked);
      if (teller === 'us') this.#told.add(marked);
      // The open file was corrected, perhaps by a change of another file.
      else if (teller === undefined && this.#told.has(marked) && openDocument(marked.uri) !== undefined)
        this.#shown.delete(key);
    }
    const untold = [...this.#shown.values()].filter((marked) => this.#toldBy(marked) === undefined);
    const distinct = new Map(untold.map((marked) => [keyOf(marked), marked]));
    const drawn = [...distinct.keys()].join();
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#problems.clear();
    this.#problems.set([...distinct.values()].map(({ uri, problem }) => [uri, [problem]]));
  }

  /** Whose check has an error in the marked entry: another one of ours, or the editor's own of JSON. */
  #toldBy({ uri, problem }: MarkedFile): 'us' | 'editor' | undefined {
    const own = this.#problems.get(uri) ?? [];
    const first = problem.range.start.line;
    const last = lastLineOf(uri, first);
    const errors = vscode.languages.getDiagnostics(uri).filter((other) => {
      const isError = other.severity === vscode.DiagnosticSeverity.Error && !own.includes(other);
      return isError && other.range.start.line >= first && other.range.start.line <= last;
    });
    if (errors.some(({ source }) => source === problem.source)) return 'us';
    return errors.length > 0 && uri.path.endsWith('.json') ? 'editor' : undefined;
  }

  #lookUpOnce(followed: RevisionId): Promise<LookedUp> {
    const search = this.#searches.get(followed) ?? this.#lookUp(followed);
    this.#searches.set(followed, search);
    return search;
  }

  /** The existing files that the reason names. Without trust or git, there are none. */
  async #lookUp(followed: RevisionId): Promise<LookedUp> {
    const { answers, workspaceDrift, log } = this.#services;
    const record = answers.record(followed.connection, followed.deploymentId);
    if (record === undefined || !vscode.workspace.isTrusted) return { repository: undefined, files: [] };
    const opened = await workspaceDrift.repositoryOf(record).catch((error: unknown) => {
      log.debug('The repository of a failed build.', error);
      return undefined;
    });
    const repository = opened?.rootUri;
    if (repository === undefined) return { repository, files: [] };
    const revision = this.#revisionOf(followed);
    const config = revision?.source_revision_config ?? record.source_revision_config;
    const configPath = config?.graph_config_path;
    const reason = revision?.status_message ?? '';
    const named = filesIn(reason, configPath);
    const files = await Promise.all(
      named.map(async ({ path, line }): Promise<readonly FailedFile[]> => {
        const uri = vscode.Uri.joinPath(repository, path);
        if (!(await isFile(uri))) return [];
        return [{ uri, path, line: line ?? (path === configPath ? await lineOf(uri, repository, reason) : undefined) }];
      }),
    );
    return { repository, files: files.flat() };
  }
}

/** The last line of the entry that begins at a line of an open document, such as that of a graph. */
function lastLineOf(uri: vscode.Uri, first: number): number {
  const document = openDocument(uri);
  const indentOf = (line: number): number => document?.lineAt(line).firstNonWhitespaceCharacterIndex ?? 0;
  let last = first;
  // The first line stands for what has no place.
  const lines = first === 0 ? 0 : (document?.lineCount ?? 0);
  while (last + 1 < lines && indentOf(last + 1) > indentOf(first)) last += 1;
  return last;
}

async function open({ uri, line }: FailedFile): Promise<void> {
  const at = Math.max(0, (line ?? 1) - 1);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, 0, at, 0) });
}

/** The line of a config file that a reason is about; undefined if the file can't be read. */
async function lineOf(uri: vscode.Uri, repository: vscode.Uri, reason: string): Promise<number | undefined> {
  const text = await readFileText(uri, largestFile, repository).catch(() => undefined);
  return text === undefined ? undefined : lineIn(reason, text);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type === vscode.FileType.File,
    () => false,
  );
}
