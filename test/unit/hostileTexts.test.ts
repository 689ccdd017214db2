import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { flavors } from '../../src/api/flavor.ts';
import { parseAnswer } from '../../src/api/http/answer.ts';
import { hideValues, redactBody, secretsIn } from '../../src/api/redaction/hideValues.ts';
import { deploymentReader } from '../../src/api/resources/deployments.ts';
import { readList } from '../../src/api/resources/reading.ts';
import { parseAppConfig } from '../../src/core/appConfig/appConfig.ts';
import { resourceText } from '../../src/core/resources/resourceText.ts';
import { checkSpec } from '../../src/core/spec/rules.ts';
import { describeSpec } from '../../src/core/spec/specWords.ts';
import { readSpecText } from '../../src/core/yaml/document.ts';
import { specToText, toSpecMap } from '../../src/core/spec/specText.ts';
import { isNode, listOf, readSourceFiles, type SourceFile } from '../support/sourceFiles.ts';
import { textFunctions, type TextFunction } from '../support/textFunctions.ts';

const origin = 'https://service.example';

/** In characters. */
const longText = 500_000;

/** What begins, ends or separates something for one of the functions; a text is hostile by repeating it. */
const units = [
  'a¦1¦ ¦\n¦\t¦\0¦é¦\u0300\u0316¦\ud800¦"¦\\¦/¦:¦@¦.¦-¦,¦=¦%¦&¦*¦a.¦a-¦a/¦a:¦a@¦a ¦a\n¦ a¦\na¦A. ¦. A¦; ¦1.¦1e¦%41¦$(¦](¦aA',
  '://¦a://¦https://a:¦@a¦\r¦&token=¦\u001B[¦\u001B]¦\u001B];¦\u001B;a¦[¦{¦[]¦{}¦{"a":¦"\\¦\\u',
  '- ¦? ¦? - ¦- &a ¦? [¦: ¦a: ¦&a ¦*a ¦*a,¦&a *a,¦!a ¦"a" ¦\'a\'¦# \n¦a: b\n¦ - a\n',
  'a=b\n¦export ¦token ¦token=¦token="¦token=\'¦-token¦api_key: ¦bearer ',
  'key: ¦auth:¦auth: a¦--user=¦--user ¦-p a ¦-pa ¦-ua: ¦&amp;key=¦"key: ¦cookie: ¦/hooks/¦hooks.slack.com/services/¦key="\'¦key: | #¦"key=\'¦ENV ¦-----BEGIN ',
].flatMap((row) => row.split('¦'));

/** Units of which a long text has the most lines, words and levels, for what has a limit in the engine. */
const manyParts = new Set(['\n', 'a ', 'a\n', '[', '{"a":', '- ', '://', 'A. ']);

/**
 * A text in one piece, as a service sends it: one that was put together in memory is taken apart at each step. What looks
 * for the end of a text after many of a unit doesn't find it.
 */
function textOf(unit: string, length: number): string {
  const repeated = `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1)}x`;
  return Buffer.from(repeated, 'utf16le').toString('utf16le');
}

