import { setImmediate as nextTurn } from 'node:timers/promises';
import { GitError, type Git } from './git.ts';
import { inParts } from './tree.ts';

/** Those of the paths that git ignores, also by the user's own rules. Nothing is known of paths that it refuses. */
export async function ignoredFiles(git: Git, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ignored: string[] = [];
  for (const part of inParts(paths)) {
    const rules = await rulesOf(git, part);
    // A rule such as "!kept.js" takes a file back.
    ignored.push(...part.filter((_, place) => /^[^\t]*?:\d+:(?!!)/.test(rules[place] ?? '')));
  }
  return new Set(ignored);
}

/** For each path, the rule that decides about it, as `file:line:rule`. Anything else if there is none. */
async function rulesOf(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  try {
    // The command knows no literal paths; after "./", nothing has a meaning.
    const literal = paths.map((place) => `./${place}`);
    const args = ['--no-literal-pathspecs', 'check-ignore', '--verbose', '--non-matching', '--', ...literal];
    return (await git.run(args, { withUserSettings: true })).split('\n');
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const [first, ...others] = paths;
    // One means that none is ignored. Git refuses all for one behind a link or in a submodule.
    if (error.exitCode === 1 || first === undefined || others.length === 0) return paths.map(() => '');
    const half = Math.ceil(paths.length / 2);
    return [...(await rulesOf(git, paths.slice(0, half))), ...(await rulesOf(git, paths.slice(half)))];
  }
}

interface Question {
  readonly paths: Set<string>;
  readonly answer: Promise<ReadonlySet<string>>;
}

/** Asks git once about the paths of a folder that several ask for at the same time. */
export class IgnoreQuestions {
  /** Those that git isn't asked yet, by folder. */
  readonly #open = new Map<string, Question>();

  /** Those of the paths that git ignores, and perhaps others. */
  async ask(git: Git, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const question = this.#open.get(git.folder) ?? this.#begin(git);
    for (const path of paths) question.paths.add(path);
    return question.answer;
  }

  #begin(git: Git): Question {
    const paths = new Set<string>();
    const ask = async (): Promise<ReadonlySet<string>> => {
      await nextTurn();
      this.#open.delete(git.folder);
      return ignoredFiles(git, [...paths]);
    };
    const question = { paths, answer: ask() };
    this.#open.set(git.folder, question);
    return question;
  }
}
