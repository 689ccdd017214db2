import { describe, expect, it } from 'vitest';
import { parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';
import { namesPackages, newConfigText } from '../../../../src/core/appConfig/newConfig.ts';

describe('a new config file', () => {
  const written = (...parameters: Parameters<typeof newConfigText>): unknown => {
    const text = newConfigText(...parameters);
    expect(parseAppConfig(text, 'langgraph.json').kind).toBe('config');
    return JSON.parse(text);
  };

  it('names the graphs and the package that they are in', () => {
    const graphFiles = [
      { path: 'src/agent.py', names: ['graph', 'helper'] },
      { path: 'src/chat/graph.py', names: ['graph'] },
    ];
    expect(written(graphFiles, ['pyproject.toml', 'web/package.json'])).toEqual({
      dependencies: ['.'],
      graphs: { agent: './src/agent.py:graph', helper: './src/agent.py:helper', chat: './src/chat/graph.py:graph' },
    });
  });

  it('names the packages below the folder, and tells graphs of one name apart', () => {
    const graphFiles = ['backend/one/graph.py', 'backend/one/main.py', 'lib/x.py'].map((path) => ({
      path,
      names: ['graph'],
    }));
    expect(written(graphFiles, ['backend/pyproject.toml', 'backend/one/setup.py', 'backend/requirements.txt'])).toEqual(
      {
        dependencies: ['./backend/one', '.'],
        graphs: {
          one: './backend/one/graph.py:graph',
          'one-2': './backend/one/main.py:graph',
          x: './lib/x.py:graph',
        },
      },
    );
  });

  it('is for Node if all graphs are JavaScript', () => {
    expect(written([{ path: 'src/agent.ts', names: ['graph'] }], ['package.json'])).toEqual({
      node_version: '20',
      graphs: { agent: './src/agent.ts:graph' },
    });
  });

  it('has an example if no graph was found', () => {
    expect(written([], [])).toEqual({ dependencies: ['.'], graphs: { agent: './src/agent.py:graph' } });
    expect(written([], ['app/setup.py'])).toMatchObject({ dependencies: ['./app'] });
    expect(written([], ['package.json'])).toEqual({ node_version: '20', graphs: { agent: './src/agent.ts:graph' } });
  });

  it.each([
    ['pyproject.toml', true],
    ['app/package.json', true],
    ['app/mypackage.json', false],
  ])('counts %s as naming packages: %s', (path, expected) => {
    expect(namesPackages(path)).toBe(expected);
  });
});
