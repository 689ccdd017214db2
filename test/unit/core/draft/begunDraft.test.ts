import { describe, expect, it } from 'vitest';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import {
  beginDraft,
  begunDeployment,
  continuedText,
  findingsSince,
  followingName,
  noteOrigins,
  removedSince,
  sameGuarded,
  valuesOfRepository,
  withNameOf,
  withSuggestedName,
  type BegunDeployment,
} from '../../../../src/core/draft/begunDraft.ts';
import { withFileValues } from '../../../../src/core/draft/deploymentFileText.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { readDeploymentFile, type FileDeployment } from '../../../../src/core/draft/deploymentFile.ts';
import { draftOfFile } from '../../../../src/core/draft/deploymentFileText.ts';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { finding } from '../../../../src/core/draft/findings.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

const suggested = { kind: 'suggested' } as const;
const byUser = { kind: 'user' } as const;

/** The only deployment of a draft's text. */
function read(text: string): FileDeployment {
  const [deployment, ...others] = readDeploymentFile(text, { flavorFor: () => 'standard', reservedNames: [] });
  if (deployment === undefined || others.length > 0) throw new Error('A single deployment is expected.');
  return deployment;
}

const contentOf = (text: string) => read(text).content ?? {};

/** What the text of a draft describes, in a folder that adds nothing to it. */
function described(text: string, ref = ''): DeploymentDraft {
  const { spec } = read(text);
  if (spec === undefined) throw new Error('The text has errors.');
  const configPath = spec.config ?? '';
  const place = { connectionName: 'Work', repositoryUrl: '', ref, configPath, resourceSpec: undefined };
  return draftOfFile(spec, { ...place, fileName: 'agent.deployment-spec.yaml' });
}

const begin = (draft: DeploymentDraft): BegunDeployment => beginDraft({ draft, findings: [] });

const made = {
  connection: 'Work',
  deploymentId: 'd1',
  name: 'agent',
  text: 'name: agent\n',
  isUnrevised: false,
  steps: [],
};

/** A deployment that is begun with a text, and whose name was suggested. */
const begunWith = (text: string): BegunDeployment => ({ text, origins: { name: suggested }, findings: [] });

describe.each(SOURCES)('a draft from the source %s', (source) => {
  it('has everything that is sent, but for the values of secrets', () => {
    const draft = fullDrafts()[source];
    draft.provenance.integrationId = { kind: 'list' };
    const { text } = begin(draft);
    expect(text).not.toContain('canary');
    const again = described(text);
    expect(contentOf(text)['listener']).toBe(draft.listener?.name);
    again.listener = draft.listener;
    const sent = createRequest(draft);
    expect(createRequest(again)).toEqual({ ...sent, secrets: sent.secrets?.map(({ name }) => ({ name, value: '' })) });
  });

  it('remembers that as data, without the values of secrets', () => {
    const draft = fullDrafts()[source];
    draft.provenance = { name: suggested, secrets: { kind: 'copy', name: 'other' } };
    const begun: BegunDeployment = {
      ...beginDraft({ draft, findings: [finding('warning', 'Look here.', 'secrets')] }, 'Work'),
      root: 'file:///home/me/app',
      isSent: true,
      made: { ...made, revisionId: 'r1' },
    };
    const stored = JSON.stringify(begun);
    expect(begunDeployment.parse(JSON.parse(stored))).toEqual(begun);
    expect(stored).not.toContain('canary');
  });

  it('is the same text where it is begun as before', () => {
    const begun = begin(fullDrafts()[source]);
    const text = `# mine\n${begun.text.replaceAll('\n', ' # this\n')}`;
    expect(continuedText(text, [begun], [begun])).toBe(text);
    expect(continuedText(text.replaceAll('\n', '\r\n'), [begun], [begun])).toBe(text.replaceAll('\n', '\r\n'));
  });
});

describe('a draft that is begun', () => {
  it('names its connection only where it is for a certain one', () => {
    const draft = completeDraft();
    expect(contentOf(begin(draft).text)).not.toHaveProperty('connection');
    const named = beginDraft({ draft, findings: [] }, 'Work');
    expect(contentOf(named.text)).toEqual({ ...contentOf(begin(draft).text), connection: 'Work' });
  });

  it('keeps the findings about its fields, and leaves out the others, which nobody could settle', () => {
    const about = finding('warning', 'The listener is gone.', 'listener');
    const begun = beginDraft({ draft: completeDraft(), findings: [finding('info', 'Note this.'), about] });
    expect(begun.findings).toEqual([about]);
  });
});

