import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { flavors } from '../../src/api/flavor.ts';
import { parseAnswer, serviceError } from '../../src/api/http/answer.ts';
import { chooseProxy } from '../../src/api/http/proxy.ts';
import { hideInText, withoutCredentials } from '../../src/api/redaction/hideInText.ts';
import { hideValues, redactBody, secretsIn } from '../../src/api/redaction/hideValues.ts';
import { maskedText, safeText, spellingsIn, withoutTerminalCodes } from '../../src/api/redaction/redact.ts';
import { safeLines } from '../../src/api/redaction/safeLines.ts';
import { isSecretOption } from '../../src/api/redaction/secretNames.ts';
import { deploymentReader } from '../../src/api/resources/deployments.ts';
import { readList } from '../../src/api/resources/reading.ts';
import { MAX_ENTRY_LENGTH } from '../../src/api/schema/limits.ts';
import { parseAppConfig } from '../../src/core/appConfig/appConfig.ts';
import { findDefinition } from '../../src/core/appConfig/definitions.ts';
import { findJsonError } from '../../src/core/appConfig/jsonSyntax.ts';
import { correctPaths } from '../../src/core/appConfig/movedPaths.ts';
import { appConfigSchema } from '../../src/core/appConfig/schema.ts';
import { compiledGraphs } from '../../src/core/appConfig/sourceFiles.ts';
import { partsIn, readDeploymentFile } from '../../src/core/draft/deploymentFile.ts';
import { changeParts } from '../../src/core/draft/deploymentFileText.ts';
import { splitAddress } from '../../src/core/git/address.ts';
import { explainGitFailure } from '../../src/core/git/gitWords.ts';
import { parseGitRemote } from '../../src/core/git/remote.ts';
import { lineEdits } from '../../src/core/logs/lineEdits.ts';
import { resourceText } from '../../src/core/resources/resourceText.ts';
import { parseDotenv } from '../../src/core/secrets/dotenv.ts';
import { imageReferenceProblem } from '../../src/core/spec/imageReference.ts';
import { tidyPastedYaml } from '../../src/core/spec/part.ts';
import { checkSpec } from '../../src/core/spec/rules.ts';
import { specToText, toSpecMap } from '../../src/core/spec/specText.ts';
import { describeSpec } from '../../src/core/spec/specWords.ts';
import { lineIn } from '../../src/core/status/reasonFiles.ts';
import { nearestNames } from '../../src/core/text/nearest.ts';
import { wrapLines } from '../../src/core/text/text.ts';
import { readSpecText } from '../../src/core/yaml/document.ts';
import { applyEdits } from '../../src/core/yaml/edit.ts';
import { fieldSuggestions, type HelpedText } from '../../src/core/yaml/suggestions.ts';
import { isNode, parseSourceFile, readSourceFiles, type SyntaxNode } from '../support/sourceFiles.ts';

type TextFunction = (text: string) => unknown;

const origin = 'https://service.example';

/** In characters. */
const longText = 500_000;

/** A sixteenth of what is read: the library takes a third of a second for it at most, and minutes if it were quadratic. */
const yamlLength = 16 * 1024;

/** The whole of a quarter is read of a log entry: more is cut off. */
const entryLength = 4 * (MAX_ENTRY_LENGTH - 2);

/** For what reads a text at least ten times, a quarter of the usual length: that is more than twice as much in all. */
const copiedLength = 125_000;

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

function slowOn(run: TextFunction, length: number, repeated = units): readonly string[] {
  const failing = repeated.filter((unit) => {
    // A sixteenth of the text takes a whole second where the time is quadratic, and nothing where it is not.
    const isQuick = costOf(run, textOf(unit, length / 16)) < 8;
    // A quarter tells the two apart, and what takes less than is compared takes less than a second for all of it.
    if (!isQuick && !growsWithItsLength(run, (part) => textOf(unit, part), length / 4)) return true;
    if (manyParts.has(unit)) costOf(run, textOf(unit, length));
    return false;
  });
  return failing.map((unit) => JSON.stringify(unit));
}

/**
 * The functions that search a text again and again, or by a regular expression that may backtrack or is built at run time.
 * Those that refuse a long text unparsed, or read a text many times, are tried up to a length.
 */
