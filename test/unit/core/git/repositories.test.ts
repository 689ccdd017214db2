import { describe, expect, it } from 'vitest';
import { fitsWords, mergeRepositories, repositoryTitle } from '../../../../src/core/git/repositories.ts';

const agent = { id: 1, name: 'agent', owner: 'acme', url: 'https://code.example/acme/agent' };
const tool = { id: 2, name: 'tool', owner: 'acme', url: 'https://code.example/acme/tool' };

describe('mergeRepositories', () => {
  it('keeps what only one of the listings has, in their order', () => {
    expect(mergeRepositories([agent], [tool])).toEqual([agent, tool]);
    expect(mergeRepositories([], [])).toEqual([]);
  });

  it('keeps the first of two records of one repository, by its number or by its address', () => {
    const sameNumber = { ...agent, url: 'https://mirror.example/agent' };
    const sameAddress = { ...agent, id: 9, name: 'Agent', url: 'git@code.example:Acme/Agent.git' };
    expect(mergeRepositories([agent], [sameNumber, sameAddress, tool])).toEqual([agent, tool]);
  });

  it('keeps repositories of one name that different owners have', () => {
    const other = { ...agent, id: 3, owner: 'globex', url: 'https://code.example/globex/agent' };
    expect(mergeRepositories([agent], [other])).toEqual([agent, other]);
  });

  it('tells records without an address by their number', () => {
    const bare = [
      { id: 4, name: 'agent' },
      { id: 5, name: 'agent' },
    ];
    expect(mergeRepositories(bare, bare)).toEqual(bare);
  });

  it('takes no longer where a service gives all of them one name', () => {
    const sameName = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ id, name: 'agent', url: `https://code.example/team-${id}/agent` }));
    const costOf = (count: number) => {
      const repositories = sameName(count);
      const before = process.threadCpuUsage();
      expect(mergeRepositories(repositories, [])).toHaveLength(count);
      return process.threadCpuUsage(before).user / 1000;
    };
    costOf(100);
    // Four times as much for twice as many would be seconds.
    expect(costOf(4000)).toBeLessThan(500);
  });
});

describe('repositoryTitle', () => {
  it('is what people write', () => {
    expect(repositoryTitle(agent)).toBe('acme/agent');
    expect(repositoryTitle({ name: 'agent' })).toBe('agent');
    expect(repositoryTitle({ name: 'agent', owner: '' })).toBe('agent');
  });
});

describe('fitsWords', () => {
  it.each([
    ['', true],
    ['AGENT', true],
    ['age acme', true],
    ['acme/agent', true],
    ['acme tool', false],
    [' agent ', true],
  ])('"%s" against acme/agent: %s', (words, fits) => {
    expect(fitsWords(agent, words)).toBe(fits);
  });
});
