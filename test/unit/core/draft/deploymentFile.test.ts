import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, parseDocument, type Document } from 'yaml';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { partsIn, readDeploymentFile } from '../../../../src/core/draft/deploymentFile.ts';
import {
  deploymentFileText,
  draftOfFile,
  textOfService,
  withDraftValues,
  withFileValues,
  resourcesText,
  withResourceEdits,
} from '../../../../src/core/draft/deploymentFileText.ts';
import { specKeys } from '../../../../src/core/spec/fields.ts';
import { readSpecText } from '../../../../src/core/yaml/document.ts';
import { applyEdits, type EditResult } from '../../../../src/core/yaml/edit.ts';
import { deploymentRefText } from '../../../../src/core/git/deploymentRef.ts';
import type { ExternalImageDraft, RepositoryDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

const rules = { flavorFor: () => 'standard' as const, reservedNames: ['PORT'] };

/** Each finding with the text that it marks. */
function findingsOf(text: string): string[] {
  return readDeploymentFile(text, rules).flatMap(({ findings }) =>
    findings.map(({ severity, message, start, end }) => `${severity} [${text.slice(start, end)}] ${message}`),
  );
}

const here = {
  connectionName: 'Work',
  fileName: 'agent.deployment-spec.yaml',
  repositoryUrl: 'https://code.example/acme/agent',
  ref: 'main',
  configPath: 'graph.json',
  resourceSpec: undefined,
};

describe.each(SOURCES)('a deployment file for the source %s', (source) => {
  const draft = fullDrafts()[source];
  const configPath = 'configPath' in draft ? draft.configPath : '';

  it('makes the request of the draft that it was saved from, without the values of secrets', () => {
    const text = deploymentFileText(draft);
    const [deployment] = readDeploymentFile(text, rules);
    expect(deployment?.findings).toEqual([]);
    expect(text).not.toContain('canary');
    if (deployment?.spec === undefined) throw new Error('The text has errors.');
    const again = draftOfFile(deployment.spec, { ...here, configPath });
    // The connection's own: they are looked for when it is deployed.
    if (again.source === 'repohost' && draft.source === 'repohost') again.integrationId = draft.integrationId;
    again.listener = draft.listener;
    const sent = createRequest(draft);
    expect(createRequest(again)).toEqual({ ...sent, secrets: sent.secrets?.map(({ name }) => ({ name, value: '' })) });
  });

  it('says of each value that it came from the file', () => {
    const text = deploymentFileText(draft);
    const [{ spec } = { spec: undefined }] = readDeploymentFile(text, rules);
    const { provenance } = draftOfFile(spec ?? {}, { ...here, configPath });
    expect(provenance.name).toEqual({ kind: 'file', name: 'agent.deployment-spec.yaml' });
    expect(provenance.secrets).toEqual({ kind: 'file', name: 'agent.deployment-spec.yaml' });
  });
});

describe('a deployment file', () => {
  it('takes from its place what it leaves out', () => {
    const [{ spec } = { spec: undefined }] = readDeploymentFile('name: agent\n', rules);
    const draft = draftOfFile(spec ?? {}, here);
    expect(draft).toMatchObject({ source: 'repohost', repositoryUrl: here.repositoryUrl, configPath: 'graph.json' });
    expect(draft.source === 'repohost' && deploymentRefText(draft.ref)).toBe('main');
    expect(draft.provenance).toEqual({ name: { kind: 'file', name: here.fileName }, ref: { kind: 'checkedOut' } });
  });

  it('has the deployments above the limit in one part, with one finding', () => {
    const text = 'name: a\n---\n'.repeat(2_000);
    const deployments = readDeploymentFile(text, rules);
    expect(deployments).toHaveLength(101);
    expect(deployments.map((each) => each.text).join('')).toBe(text);
    expect(deployments.at(-1)?.findings).toEqual([
      expect.objectContaining({ message: 'A file can have at most 100 deployments. Move the others to another file.' }),
    ]);
  });

  it('names its repository', () => {
    const text = deploymentFileText(completeDraft());
    expect(text).toContain('repository: https://code.example/acme/agent\n');
    expect(text).not.toContain('integration');
  });

  it('writes where the value of each secret comes from', () => {
    const secrets = [{ name: 'A', value: 'canary', isStored: true } as const, { name: 'B', value: undefined }];
    const text = deploymentFileText(completeDraft({ secrets }));
    expect(text).toContain('secrets:\n  A: stored\n  B: ask\n');
  });

  it.each([
    ['name: agent\ntype: dev\nbuild_on_push: maybe\n', { name: 'agent', type: 'dev' }],
    ['name: agent\nresources: { cpu: much }\nsecrets: { A: text }\nref: main\n', { name: 'agent', ref: 'main' }],
    ['name: agent\nsource: external_docker\n', { name: 'agent', source: 'external_docker' }],
    ['name: other\n---\nname: agent\n---\nname: agent\n', { name: 'agent' }],
    ['name: agent\nsource: zip\n', undefined],
    ['name: agent\nconfig: /etc/graph.json\n', undefined],
    ['name: agent\nconnection: 5\n', undefined],
    ['name: 5\n', {}],
    ['name: ""\nref: main\n', { ref: 'main' }],
    ['ref: main\n', { ref: 'main' }],
    ['- name: agent\n', undefined],
    ['name: [', undefined],
  ])('with errors, such as %j, still says %j', (text, readable) => {
    const last = readDeploymentFile(text, rules).at(-1);
    expect(last?.spec).toBeUndefined();
    expect(last?.readable).toEqual(readable);
  });

  it('may have several deployments, each with its own findings at its own place', () => {
    const text = '# two\n---\nname: one\n---\nname: two\ncpu: 1\n';
    const [one, two, ...others] = readDeploymentFile(text, rules);
    expect([one?.name, two?.name, others]).toEqual(['one', 'two', []]);
    expect(findingsOf(text)).toEqual(['warning [cpu] "cpu" isn\'t a known key here.']);
  });

  it.each([
    ['', 'error [] The name is missing. Enter one, such as "name: my-application".'],
    ['# nothing yet\n', 'error [] The name is missing. Enter one, such as "name: my-application".'],
    ['name: # soon\n', 'error [name] The name is missing. Enter one, such as "name: my-application".'],
    ['just a text\n', 'error [] A deployment file consists of lines such as "name: my-application".'],
    ['name: a\n...\n# a note\n...\n---\nname: b\n... # the end\n', undefined],
    ['name: a\n...\nname: a\n', 'error [a] Another deployment in this file has the same name.'],
    ['# ours\n%YAML 1.1\n---\nname: a\n---\nname: b\n', 'error [%YAML] Remove the line that begins with "%YAML".'],
    ['name: a\n...\n%YAML 1.2\n---\nname: b\n', 'error [%YAML] Remove the line that begins with "%YAML".'],
    ['%TAG ! tag:ours\n---\nname: a\n', undefined],
    ['name: [a\n', "error [] A closing bracket is missing, or a line before it isn't indented enough."],
    ['name: 5\n', 'error [5] This must be text in quotes.'],
    [
      'name: Big Name\n',
      'warning [Big Name] Services usually take only lowercase letters, digits and hyphens, a letter first, at most 63 characters.',
    ],
    ['name: a\nsource: zip\n', `error [zip] This value is unknown. The known ones are ${SOURCES.join(', ')}.`],
    [
      'name: a\nsource: internal_docker\n',
      'error [] The image is missing. Enter one, such as "image: registry.example/acme/agent:1.0".',
    ],
    [
      'name: a\nimage: acme/agent:1\n',
      'warning [image] "image" isn\'t sent: the source "Repository" has no such field.',
    ],
    ['name: a\nref: a..b\n', 'error [a..b] "a..b" can\'t be the name of a branch or a tag.'],
    [
      'name: a\nconfig: /graph.json\n',
      'error [/graph.json] Enter a relative path with forward slashes and the file name.',
    ],
    ['name: a\nbuild_on_push: 1\n', 'error [1] This must be true or false.'],
    ['name: a\nresources: { cpu: many }\n', expect.stringMatching(/^error \[many\] /)],
    [
      'name: a\nresources: 5\n',
      'error [5] Write keys such as "cpu: 1.5", or the path of a resource spec relative to this file.',
    ],
    [
      'name: a\nsecrets: { KEY: sk-canary }\n',
      'error [sk-canary] Deployment files have no values of secrets, so that they can be shared. Write where KEY comes from: ask, stored, or env-file and a path.',
    ],
    [
      'name: a\nsecrets: { KEY: { value: sk-canary } }\n',
      'error [{ value: sk-canary }] Deployment files have no values of secrets, so that they can be shared. Write where KEY comes from: ask, stored, or env-file and a path.',
    ],
    [
      'name: a\nsecrets: [{ name: KEY, value: sk-canary }]\n',
      'error [[{ name: KEY, value: sk-canary }]] Write a line such as "API_KEY: ask" for each secret: its name, and where its value comes from. The value itself is never in the file.',
    ],
    [
      'name: a\nsecrets: { KEY: { env-file: /x } }\n',
      'error [{ env-file: /x }] Write where the value of KEY comes from: ask, stored, or env-file and a path.',
    ],
    [
      'name: a\nsecrets: { PORT: ask }\n',
      "error [PORT] PORT is set by the platform and can't be a secret. Choose another name.",
    ],
    [
      'name: a\nbuild_command: make --token=canary-1f2e\n',
      'warning [make --token=canary-1f2e] This may contain a secret, and everyone who can read this file can read it.',
    ],
    ['name: a\n---\nname: a\n', 'error [a] Another deployment in this file has the same name.'],
    ['name: a\nconnection: One\n---\nname: a\nconnection: Two\n', undefined],
    ['name: a\ncustom_url: ""\ninstall_command:\nref:\n', undefined],
    ['name: "a\\nb"\n', 'error ["a\\nb"] Enter one line without control characters.'],
    [
      'name: a\nsource: external_docker\nimage: registry.example/a:1\nsecret_references: [{ name: A, secret: s }]\n',
      expect.stringContaining('] Write name, secret and key of each reference, and nothing else.'),
    ],
    ['name: a\nresources: { foo: 2 }\n', 'error [foo] "foo" isn\'t a field of a resource spec.'],
    [
      'name: a\nbuild_on_psh: true\n',
      'warning [build_on_psh] "build_on_psh" isn\'t a known key here; did you mean "build_on_push"?',
    ],
  ])('with the text %j says: %s', (text, expected) => {
    expect(findingsOf(text)).toEqual(expected === undefined ? [] : [expected]);
  });

  it('has no name twice on a connection that only one of the two names', () => {
    const text = 'name: a\n---\nname: a\nconnection: Work\n';
    const messagesOn = (usualConnection: string) =>
      readDeploymentFile(text, { ...rules, usualConnection }).flatMap(({ findings }) =>
        findings.map(({ message }) => message),
      );
    expect(messagesOn('Home')).toEqual([]);
    expect(messagesOn('Work')).toEqual(['Another deployment in this file has the same name.']);
  });

  it('is divided as the YAML library divides it', () => {
    const lines = ['---', '--- # two', '...', '%TAG ! !', '# note', '', 'name: a', '  ---', 'type: |', '--- name: b'];
    const contentsOf = ({ contents }: Pick<Document.Parsed, 'contents'>) =>
      contents === null ? [] : [String(contents)];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (some, eol) => {
        const text = [...some, '---', 'name: z', ''].join(eol);
        const parts = partsIn(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        const whole = parseAllDocuments(text);
        if (whole.some(({ errors }) => errors.length > 0)) return;
        const apart = parts.map((part) => parseDocument(part.text));
        expect(apart.flatMap(({ errors }) => errors)).toEqual([]);
        expect(apart.flatMap(contentsOf)).toEqual([...whole].flatMap(contentsOf));
      }),
      { numRuns: 2000 },
    );
  });

  it('goes by the rules of the connection that each deployment names', () => {
    const flavorFor = (connection: string) => (connection === 'Work' ? 'langsmith' : 'standard');
    const text = ['', ' Work ', 'Elsewhere']
      .map((name, index) => `---\nname: a${index}\nconnection: "${name}"\nresources: { cpu: 1.25 }\n`)
      .join('');
    const messages = readDeploymentFile(text, { ...rules, flavorFor }).map(({ findings }) =>
      findings.map(({ message }) => message),
    );
    expect(messages).toEqual([[], ['This service counts CPU in tenths of a core.'], []]);
  });

  it('accuses no deployment without a name of having the name of another', () => {
    const found = findingsOf('name: [a\n---\nname: [b\n---\n# no name\ntype: dev\n---\ntype: dev\n');
    expect(found.filter((each) => each.includes('same name'))).toEqual([]);
    expect(found).toHaveLength(4);
  });

  it('says so when a secret reference has the name of a secret', () => {
    const text = `name: a\nsource: external_docker\nimage: registry.example/a:1\nsecrets: { A: ask }\nsecret_references:\n  - { name: A, secret: s, key: k }\n`;
    expect(findingsOf(text)).toEqual(['error [A] A secret with this name already exists.']);
    const twice = text.replace('{ A: ask }', '{ B: ask }').replace(/( {2}- .*\n)$/, '$1$1');
    expect(findingsOf(twice)).toEqual(['error [A] A secret reference with this name already exists.']);
  });

  it('that is a draft says who can read what may be a secret', () => {
    const text = 'name: a\nbuild_command: make --token=canary-1f2e\n';
    const found = readDeploymentFile(text, { ...rules, isDraft: true }).flatMap(({ findings }) => findings);
    expect(found.map(({ message }) => message)).toEqual(['This may contain a secret. Only you can read the draft.']);
  });

  it('never quotes a value in a finding about it', () => {
    const canary = 'canary-7c1d';
    const text = `name: a\nsecrets: { A: ${canary} }\nlistener: [${canary}]\nresources: { cpu: ${canary} }\n`;
    const messages = readDeploymentFile(text, rules).flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages).toHaveLength(3);
    expect(messages.join()).not.toContain(canary);
  });
});