describe('what the window reads beside a draft', () => {
  const begun = begin(completeDraft({ provenance: { name: suggested } }));

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'name: a'],
    ['no text', { ...begun, text: undefined }],
    ['no origins', { ...begun, origins: undefined }],
    ['an origin of no field', { ...begun, origins: { shape: suggested } }],
    ['an unknown origin', { ...begun, origins: { name: { kind: 'guessed' } } }],
    ['a finding about no field', { ...begun, findings: [{ severity: 'info', message: 'a' }] }],
    ['an unknown severity', { ...begun, findings: [{ severity: 'fatal', field: 'name', message: 'a' }] }],
  ])('is not used if it is damaged: %s', (_what, stored) => {
    expect(begunDeployment.safeParse(begun).success).toBe(true);
    expect(begunDeployment.safeParse(stored).success).toBe(false);
  });
});

describe('where the values of a draft come from', () => {
  const begun = begin(
    completeDraft({
      provenance: { name: suggested, repositoryUrl: { kind: 'remote', name: 'origin' }, ref: { kind: 'checkedOut' } },
    }),
  );

  function originsOf(text: string, checkedOut = ''): DeploymentDraft['provenance'] {
    const draft = described(text, checkedOut);
    noteOrigins(begun, contentOf(text), draft);
    return draft.provenance;
  }

  it('is told as it was begun while they are unchanged, and by default nothing', () => {
    expect(originsOf(begun.text)).toEqual({
      name: suggested,
      repositoryUrl: { kind: 'remote', name: 'origin' },
      ref: { kind: 'checkedOut' },
    });
  });

  it('is the user once they differ, until they are as before', () => {
    const changed = begun.text.replace('name: agent', 'name: mine').replace('type: dev', 'type: prod');
    expect(originsOf(`${changed}custom_url: https://agent.example\n`)).toEqual({
      ...originsOf(begun.text),
      name: byUser,
      deploymentType: byUser,
      customUrl: byUser,
    });
    expect(originsOf(changed.replace('mine', 'agent').replace('prod', 'dev'))).toEqual(originsOf(begun.text));
  });

  it('is left as it is for what the text lacks', () => {
    const text = begun.text.replace('ref: main\n', '').replace('type: dev\n', 'type:\n');
    expect(originsOf(text, 'trunk')).toEqual({ ...originsOf(begun.text), ref: { kind: 'checkedOut' } });
    expect(originsOf(text)).not.toHaveProperty('ref');
  });
});

describe('the findings about how a draft was begun', () => {
  const lost = finding('warning', 'The resources were left out.', 'resourceSpec');
  const gone = finding('warning', 'The listener is gone.', 'listener');
  const begun = beginDraft({ draft: completeDraft({ resourceSpec: { cpu: 1 } }), findings: [lost, gone] });
  const since = (text: string) => findingsSince(begun, contentOf(text));

  it('stay until their field is changed', () => {
    expect(since(begun.text)).toEqual([lost, gone]);
    expect(since(begun.text.replace('type: dev', 'type: prod'))).toEqual([lost, gone]);
    expect(since(`${begun.text}listener: other\n`)).toEqual([lost]);
    expect(since(begun.text.replace('cpu: 1', 'cpu: 2'))).toEqual([gone]);
    expect(since(begun.text.replace('resources:\n  cpu: 1\n', ''))).toEqual([gone]);
  });

  it('are not settled by another way of writing the same', () => {
    expect(since(begun.text.replace('resources:\n  cpu: 1\n', '# mine\nresources: { cpu: 1.0 }\n'))).toEqual([
      lost,
      gone,
    ]);
  });
});

