import { describe, expect, it } from 'vitest';
import { readDeployedConfig } from '../../../../src/ui/deploy/deployedConfig.ts';

const commit = 'a'.repeat(40);
const path = 'graph.json';
const configWith = (file: string) => JSON.stringify({ dependencies: ['.'], graphs: { agent: `./${file}:graph` } });

/** A repository with a config file in the commit and another one in the working copy; undefined is a missing file. */
function repositoryWith(committed: string | undefined, here: string | undefined) {
  const textOf = async (content: string | undefined): Promise<string> => {
    if (content === undefined) throw new Error('No such file.');
    return content;
  };
  return { textAt: async () => textOf(committed), textHere: async () => textOf(here) };
}

async function graphFiles(
  committed: string | undefined,
  here: string | undefined,
  deployed: { readonly commit: string | undefined; readonly isOpenHere: boolean },
) {
  const appConfig = await readDeployedConfig(repositoryWith(committed, here), { ...deployed, configPath: path });
  return appConfig?.kind === 'config' ? appConfig.graphs.map(({ file }) => file) : appConfig;
}

describe('the config file that will be deployed', () => {
  it('is the one in the commit, even if the checked-out one is changed', async () => {
    const both = [configWith('old.py'), configWith('new.py')] as const;
    expect(await graphFiles(...both, { commit, isOpenHere: true })).toEqual(['old.py']);
    expect(await graphFiles(...both, { commit, isOpenHere: false })).toEqual(['old.py']);
    expect(await graphFiles(configWith('old.py'), '{', { commit, isOpenHere: true })).toEqual(['old.py']);
  });

  it('is the one in the working copy if that is all this clone has', async () => {
    expect(await graphFiles(undefined, configWith('new.py'), { commit, isOpenHere: true })).toEqual(['new.py']);
    expect(await graphFiles(undefined, configWith('new.py'), { commit: undefined, isOpenHere: true })).toEqual([
      'new.py',
    ]);
  });

  it('is not read if it is too large', async () => {
    const repository = { textAt: async () => undefined, textHere: async () => configWith('new.py') };
    expect(await readDeployedConfig(repository, { configPath: path, commit, isOpenHere: true })).toEqual({
      kind: 'finding',
      path,
      message: 'graph.json is larger than 256 kB, too large for an application config.',
    });
  });

  it('is unknown if another ref is checked out, or if there is no such file', async () => {
    expect(await graphFiles(undefined, configWith('new.py'), { commit, isOpenHere: false })).toBeUndefined();
    expect(await graphFiles(undefined, undefined, { commit, isOpenHere: true })).toBeUndefined();
    const repository = repositoryWith(configWith('old.py'), configWith('new.py'));
    expect(await readDeployedConfig(repository, { configPath: '', commit, isOpenHere: true })).toBeUndefined();
  });
});
