import { Answers } from '../../src/state/answers/answers.ts';
import type { Clock } from '../../src/state/clock.ts';
import type { Rename } from '../../src/state/connections/connectionMemory.ts';
import { Emitter } from '../../src/state/emitter.ts';
import type { Memory } from '../../src/state/memory.ts';

/** A memory of answers, and what the connections tell it. */
export interface TestAnswers {
  readonly answers: Answers;
  /** A connection was changed or removed, with its name. */
  readonly replaced: Emitter<string>;
  readonly renamed: Emitter<Rename>;
}

export function testAnswers(dependencies: { readonly workspaceMemory: Memory; readonly clock: Clock }): TestAnswers {
  const replaced = new Emitter<string>();
  const renamed = new Emitter<Rename>();
  const connections = { onDidReplace: replaced.event, onDidRename: renamed.event };
  return { answers: new Answers({ ...dependencies, connections }), replaced, renamed };
}
