import { setImmediate as nextTurn } from 'node:timers/promises';
import { GitError, type Git } from './git.ts';
import { inParts } from './tree.ts';

/** Those of the paths that git ignores, also by the user's own rules. Nothing is known of paths behind links. */
export async function ignoredFiles(git: Git, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ignored: string[] = [];
  for (const part of inParts(paths)) {
    const rules = await rulesOf(git, part);
    // A rule such as "!kept.js" takes a file back.
    ignored.push(...part.filter((_, place) => /^.*?:\d+:(?!!)/.test(rules[place] ?? '')));
  }
  return new Set(ignored);
}

/** For each path, the rule that decides about it, as `file:line:rule`. Empty if none of the paths is ignored. */
async function rulesOf(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  try {
    // The command knows no literal paths; after "./", nothing has a meaning.
    const literal = paths.map((place) => `./${place}`);
    const args = ['--no-literal-pathspecs', 'check-ignore', '--verbose', '--non-matching', '--', ...literal];
    return (await git.run(args, { withUserSettings: true })).split('\n');
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
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