/** The processor time of some runs, in milliseconds. A text may be refused; nothing else may be thrown. */
function costOf(run: TextFunction, text: string, runs = 1): number {
  const before = process.threadCpuUsage();
  for (let done = 0; done < runs; done += 1) {
    try {
      run(text);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** How many short texts are read in place of one long text. */
const shortTexts = 32;

/**
 * Whether a text takes at most twelve times as long as 32 short ones of the same length together: the same time if it
 * grows with the length, 32 times as long if it is quadratic. Both take about the same time, because a system may count
 * it in steps of 4 ms. The bound is far from either: short texts may fit into what the processor keeps at hand, which is
 * up to four times as quick, a machine without memory to spare is slower with a long text, and one that is shared may
 * take twice as long for the same as a moment before.
 */
function growsWithItsLength(run: TextFunction, textOf: (length: number) => string, length: number): boolean {
  const short = textOf(length / shortTexts);
  const long = textOf(length);
  // A run in which memory is tidied up takes longer than it would: the shortest of several counts.
  let [ofShort, ofLong] = [Infinity, Infinity];
  for (let tries = 0; tries < 8; tries += 1) {
    ofLong = Math.min(ofLong, costOf(run, long));
    // What takes no time is not compared.
    if (ofLong < 40) return true;
    ofShort = Math.min(ofShort, costOf(run, short, shortTexts));
    if (ofLong <= 12 * ofShort) return true;
  }
  return false;
}

function slowOn(run: TextFunction, length: number): readonly string[] {
  const failing = units.filter((unit) => {
    // A sixteenth of the text takes a whole second where the time is quadratic, and nothing where it is not.
    const isQuick = costOf(run, textOf(unit, length / 16)) < 8;
    // A quarter tells the two apart, and what takes less than is compared takes less than a second for all of it.
    if (!isQuick && !growsWithItsLength(run, (part) => textOf(unit, part), length / 4)) return true;
    if (manyParts.has(unit)) costOf(run, textOf(unit, length));
    return false;
  });
  return failing.map((unit) => JSON.stringify(unit));
}

describe('the time for a long text', { timeout: 300_000 }, () => {
  const functions = Object.entries(textFunctions).flatMap(([name, entry]) => {
    if (typeof entry === 'string') return [];
    return [
      typeof entry === 'function'
        ? { name, run: entry, length: longText }
        : { name, run: entry.run, length: entry.length },
    ];
  });

  it.each(functions)('of $name grows with its length', ({ run, length }) => {
    expect(slowOn(run, length)).toEqual([]);
  });

  it.each([
    { name: 'parseAppConfig', run: (text: string) => parseAppConfig(text, 'graph.yaml') },
    { name: 'readSpecText', run: readSpecText },
  ])('of $name grows with its anchors and aliases', ({ run }) => {
    const entry = (index: number) => `- &a${index} 1\n- *a${index}\n`;
    const anchors = (length: number) => Array.from({ length: length / 16 }, (_, index) => entry(index)).join('');
    expect(growsWithItsLength(run, anchors, 128 * 1024)).toBe(true);
  });

  it('is found to be too long for a function that backtracks or overflows the stack', () => {
    expect(slowOn((text) => /a+$/.test(`${text}b`), 100_000)).toEqual(['"a"']);
    expect(() => slowOn((text) => Math.max(...text.split('\n').map(Number)), longText)).toThrow(RangeError);
  });
});

describe('deep nesting', () => {
  const deep = 100_000;
  const nested = {
    maps: JSON.parse(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`) as object,
    lists: JSON.parse(`{"a":${'['.repeat(deep)}1${']'.repeat(deep)}}`) as object,
  };
  const deploymentWith = (labels: object) => ({
    id: '1',
    name: 'agent',
    source_config: {
      resource_spec: { labels, annotations: labels, sidecars: [{ env: labels, resources: { limits: labels } }] },
    },
  });
  const walks = {
    parseAnswer: () => {
      const body = Buffer.from(`{"labels":${'['.repeat(deep)}${']'.repeat(deep)}}`);
      expect(() => parseAnswer({ status: 200, headers: {}, body }, origin)).toThrow(ApiError);
    },
    readList: (labels) => readList({ origin, flavor: flavors.langsmith }, deploymentReader, [deploymentWith(labels)]),
    hideValues: (labels) => JSON.stringify(hideValues(deploymentWith(labels), () => '')),
    secretsIn: (labels) => secretsIn(deploymentWith(labels)),
    redactBody: (labels) => redactBody(deploymentWith(labels)),
    resourceText: (labels) => resourceText(deploymentWith(labels)),
    toSpecMap: (labels) => checkSpec(toSpecMap({ labels, volumes: [{ csi: labels }] }), 'standard'),
    specToText: (labels) => readSpecText(specToText(toSpecMap({ labels, volumes: [{ csi: labels }] }))),
    describeSpec: (labels) => describeSpec({ labels: { labels } }),
  } satisfies Record<string, (labels: object) => unknown>;

  it.each(Object.entries(walks))('does not stop %s, even 100,000 levels of labels', (_name, walk) => {
    for (const labels of Object.values(nested)) expect(() => walk(labels)).not.toThrow();
  });
});

describe('the tested functions', () => {
  const files = [...readSourceFiles('src/api'), ...readSourceFiles('src/core'), ...readSourceFiles('src/ui')];
  const exported = files.filter(needsNoEditor).flatMap(textFunctionsOf);

  /**
   * The texts of these are our own: names of git, of folders and of drafts, which are handed on, the paths of fields, and
   * the local service's file.
   */
  const ours = new Set([
    'decodeBody',
    'writable',
    'relationOf',
    'countCommits',
    'isRowLost',
    'proofOf',
    'parseServiceFile',
    'readServiceFile',
    'readServiceAddress',
    'writeServiceFile',
    'findLocalService',
    'createDraft',
    'listDrafts',
    'findDraft',
    'removeDraft',
    'claimDraft',
    'releaseDraft',
    'replaceFile',
    'tidyDrafts',
    'readJson',
    'draftsFolder',
    'isDraft',
    'readRegularFile',
    'textOf',
    'setAt',
    'valueIn',
    'namedValue',
    'logTimeFormat',
  ]);

  it('are all functions that take a text', () => {
    expect(exported).toContain('withoutCredentials');
    expect(exported.filter((name) => !(name in textFunctions || ours.has(name)))).toEqual([]);
  });
});

/** The page of the form, rows and commands are left out: what they show comes from the functions that are tried. */
function needsNoEditor({ path, text }: SourceFile): boolean {
  return !path.startsWith('src/ui/') || !/\/webview\/|'vscode'/.test(`${path} ${text}`);
}

/** The exported functions of a file with a parameter whose type is written as a text, a list of texts or unknown. */
function textFunctionsOf({ nodes }: SourceFile): readonly string[] {
  return nodes.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node['declaration'] : undefined;
    if (!isNode(declaration) || declaration.type !== 'FunctionDeclaration') return [];
    const takesText = listOf(declaration['params']).some(isTextParameter);
    return takesText ? [(declaration['id'] as { name: string }).name] : [];
  });
}

function isTextParameter(parameter: unknown): boolean {
  const annotation = (parameter as { typeAnnotation?: { typeAnnotation: unknown } }).typeAnnotation?.typeAnnotation;
  return isTextType(annotation);
}

/** Also a choice between several types, and a list. */
function isTextType(type: unknown): boolean {
  if (!isNode(type)) return false;
  const parts = [
    ...listOf(type['types']),
    type['elementType'],
    type.type === 'TSTypeOperator' && type['typeAnnotation'],
  ];
  return type.type === 'TSStringKeyword' || type.type === 'TSUnknownKeyword' || parts.some(isTextType);
}