it('knows which fields that may hold a secret are as in another text', () => {
  const text = 'name: agent\nresources: { cpu: 1 }\nbuild_command: make\n';
  const all = ['imageUri', 'tarballPath', 'resourceSpec', 'customUrl', 'installCommand', 'buildCommand'];
  expect(sameGuarded(text, contentOf(text.replace('name: agent', 'name: other')))).toEqual(all);
  const changed = contentOf('name: agent\nresources: { cpu: 2 }\nbuild_command: make all\ninstall_command: make\n');
  expect(sameGuarded(text, changed)).toEqual(['imageUri', 'tarballPath', 'customUrl']);
  const ofFile = 'name: agent\nresources: small.resource-spec.yaml\n';
  expect(sameGuarded(ofFile, contentOf(ofFile))).not.toContain('resourceSpec');
});

it('knows what a draft had and has no longer', () => {
  const begun = 'name: agent\nbuild_command: make\nsecrets: { A: ask, B: ask }\n';
  const sent = 'name: agent\ninstall_command: make\nsecrets: { C: ask }\n';
  const content = contentOf("name: agent\ninstall_command: ''\nsecrets: { A: ask }\n");
  expect(removedSince([begun, sent], content)).toEqual({
    removed: ['installCommand', 'buildCommand'],
    removedSecrets: ['B', 'C'],
  });
});

describe('the name of a draft', () => {
  const repository = 'name: agent\nrepository: https://code.example/acme/agent\nconfig: graph.json\n';

  const following = (text: string, key: string, value: string, begun = begunWith(text)): string | undefined =>
    followingName(begun, contentOf(text), key, value);

  it.each([
    ['the repository', repository, 'repository', 'git@code.example:acme/chat.git', 'chat'],
    ['the config file', repository, 'config', 'apps/billing/graph.json', 'agent-billing'],
    ['the image', 'source: external_docker\n', 'image', 'registry.example/acme/worker:1.0', 'worker'],
    ['the pushed image', 'name: worker\nsource: internal_docker\nimage: a/worker:1\n', 'image', 'a/till:2', 'till'],
    ['the upload', 'name: x\nsource: internal_source\n', 'upload', 'uploads/agent.tar.gz', 'agent'],
    ['a repository after none', 'config: graph.json\n', 'repository', 'https://code.example/acme/agent', 'agent'],
  ])('follows %s', (_what, text, key, value, expected) => {
    expect(following(text, key, value)).toBe(expected);
  });

  it.each([
    ['another tag of the same image', 'name: a\nsource: internal_docker\nimage: a/worker:1\n', 'image', 'a/worker:2'],
    ['a branch', repository, 'ref', 'release'],
    ['an image that is emptied', 'name: a\nsource: internal_docker\nimage: a/worker:1\n', 'image', ''],
    ['anything of a template', 'name: a\nsource: internal_template\n', 'type', 'prod'],
    ['another source', repository, 'source', 'internal_docker'],
  ])('stays with %s', (_what, text, key, value) => {
    expect(following(text, key, value)).toBeUndefined();
  });

  it('stays once the user has chosen one, also one that is emptied', () => {
    for (const chosen of ['name: mine', 'name: ""', '# none']) {
      const text = repository.replace('name: agent', chosen);
      expect(following(text, 'config', 'apps/billing/graph.json', begunWith(repository))).toBeUndefined();
    }
  });

  it.each(['user', 'lastTime', 'copy'] as const)('stays where it came from %s', (kind) => {
    const begun = { ...begunWith(repository), origins: { name: { kind } } };
    expect(following(repository, 'config', 'apps/billing/graph.json', begun)).toBeUndefined();
  });

  it('follows after a free one was suggested, unless the user has gone back to the one that is taken', () => {
    const free = withSuggestedName(begunWith(repository), 'agent-2');
    expect(free.text).toBe(repository.replace('name: agent', 'name: agent-2'));
    expect(following(free.text, 'config', 'apps/billing/graph.json', free)).toBe('agent-billing');
    expect(following(free.text, 'ref', 'release', free)).toBeUndefined();
    expect(following(repository, 'config', 'apps/billing/graph.json', free)).toBeUndefined();
  });

  it('stays once it was sent, without being a choice of the user', () => {
    const begun = { ...begunWith(repository), isSent: true };
    expect(following(repository, 'config', 'apps/billing/graph.json', begun)).toBeUndefined();
    const draft = described(repository);
    noteOrigins(begun, contentOf(repository), draft);
    expect(draft.provenance.name).not.toEqual(byUser);
  });

  it('is a suggestion once it was suggested, whatever it was before', () => {
    const begun = { ...begunWith(repository), origins: { name: byUser, ref: byUser } };
    expect(withSuggestedName(begun, 'agent-2').origins).toEqual({ name: suggested, ref: byUser });
  });
});