describe('the text of a deployment file as the service has it', () => {
  const text = `# Ours.
name: agent # the name
ref: main
config: graph.json
type: dev
build_on_push: true
resources:
  cpu: 1 # enough
secrets: { A: { env-file: .env } }
`;

  function asOnService(changes: Partial<RepositoryDraft>, notCompared: readonly 'buildCommand'[] = []): string {
    const [{ spec } = { spec: undefined }] = readDeploymentFile(text, rules);
    const own = draftOfFile(spec ?? {}, here);
    const { secrets, resourceSpec } = own;
    const theirs = completeDraft({ secrets, resourceSpec, ...changes });
    const configPath = 'graph.json';
    return textOfService(text, { draft: own, configPath }, { draft: theirs, configPath }, notCompared);
  }

  it('is the text itself where nothing differs', () => {
    expect(asOnService({})).toBe(text);
  });

  it('differs only in the lines of what differs, and keeps where secrets come from', () => {
    const secrets = ['A', 'B'].map((name) => ({ name, value: undefined }));
    const service = asOnService({
      ref: { kind: 'branch', name: 'release' },
      deploymentType: 'prod',
      resourceSpec: { cpu: 2 },
      customUrl: 'https://agent.example',
      secrets,
    });
    expect(service).toBe(`# Ours.
name: agent # the name
ref: release
config: graph.json
type: prod
build_on_push: true
resources:
  cpu: 2
secrets:
  A:
    env-file: .env
  B: ask
custom_url: https://agent.example
`);
  });

  it('drops the integration that a file names for a repository that is replaced', () => {
    const named =
      'name: agent # ours\nrepository: https://code.example/acme/agent\nintegration: 0b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a10\n';
    const [{ spec } = { spec: undefined }] = readDeploymentFile(named, rules);
    const own = draftOfFile(spec ?? {}, here);
    const repositoryUrl = 'https://code.example/acme/chat';
    const theirs = completeDraft({ repositoryUrl, integrationId: '', provenance: own.provenance });
    const [before, after] = [own, theirs].map((draft) => ({ draft, configPath: 'graph.json' }));
    expect(before && after && textOfService(named, before, after, [])).toBe(
      `name: agent # ours\nrepository: ${repositoryUrl}\n`,
    );
  });

  it("keeps what can't be compared", () => {
    expect(asOnService({ buildCommand: 'make' }, ['buildCommand'])).toBe(text);
    expect(asOnService({ buildCommand: 'make' })).toContain('build_command: make\n');
  });
});