const textFunctions: Readonly<Record<string, TextFunction | { readonly length: number; readonly run: TextFunction }>> =
  {
    hideValues: {
      length: copiedLength,
      run: several(
        (text) =>
          hideValues({ [text]: text, sidecars: [{ args: [text], env: [{ name: text, value: text }] }] }, () => '*'),
        (text) => hideValues({ args: [text, `--token ${text}`, `token="${text}`, `token=${text}`] }, () => '*'),
        (text) => hideValues({ env: [text], secrets: { [text]: text }, build_command: text }, () => '*'),
      ),
    },
    hideInText: (text) => hideInText(text, () => '*'),
    withoutCredentials: several(
      withoutCredentials,
      (text) => withoutCredentials(`https://${text}`),
      (text) => withoutCredentials(`${text}://me:word@host`),
    ),
    isSecretOption: (text) => [text, '-p', '-u', '-a'].map((option) => isSecretOption(option, text, text)),
    maskedText,
    safeText: (text) => [safeText(text), safeText(text, ['aa', 'secret', text.slice(0, 1000), text])],
    withoutTerminalCodes: (text) => [text, `\u001B${';#'.repeat(text.length / 2)}`].map(withoutTerminalCodes),
    safeLines: {
      length: entryLength,
      run: (text) => [safeLines(text, []), safeLines(text, spellingsIn(['aa', 'secret', text.slice(0, 1000)]))],
    },
    serviceError: {
      length: copiedLength,
      run: (text) => [
        ...[{ detail: text }, { detail: [{ loc: [text, text], msg: text }] }, { error: { message: text } }].map(
          (body) => serviceError(answerOf(JSON.stringify(body), 422), { origin, secrets: ['aa', text] }),
        ),
        serviceError(answerOf(JSON.stringify({ detail: text }), 403), { origin: text, secrets: [] }),
      ],
    },
    chooseProxy: several(
      (text) => chooseProxy(origin, { editorProxy: 'http://proxy.example', noProxy: [text, `${text}.example`] }),
      (text) => chooseProxy(origin, { environment: { HTTPS_PROXY: 'http://proxy.example', NO_PROXY: text } }),
      (text) => chooseProxy(origin, { proxy: `http://${text}` }),
    ),
    parseAppConfig: {
      length: yamlLength,
      run: (text) => [
        parseAppConfig(text, 'graph.json'),
        parseAppConfig(JSON.stringify({ a: text.slice(text.length / 2), graphs: text }), 'graph.json'),
        parseAppConfig(text, 'graph.yaml'),
        parseAppConfig(`x: &a 1\ny: [${text.slice(0, -20)}]`, 'graph.yaml'),
      ],
    },
    findJsonError: (text) => [findJsonError(text), findJsonError(`"${text}`), findJsonError(JSON.stringify([text]))],
    correctPaths: {
      length: yamlLength,
      run: (text) => {
        const moved = [{ from: text, to: `a/${text}` }];
        const config = JSON.stringify({ graphs: { a: `./${text}:g` }, dependencies: [`./${text}`] });
        return [correctPaths(text, 'graph.json', moved), correctPaths(config, text, moved)];
      },
    },
    findDefinition: (text) => [
      findDefinition(text, 'a', 'a.py'),
      findDefinition(text, 'a', 'a.ts'),
      ...['import a\n', 'from ', 'none, '].map((begin) => findDefinition(begin + text, 'none', 'a.py')),
      ...['export ', 'export const '].map((begin) => findDefinition(begin + text, 'none', 'a.ts')),
      findDefinition('', text, 'a.ts'),
    ],
    compiledGraphs: (text) =>
      ['a.py', 'a.ts'].flatMap((path) => [
        compiledGraphs(`langgraph\n${text}`, path),
        compiledGraphs(`langgraph\na: ${text}`, path),
      ]),
    fieldSuggestions: (text) => [
      fieldSuggestions(config(text, 'json'), text.length),
      fieldSuggestions(config(`{${text}`, 'json'), 1),
      fieldSuggestions(config(text, 'yaml'), text.length),
    ],
    nearestNames: (text) => nearestNames(text, [text, `${text}a`, 'graphs']),
    readDeploymentFile: {
      length: yamlLength,
      run: (text) => [
        readDeploymentFile(text, fileRules),
        readDeploymentFile(`name: ${JSON.stringify(text)}\nsecrets: { ${JSON.stringify(text)}: ask }\n`, fileRules),
      ],
    },
    changeParts: (text) => changeParts(text, partsIn(text.replaceAll(/\s/g, '\n---\n')), (part) => part.text),
    parseGitRemote: (text) => remotesOf(text).map(parseGitRemote),
    splitAddress: (text) => remotesOf(text).map(splitAddress),
    explainGitFailure: several(
      explainGitFailure,
      (text) => explainGitFailure(` ! [rejected] ${text}`),
      (text) => explainGitFailure(`remote: ${text}`),
    ),
    parseDotenv: (text) => [parseDotenv(text), parseDotenv(`A="${text}`), parseDotenv(`A=${text}`)],
    imageReferenceProblem: { length: 512, run: imageReferenceProblem },
    readSpecText: {
      length: yamlLength,
      run: (text) => [readSpecText(text), readSpecText(`x: &a 1\ny: [${text.slice(0, -20)}]`)],
    },
    tidyPastedYaml: { length: yamlLength, run: tidyPastedYaml },
    applyEdits: {
      length: yamlLength,
      run: (text) => {
        const document = readSpecText(`a: ${JSON.stringify(text)}\nsidecars:\n  - ${JSON.stringify(text)}\n`);
        if (document.kind !== 'readable') return;
        for (const path of [['cpu'], ['sidecars', 0, 'image']]) {
          applyEdits({ document }, [{ kind: 'set', path, value: { style: 'inline', text: '1' } }], []);
          applyEdits({ document }, [{ kind: 'set', path }], []);
        }
        applyEdits({ document }, [{ kind: 'rename', path: ['labels', 'a'], name: text }], []);
      },
    },
    lineEdits: (text) => [
      lineEdits(text.split('\n'), text.split(''), 4),
      lineEdits(text.split(''), text.split(' '), 4),
    ],
    lineIn: (text) => [lineIn(text, ''), lineIn(`graph "${text}"`, text), lineIn('graph "a"', text)],
    resourceText: {
      length: copiedLength,
      run: (text) => resourceText({ name: text, [text]: text, labels: { a: text } }),
    },
    wrapLines: (text) => [wrapLines(text, 78), wrapLines(text, 20, 5)],
  };

