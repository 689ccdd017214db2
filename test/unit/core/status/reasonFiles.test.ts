import { describe, expect, it } from 'vitest';
import { filesIn } from '../../../../src/core/status/reasonFiles.ts';

describe('the files that a reason names', () => {
  it.each<[string, string[]]>([
    ["graph.json doesn't exist in main (commit 0123456).", ['graph.json']],
    ['src/agent/graph.py:12: SyntaxError', ['src/agent/graph.py:12']],
    ['"src\\agent.py" and "./b-c_d.test.toml"', ['src/agent.py', 'b-c_d.test.toml']],
    ['Add src/a.py for the graph "agent", or correct its path in src/a.py:3.', ['src/a.py']],
    ['The build ran out of memory. Try again, e.g. with v1.2.', ['e.g']],
    ['See https://example.com/docs/build.html', []],
    ['/etc/passwd.txt and ../secret.env and C:\\Users\\a.txt', []],
    ['', []],
  ])('in %j are %j', (reason, files) => {
    expect(filesIn(reason).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))).toEqual(files);
  });

  it('may be meant from the folder of the config file', () => {
    expect(filesIn('src/a.py fails', 'apps/one/graph.json').map(({ path }) => path)).toEqual([
      'src/a.py',
      'apps/one/src/a.py',
    ]);
  });

  it('are a few of many', () => {
    const reason = Array.from({ length: 50 }, (_, place) => `f${place}.py`).join(' ');
    expect(filesIn(reason)).toHaveLength(5);
  });
});