describe('a draft that is changed', () => {
  const references = [
    { name: 'A', secret: 'one', key: 'a' },
    { name: 'B', secret: 'two', key: 'b' },
    { name: 'C', secret: 'three', key: 'c' },
  ];

  function changed(text: string, wanted: Partial<ExternalImageDraft>): EditResult {
    const [{ spec } = { spec: undefined }] = readDeploymentFile(text, rules);
    const draft = draftOfFile(spec ?? {}, here);
    if (draft.source !== 'external_docker') throw new Error('The text is of another source.');
    const [before, after] = [draft, { ...draft, ...wanted }].map((each) => ({ draft: each, configPath: '' }));
    if (before === undefined || after === undefined) throw new Error('One is missing.');
    return withDraftValues(text, before, after);
  }

  const sent = (kept: typeof references) =>
    kept.map(({ name, secret, key }) => ({ name, secretName: secret, secretKey: key }));
  const start = 'name: agent\nsource: external_docker\nimage: registry.example/agent:1\nsecret_references:\n';
  const [a, b, c] = [
    '  # The first.\n  - { secret: one, key: a, name: A } # a\n',
    '  - name: B # b\n    secret: two\n    key: b\n',
    '  - { name: C, secret: three, key: c }\n',
  ];

  it.each([
    [
      'one more',
      [...references, { name: 'D', secret: 'four', key: 'd' }],
      `${a}${b}${c}  - name: D\n    secret: four\n    key: d\n`,
    ],
    ['one less', references.filter(({ name }) => name !== 'B'), `${a}${c}`],
    [
      'another one',
      references.with(2, { name: 'C', secret: 'other', key: 'c' }),
      `${a}${b}  - name: C\n    secret: other\n    key: c\n`,
    ],
  ])('with %s keeps the other references as they are written', (_, wanted, text) => {
    const result = changed(`${start}${a}${b}${c}`, { secretReferences: sent(wanted) });
    expect(result.kind === 'edited' && result.state.document.text).toBe(`${start}${text}`);
  });

  it('is written whole with many other references', () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `N${index}`, secret: 'one', key: 'a' }));
    const result = changed(`${start}${a}${b}`, { secretReferences: sent(many) });
    const lines = many.map(({ name }) => `  - name: ${name}\n    secret: one\n    key: a\n`);
    expect(result.kind === 'edited' && result.state.document.text).toBe(start + lines.join(''));
  });

  it('is refused where an alias shares what changes, instead of losing the rest', () => {
    const text = 'name: agent\nsource: external_docker\nimage: &i registry.example/agent:1\nbuild_command: *i\n';
    expect(changed(text, { imageUri: 'registry.example/agent:2' })).toMatchObject({ kind: 'refused' });
  });
});

