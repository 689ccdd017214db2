import { describe, expect, it } from 'vitest';
import { redeployQuestion, type Redeployment } from '../../../../src/core/status/redeployWords.ts';

const of = (commit: string, id = commit) => ({
  id,
  status: 'DEPLOYED',
  source_revision_config: { repo_ref: 'main', repo_commit_sha: commit.repeat(10) },
});
const live = { revision: of('abcd'), message: 'Fix colors\n\nAll of them.' };
const target = { revision: of('1234'), message: 'Add a graph' };
const commit = (hash: string, message: string) => ({ hash, message });
const both: Redeployment = { kind: 'rollBack', deployment: 'agent', connection: 'Work', live, target };

describe('the question before a revision is deployed again', () => {
  it('names where, from which revision to which, and what becomes of the commits between', () => {
    const commits = { ahead: [commit('5555555555', 'Try this')], behind: [commit('abcdabcdab', 'Fix colors')] };
    expect(redeployQuestion({ ...both, commits })).toEqual({
      question: 'Roll back agent on Work to main @ 1234123?',
      button: 'Roll Back',
      detail: [
        'Live now: main @ abcdabc Fix colors\nTo deploy: main @ 1234123 Add a graph',
        'Undone commits:\nabcdabc Fix colors',
        'Added:\n5555555 Try this',
        'The service makes a new revision with the settings of this one. Until it is live, nothing changes.',
      ].join('\n\n'),
    });
  });

  it('does without git', () => {
    const { detail } = redeployQuestion({
      ...both,
      live: { revision: live.revision },
      target: { revision: target.revision },
    });
    expect(detail.split('\n\n')[0]).toBe('Live now: main @ abcdabc\nTo deploy: main @ 1234123');
    expect(detail).not.toMatch(/Undone commits|Added/);
  });

  it('names one revision if that is live already', () => {
    const { question, button, detail } = redeployQuestion({ ...both, kind: 'deployAgain', target: live });
    expect([question, button]).toEqual(['Deploy main @ abcdabc again as agent on Work?', 'Deploy Again']);
    expect(detail).toMatch(/^Live now: main @ abcdabc Fix colors\n\nThe service makes/);
  });

  it('says that nothing is live, and names what is in progress', () => {
    const moving = { ...of('9999'), status: 'BUILDING' };
    const { detail } = redeployQuestion({ ...both, kind: 'deployAgain', live: undefined, moving });
    expect(detail.split('\n\n')).toEqual([
      'Nothing is live now.\nTo deploy: main @ 1234123 Add a graph',
      'main @ 9999999 is in progress: Building. The service may finish it first.',
      'The service makes a new revision with the settings of this one.',
    ]);
  });

  it('lists ten commits at most', () => {
    const behind = Array.from({ length: 201 }, (_, index) => commit(`${index}`.padStart(7, 'a'), `Number ${index}`));
    const { detail } = redeployQuestion({ ...both, commits: { ahead: [], behind } });
    expect(detail.split('\n').filter((line) => line.includes('Number'))).toHaveLength(10);
    expect(detail).toContain('Only the newest 10 are listed.');
  });
});
