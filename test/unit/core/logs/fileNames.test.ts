import { describe, expect, it } from 'vitest';
import { namedLines } from '../../../../src/core/logs/fileNames.ts';

const pathsIn = (text: string, configPath?: string) =>
  namedLines(text, configPath).map(({ paths, line }) => [...paths, line]);

describe('the files that a log names', () => {
  it('are those with a line, at their place in the text', () => {
    const text = 'Error in src/agent.py:12: no graph';
    const [found] = namedLines(text);
    expect(text.slice(found?.start, found?.end)).toBe('src/agent.py:12');
    expect(found).toMatchObject({ paths: ['src/agent.py'], line: 12 });
    expect(pathsIn('src/agent.py, agent.py, v1.2:3 and 12:30')).toEqual([]);
  });

  it('are found in tracebacks', () => {
    expect(pathsIn('  File "src/my agent.py", line 7, in <module>')).toEqual([['src/my agent.py', 7]]);
  });

  it('may be anywhere below the folders of the machine that built', () => {
    expect(pathsIn('/deps/outer/src/agent.py:3')).toEqual([
      ['deps/outer/src/agent.py', 'outer/src/agent.py', 'src/agent.py', 3],
    ]);
    expect(pathsIn(String.raw`File "C:\build\src\agent.py", line 3`)[0]).toContain('src/agent.py');
    expect(pathsIn('/agent.py:3')).toEqual([]);
  });

  it('count from the config file as well', () => {
    expect(pathsIn('./src/agent.py:3', 'agents/one/langgraph.json')).toEqual([
      ['src/agent.py', 'agents/one/src/agent.py', 3],
    ]);
  });

  it('never leave the repository, and are none of other packages or of addresses', () => {
    expect(pathsIn('../other/agent.py:3 ../../../etc/passwd.txt:1')).toEqual([]);
    expect(pathsIn('File "/usr/lib/python3.12/site-packages/x/agent.py", line 3')).toEqual([]);
    expect(pathsIn('https://example.com/src/agent.py:3')).toEqual([]);
  });

  it('are found quickly in a hostile text', () => {
    const started = performance.now();
    namedLines('a/'.repeat(500_000));
    namedLines('a.'.repeat(500_000));
    namedLines('File "'.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