describe('a value in the text of a deployment file', () => {
  const text = '# Ours.\nref: main # always\nname: agent # its name\nunknown: 1\n';

  it.each([
    ['is replaced in its line', ['name'], 'other', text.replace('agent', 'other')],
    ['is quoted if it needs to be', ['name'], 'a: #1', text.replace('agent', '"a: #1"')],
    ['of the name stays empty when it is emptied', ['name'], '', text.replace('agent', '""')],
    ['is gone with its line when it is emptied', ['ref'], '', text.replace('ref: main # always\n', '')],
    [
      'is added in the order of a new file',
      ['connection'],
      'Work',
      text.replace('unknown', 'connection: Work\nunknown'),
    ],
    ['is added with its map', ['secrets', 'KEY'], 'ask', text.replace('unknown', 'secrets:\n  KEY: ask\nunknown')],
    ['keeps Windows line ends', ['ref'], 'dev', text.replace('main', 'dev').replaceAll('\n', '\r\n')],
  ])('%s', (words, path, value, wanted) => {
    const before = words.includes('Windows') ? text.replaceAll('\n', '\r\n') : text;
    expect(withFileValues(before, [{ path, value }])).toMatchObject({
      kind: 'edited',
      state: { document: { text: wanted } },
    });
  });

  it('of text that is no YAML is refused', () => {
    expect(withFileValues('name: "open\n', [{ path: ['name'], value: 'a' }])).toEqual({
      kind: 'refused',
      message: 'Correct the YAML first.',
    });
  });

  it('stays as it is where the text has it already, also if aliases share it', () => {
    const text = 'name: agent\nref: &branch main # ours\nbuild_command: *branch\n';
    const set = (value: string) => withFileValues(text, [{ path: ['ref'], value }]);
    expect(set('main')).toMatchObject({ kind: 'edited', state: { document: { text } } });
    expect(set('next')).toMatchObject({ kind: 'refused' });
  });
});