const fileRules = { flavorFor: () => 'langsmith' as const, reservedNames: [] };

const config = (text: string, language: 'json' | 'yaml'): HelpedText => ({
  text,
  isYaml: language === 'yaml',
  schema: appConfigSchema,
});

const answerOf = (text: string, status: number) => ({ status, headers: {}, body: Buffer.from(text) });

function remotesOf(text: string): readonly string[] {
  return [text, `https://${text}`, `https://host/${text}`, `git@host:${text}`, `${text}@host:a`, `file://${text}`];
}

/** Runs each, also where one before it refused the text. */
function several(...runs: readonly TextFunction[]): TextFunction {
  return (text) =>
    runs.map((run) => {
      try {
        return run(text);
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    });
}

describe('the time for a long text', { timeout: 300_000 }, () => {
  const functions = Object.entries(textFunctions).map(([name, entry]) =>
    typeof entry === 'function' ? { name, run: entry, length: longText } : { name, ...entry },
  );

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

describe('a regular expression', () => {
  it('backtracks or is built at run time only in a file whose functions are tried', () => {
    const files = readSourceFiles('src');
    expect(files.flatMap(({ nodes }) => nodes.filter(({ regex }) => isPattern(regex))).length).toBeGreaterThan(300);
    const found: Record<string, number> = {};
    for (const { path, nodes } of files) {
      const count = nodes.filter(mayBacktrack).length;
      if (count > 0) found[path] = count;
    }
    expect(found).toEqual({
      'src/api/redaction/hideInText.ts': 9,
      'src/api/redaction/hideValues.ts': 1,
      'src/api/redaction/redact.ts': 1,
      'src/api/redaction/safeLines.ts': 1,
      'src/api/redaction/secretNames.ts': 2,
      'src/core/appConfig/definitions.ts': 4,
      'src/core/appConfig/jsonSyntax.ts': 1,
      'src/core/git/address.ts': 3,
      'src/core/secrets/dotenv.ts': 1,
      'src/core/spec/imageReference.ts': 2,
    });
  });

  it('takes time that grows with each hostile text, also of its own words', { timeout: 300_000 }, () => {
    const patterns = readSourceFiles('src').flatMap(({ path, nodes }) =>
      nodes.flatMap(({ regex }) => (isPattern(regex) ? [{ path, ...regex }] : [])),
    );
    const slow = patterns.filter(({ pattern, flags }) => {
      const expression = new RegExp(pattern, flags);
      const words = pattern.match(/[A-Za-z0-9]+/g)?.flatMap((word) => [word, `/${word}/`, `${word} `]) ?? [];
      return slowOn((text) => text.replace(expression, ''), 200_000, [...units, ...words]).length > 0;
    });
    expect(slow.map(({ path, pattern }) => `${path} ${pattern}`)).toEqual([]);
  });

  it.each(['/a+$/', '/(a+)+b/', '/^a*a*b/', "new RegExp('a')", "RegExp('a')"])('such as %s is noticed', (text) => {
    expect(parseSourceFile('a.ts', `const a = ${text};`).nodes.some(mayBacktrack)).toBe(true);
  });
});

/**
 * Whether it is a regular expression that takes more than linear time on a text of one character repeated, or one that is
 * built at run time.
 */
function mayBacktrack({ type, regex, callee }: SyntaxNode): boolean {
  if (type === 'NewExpression' || type === 'CallExpression') return isNode(callee) && callee['name'] === 'RegExp';
  if (!isPattern(regex)) return false;
  return analyse({ source: regex.pattern, flags: regex.flags }).reports.length > 0;
}

function isPattern(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}