describe('a draft that is begun again', () => {
  const then = begunWith('name: agent\nref: main\nconfig: graph.json\ntype: dev\nbuild_on_push: true\n');

  const continued = (text: string, now: string): string => continuedText(text, [then], [begunWith(now)]);

  it('is as it is begun now where the user changed nothing, line by line', () => {
    const text = then.text.replace('ref: main', 'ref: main # ours').replace('type: dev', '\n# The type.\ntype: dev');
    const now = then.text.replace('main', 'release').replace('type: dev', 'type: prod');
    const expected = text.replace('ref: main', 'ref: release').replace('type: dev', 'type: prod');
    expect(continued(text, `${now}custom_url: https://agent.example\n`)).toBe(
      `${expected}custom_url: https://agent.example\n`,
    );
    expect(continued(text, then.text.replace('type: dev\n', ''))).not.toContain('type: dev');
  });

  it('keeps what the user has changed, added and removed', () => {
    const text = '# mine\nname: other\nref: main\nconfig: graph.json\ntype: dev\nnote: 1\nsecrets:\n  KEY: ask\n';
    const now = then.text
      .replace('agent', 'agent-2')
      .replace('main', 'release')
      .replace('build_on_push: true', 'build_on_push: false');
    expect(continued(text, now)).toBe(text.replace('ref: main', 'ref: release'));
    expect(continued(text, `${now}secrets:\n  TOKEN: stored\n`)).toBe(text.replace('ref: main', 'ref: release'));
  });

  it('has the resources that the resource form gives it, and otherwise those of the user', () => {
    const text = `${then.text}resources:\n  cpu: 4\n`;
    const now = begunWith(`${then.text}resources:\n  cpu: 2\n`);
    expect(continuedText(text, [then], [now])).toBe(text);
    const ofForm = { ...now, origins: { ...now.origins, resourceSpec: { kind: 'form' as const } } };
    expect(continuedText(text, [then], [ofForm])).toBe(text.replace('cpu: 4', 'cpu: 2'));
    expect(continuedText(then.text, [then], [ofForm])).toBe(ofForm.text);
  });

  it('stays with the repository that the user chose, but for resources of the form', () => {
    const typed = begunWith(`${then.text}repository: https://code.example/acme/typed\n`);
    const chosen = { ...typed, origins: { ...typed.origins, repositoryUrl: byUser } };
    const now = begunWith('config: graph.json\nresources:\n  cpu: 2\n');
    expect(withNameOf(chosen, now)).toBe(chosen);
    const ofForm = { kind: 'form' } as const;
    const again = withNameOf(chosen, { ...now, origins: { resourceSpec: ofForm } });
    expect(again).toMatchObject({ origins: { repositoryUrl: byUser, resourceSpec: ofForm } });
    expect(continuedText(typed.text, [chosen], [again])).toBe(`${typed.text}resources:\n  cpu: 2\n`);
    // What the user has changed since stays, also where it was chosen to begin with.
    const former = { ...again, origins: { ...again.origins, configPath: byUser } };
    const changed = former.text.replace('graph.json', 'own.json').replace('cpu: 2', 'cpu: 4');
    expect(continuedText(changed, [former], [withNameOf(former, begunWith('config: graph.json\n'))])).toBe(changed);
  });

  it('has another repository, whose integration is found again, whatever was entered there', () => {
    const now = begunWith('name: other\nrepository: https://code.example/acme/other\n');
    const text = `${then.text}repository: https://code.example/acme/typed\nintegration: ours\nnote: 1\n`;
    const edited = withFileValues(text, valuesOfRepository(text, then, now));
    expect(edited).toMatchObject({ kind: 'edited' });
    const after = edited.kind === 'edited' ? edited.state.document.text : '';
    expect(after).toContain('repository: https://code.example/acme/other');
    expect(after).not.toContain('integration');
    expect(after).toContain('note: 1');
  });

  it('has the name that was suggested for it before, but not one that somebody chose', () => {
    const second = withSuggestedName(then, 'agent-2');
    const now = begunWith(then.text.replace('main', 'release'));
    const again = withNameOf(second, now);
    expect(again.text).toBe(now.text.replace('name: agent', 'name: agent-2'));
    expect(continuedText(second.text, [second], [again])).toBe(again.text);
    const chosen = { ...now, origins: { ...now.origins, name: { kind: 'user' as const } } };
    expect(withNameOf(second, chosen)).toBe(chosen);
    expect(withNameOf({ ...second, origins: chosen.origins }, now)).toBe(now);
    expect(withNameOf(begunWith('ref: main\n'), now)).toBe(now);
  });

  it('has the name that was sent before, and what was made of it', () => {
    const sent = { ...begunWith(then.text.replace('agent', 'agent-2')), isSent: true, made };
    const again = withNameOf(sent, then);
    expect(again).toMatchObject({ text: sent.text, isSent: true, made });
    const deployed = { ...sent, origins: { name: { kind: 'deployed' as const } } };
    expect(withNameOf(deployed, then).origins.name).toEqual({ kind: 'deployed' });
    expect(continuedText(sent.text, [sent], [again])).toBe(sent.text);
  });

  it('keeps the name of a deployment that it changes, and what was made of it, and no other', () => {
    const changed = { ...begunWith('name: deployed\nref: main\n'), changes: 'd1' };
    const sent = { ...begunWith('name: agent\nref: main\n'), changes: 'd1', isSent: true, made };
    expect(withNameOf(sent, changed)).toEqual({ ...changed, isSent: true, made });
    expect(withNameOf({ ...sent, changes: undefined }, changed)).toBe(changed);
    expect(withNameOf(sent, then)).toBe(then);
    expect(continuedText('name: mine\nref: next\n', [then], [changed])).toBe('name: deployed\nref: next\n');
  });

  it('is of the working copy that it is begun in now', () => {
    const [first, second] = ['file:///home/me/first', 'file:///home/me/second'];
    const now = { ...then, root: second };
    for (const before of [{}, { isSent: true, made }, { changes: 'd1' }]) {
      expect(withNameOf({ ...begunWith('name: agent-2\n'), root: first, ...before }, now)).toMatchObject({
        root: second,
      });
    }
    const changed = { ...now, changes: 'd1' };
    expect(withNameOf({ ...changed, root: first }, changed)).toMatchObject({ root: second });
  });

  it('takes a config file that was chosen to begin with, whatever it had', () => {
    const text = (config: string): string => `name: agent\nconfig: ${config}\n`;
    const chosen = { ...begunWith(text('chosen.json')), origins: { name: suggested, configPath: byUser } };
    expect(continuedText(text('mine.json'), [begunWith(text('found.json'))], [chosen])).toBe(text('chosen.json'));
  });

  it.each(['https://example.com/app', 'file:////app', 'app'])('is of no folder %s', (folder) => {
    for (const key of ['folder', 'root']) {
      expect(begunDeployment.safeParse({ ...then, [key]: folder }).success).toBe(false);
      expect(begunDeployment.safeParse({ ...then, [key]: 'file:///home/me/app' }).success).toBe(true);
    }
  });

  it('changes only the deployments that are begun again, below comments too', () => {
    const text = `# ours\n---\n${then.text}---\nname: chat\nref: main\n`;
    const chat = begunWith('name: chat\nref: main\n');
    const now = begunWith(then.text.replace('main', 'release'));
    const expected = text.replace('main', 'release');
    expect(continuedText(text, [then, chat], [now])).toBe(expected);
    expect(continuedText(text, [then], [now, now])).toBe(expected);
    expect(continuedText(text, [then, chat], [now, begunWith('name: chat\nref: next\n')])).toBe(
      expected.replace('main', 'next'),
    );
  });

  it.each(['name: [a\n', 'name: agent\nname: other\n', 'just a text\n'])(
    'leaves a text alone that it cannot change: %j',
    (text) => {
      expect(continued(text, then.text.replace('main', 'release'))).toBe(text);
    },
  );
});
