import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenRepository } from '../../../../src/core/git/workspaceDeployment.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { WorkspaceDeployments } from '../../../../src/state/workspace/workspaceDeployments.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { readySession, TestConnections } from '../../../support/testConnections.ts';

const here = readySession(localConnection);
const elsewhere: Session = { kind: 'none' };

let connections: TestConnections;
let workspaceMemory: InMemoryMemory;
let remembered: readonly string[] | undefined;
let workspace: WorkspaceDeployments;
let marks: number;

beforeEach(() => {
  connections = new TestConnections(here);
  workspaceMemory = new InMemoryMemory();
  remembered = undefined;
  openWindow();
});

function openWindow(): void {
  const ownDeployments = { remember: (ids: readonly string[]) => void (remembered = ids) };
  workspace = new WorkspaceDeployments({ connections, ownDeployments, workspaceMemory });
  marks = 0;
  workspace.onDidMark(() => (marks += 1));
}

/** A repository whose deployments each have an existing config file in a folder of their name. */
function open(root: string, ids: readonly string[], ref?: string): OpenRepository {
  const deployments = ids.map((id) => {
    const config = { graph_config_path: `${id}/graph.json`, repo_ref: `${id}-branch` };
    return { id, name: id, source_revision_config: config };
  });
  return { root, ref, configFiles: new Set(ids.map((id) => `${id}/graph.json`)), deployments };
}

/** What is the workspace's own, what the user means of it, what there is to choose, and what is shown. */
function seen() {
  const all = ['a', 'b', 'c'];
  return {
    own: workspace.own && [...workspace.own],
    meant: all.filter((id) => workspace.isOfWorkspace(id)),
    alternatives: all.filter((id) => workspace.hasAlternatives(id)),
    main: workspace.main,
  };
}

describe("the workspace's own deployments", () => {
  it('are unknown before git has been read, and told even if there are none', () => {
    workspace.setActiveFile('/r/a/x.py');
    expect(seen()).toEqual({ own: undefined, meant: [], alternatives: [], main: undefined });
    expect(marks).toBe(0);
    workspace.match(connections.session, []);
    expect(workspace.own).toEqual(new Set());
    expect(marks).toBe(1);
  });

  it('are those that fit each repository, and are told once', () => {
    const repositories = [open('/r', ['a', 'b'], 'a-branch'), open('/s', ['c'])];
    workspace.match(connections.session, repositories);
    workspace.match(connections.session, repositories);
    expect(seen()).toEqual({ own: ['a', 'c'], meant: ['a', 'c'], alternatives: [], main: undefined });
    expect(marks).toBe(1);
    workspace.match(connections.session, [open('/r', ['a', 'b'], 'b-branch'), open('/s', ['c'])]);
    expect(seen()).toEqual({ own: ['b', 'c'], meant: ['b', 'c'], alternatives: [], main: undefined });
    expect(marks).toBe(2);
    workspace.match(connections.session, [open('/r', ['a', 'b'], 'b-branch')]);
    expect(seen()).toEqual({ own: ['b'], meant: ['b'], alternatives: [], main: 'b' });
    expect(marks).toBe(3);
  });

  it('are remembered with the others that are built from the repositories', () => {
    workspace.match(connections.session, [open('/r', ['a', 'b'], 'a-branch'), open('/s', ['c'])]);
    expect(remembered).toEqual(['a', 'b', 'c']);
  });

  it('are unknown on another connection, and what git was read for before says nothing of it', () => {
    workspace.match(connections.session, [open('/r', ['a'])]);
    connections.connect(elsewhere);
    remembered = undefined;
    workspace.match(here, [open('/r', ['a'])]);
    expect(seen()).toEqual({ own: undefined, meant: [], alternatives: [], main: undefined });
    expect([remembered, marks]).toEqual([undefined, 1]);
    workspace.match(elsewhere, [open('/r', ['b'])]);
    expect([workspace.main, marks]).toEqual(['b', 2]);
  });
});

describe('deployments that only the user can tell apart', () => {
  beforeEach(() => workspace.match(connections.session, [open('/r', ['a', 'b']), open('/s', ['c'])]));

  it('are all meant until the user chooses one, also in the next window', async () => {
    expect(seen()).toEqual({ own: ['a', 'b', 'c'], meant: ['a', 'b', 'c'], alternatives: ['a', 'b'], main: undefined });
    await workspace.choose('b');
    const chosen = { own: ['a', 'b', 'c'], meant: ['b', 'c'], alternatives: ['a', 'b'], main: 'b' };
    expect([seen(), marks]).toEqual([chosen, 2]);
    expect(workspaceMemory.get(`workspaceDeployment:${localConnection.name}`)).toEqual(['b']);
    openWindow();
    await workspace.choose('a');
    workspace.match(connections.session, [open('/r', ['a', 'b']), open('/s', ['c'])]);
    expect([seen(), marks]).toEqual([chosen, 1]);
    await workspace.choose('a');
    expect(seen()).toMatchObject({ meant: ['a', 'c'], main: 'a' });
  });

  it('are chosen only where there is a choice, and for their connection', async () => {
    await workspace.choose('c');
    await workspace.choose('gone');
    expect(workspaceMemory.stored.size).toBe(0);
    await workspace.choose('a');
    connections.connect(elsewhere);
    workspace.match(connections.session, [open('/r', ['a', 'b'])]);
    expect(seen()).toMatchObject({ meant: ['a', 'b'], main: undefined });
  });

  it('have the one of the active file as the main one', () => {
    workspace.setActiveFile('/r/b/src/x.py');
    expect([workspace.main, marks]).toEqual(['b', 2]);
    workspace.setActiveFile('/r/b/y.py');
    expect(marks).toBe(2);
    workspace.setActiveFile('/s/c/x.py');
    expect([workspace.main, marks]).toEqual(['c', 3]);
  });

  it('have the one of a file that was opened before git was read as the main one', () => {
    openWindow();
    workspace.setActiveFile('/r/a/x.py');
    workspace.match(connections.session, [open('/r', ['a', 'b'])]);
    expect([workspace.main, marks]).toEqual(['a', 1]);
  });
});

it('tells nothing after its window is closed', () => {
  workspace.dispose();
  workspace.match(connections.session, [open('/r', ['a'])]);
  connections.connect(elsewhere);
  expect([workspace.main, marks]).toEqual(['a', 0]);
});

it('a choice is forgotten when its deployment is deleted', async () => {
  workspace.match(connections.session, [open('/r', ['a', 'b'])]);
  await workspace.choose('b');
  expect(seen().meant).toEqual(['b']);
  await workspace.forget('a');
  expect(seen().meant).toEqual(['b']);
  await workspace.forget('b');
  expect(seen().meant).toEqual(['a', 'b']);
});