describe('an edit of the resources', () => {
  const set = (value: string | undefined, ...path: (string | number)[]) => ({
    kind: 'set' as const,
    path,
    ...(value !== undefined && { value: { style: 'inline' as const, text: value } }),
  });
  const file =
    '# Ours.\nname: a\nresources: # agreed\n    cpu: 1 # core\n    sidecars:\n      - name: b\n        image: c\nref: main\n';

  it.each<[words: string, before: string, edits: Parameters<typeof withResourceEdits>[1], after: string]>([
    ['changes one value', file, [set('2', 'cpu')], file.replace('cpu: 1', 'cpu: 2')],
    ['changes a value of an item', file, [set('d', 'sidecars', 0, 'image')], file.replace('image: c', 'image: d')],
    ['adds a key at its place', file, [set('5', 'memory_mb')], file.replace('# core\n', '# core\n    memory_mb: 5\n')],
    [
      'keeps Windows line ends',
      file.replaceAll('\n', '\r\n'),
      [set('2', 'cpu')],
      file.replace('cpu: 1', 'cpu: 2').replaceAll('\n', '\r\n'),
    ],
    ['makes the first one', 'name: a\nref: main\n', [set('2', 'cpu')], 'name: a\nref: main\nresources:\n  cpu: 2\n'],
    ['takes the place of nothing', 'name: a\nresources:\n', [set('2', 'cpu')], 'name: a\nresources:\n  cpu: 2\n'],
    ['removes the last one with its key', 'name: a\nresources:\n  cpu: 2\n', [set(undefined, 'cpu')], 'name: a\n'],
    [
      'changes resources in braces',
      'name: a\nresources: {cpu: 1}\n',
      [set('2', 'cpu')],
      'name: a\nresources: {cpu: 2}\n',
    ],
    [
      'makes several changes at once',
      'name: a\nresources:\n  cpu: 1\n',
      [set('2', 'min_scale'), set(undefined, 'cpu'), set('4', 'max_scale')],
      'name: a\nresources:\n  min_scale: 2\n  max_scale: 4\n',
    ],
  ])('%s', (_, before, edits, after) => {
    expect(withResourceEdits(before, edits)).toMatchObject({ kind: 'edited', state: { document: { text: after } } });
  });

  it.each<[words: string, before: string, edits: Parameters<typeof withResourceEdits>[1], message: RegExp]>([
    ['that nobody could read', file, [set('[1', 'sidecars')], /bracket/],
    ['of another file', 'name: a\nresources: b.resource-spec.yaml\n', [set('2', 'cpu')], /can't change "resources"/],
    ['that others share', 'name: a\nsecrets: &s {A: ask}\nresources:\n  labels: *s\n', [set('2', 'cpu')], /alias "s"/],
    ['of a text that is no YAML', 'name: "open\n', [set('2', 'cpu')], /Correct the YAML first/],
  ])('%s is refused', (_, before, edits, message) => {
    expect(withResourceEdits(before, edits)).toEqual({ kind: 'refused', message: expect.stringMatching(message) });
  });

  it('is made in the same way by the form of the resources alone', () => {
    for (const edits of [[set('2', 'cpu')], [set('5', 'memory_mb')], [set('d', 'sidecars', 0, 'image')]]) {
      const result = withResourceEdits(file, edits);
      const after = resourcesText(result.kind === 'edited' ? result.state.document.text : '');
      const alone = applyEdits({ document: readSpecText(resourcesText(file)) }, edits, specKeys);
      expect(alone).toMatchObject({ kind: 'edited', state: { document: { text: after } } });
    }
  });
});

it.each([
  ['name: a\n', ''],
  ['name: a\nresources: ~\n', ''],
  ['name: a\nresources: {}\n', ''],
  ['name: a\nresources: # sized\n  # by us\n  cpu: 1 # agreed\n\nref: main\n', '# by us\ncpu: 1 # agreed\n'],
  ['name: "open\nresources: { cpu: 1 }\n', ''],
])('the resources of %j by themselves are %j', (text, resources) => {
  expect(resourcesText(text)).toBe(resources);
});
