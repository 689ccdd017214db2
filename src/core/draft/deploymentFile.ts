import * as l10n from '@vscode/l10n';
import { isMap } from 'yaml';
import type * as z from 'zod/mini';
import type { FlavorName } from '../../api/flavor.ts';
import { SOURCES } from '../../api/schema/enums.ts';
import { checkSpec } from '../spec/rules.ts';
import { asSentence, shortened } from '../text/text.ts';
import { longestSpecText, parseSpecYaml, type RangeFinding } from '../yaml/document.ts';
import { typeWords, unknownKeys, unknownKeyWords } from '../yaml/help.ts';
import { rangeAt } from '../yaml/placement.ts';
import { isAbsent, isSpecList, isSpecMap, textOf, valueAt } from '../yaml/value.ts';
import type { SpecMap, SpecPath, SpecValue } from '../yaml/value.ts';
import { secretNameProblem } from './fieldProblem.ts';
import { deploymentFileSchema, referenceWords, type DeploymentSpec } from './deploymentFileSchema.ts';
import { keyInFile, type Finding } from './findings.ts';
import {
  draftFields,
  fieldAdvice,
  fieldProblem,
  fieldsOf,
  guardedFields,
  textFields,
  type TextFieldFacts,
} from './fields.ts';
import { mayBeSecret } from './fieldValues.ts';
import { sourceFacts, sourceOf } from './sources.ts';

/** A finding about a part of a deployment file. Never quotes what may be secret. */
export interface FileFinding extends RangeFinding {
  readonly severity: 'error' | 'warning' | 'info';
  /** The path to the value or key that it is about. Empty if it is about none. */
  readonly path: SpecPath;
  /** The names that an unknown key may have been meant to have. */
  readonly meant?: readonly string[];
}

/** One deployment of a file, with its place in the text. */
export interface FileDeployment {
  readonly start: number;
  readonly text: string;
  /** Empty if it has none. */
  readonly name: string;
  /** The name of its connection; empty if it has none. */
  readonly connection: string;
  /** Undefined if it can't be read as YAML. */
  readonly content: SpecMap | undefined;
  /** Undefined if the deployment has errors. */
  readonly spec: DeploymentSpec | undefined;
  /** Its values without errors. Undefined if a value with an error decides the source or the connection. */
  readonly readable: DeploymentSpec | undefined;
  readonly findings: readonly FileFinding[];
}

/** What findings depend on besides the text. */
interface FileRules {
  /** The flavor of a connection by its name, which is empty for the one in use. */
  readonly flavorFor: (connection: string) => FlavorName;
  /** The name of the connection in use; empty without any. */
  readonly usualConnection?: string;
  /** The names that no secret can have. */
  readonly reservedNames: readonly string[];
  /** Whether the file is a draft, which only the user can read. */
  readonly isDraft?: boolean;
}

/** More would hide each other. */
const mostFindings = 100;

/** The deployments of a file, one for each YAML document, with what is wrong with each. Never throws. */
export function readDeploymentFile(file: string, rules: FileRules): readonly FileDeployment[] {
  if (file.length > longestSpecText) {
    const message = l10n.t('This text is longer than 256 kB, which is too long for a deployment file.');
    return [unusable({ start: 0, text: '' }, [{ severity: 'error', path: [], message, start: 0, end: 0 }])];
  }
  const { usualConnection = '' } = rules;
  const seen = new Set<string>();
  const documents = documentsIn(file);
  const read = documents.slice(0, mostDeployments).map((document) => {
    const known = (name: string, connection: string): boolean => {
      const use = JSON.stringify([name, connection || usualConnection]);
      return seen.size === seen.add(use).size;
    };
    return readDeployment(document, { ...rules, isKnown: known });
  });
  const start = documents[mostDeployments]?.start;
  if (start === undefined) return read;
  const message = l10n.t('A file can have at most {0} deployments. Move the others to another file.', mostDeployments);
  const rest = { start, text: file.slice(start) };
  return [...read, unusable(rest, [{ severity: 'error', path: [], message, start, end: start }])];
}

/** More than a team keeps in one file. What follows them is one part, which can't be used. */
const mostDeployments = 100;

function unusable(part: TextPart, findings: readonly FileFinding[]): FileDeployment {
  return { ...part, name: '', connection: '', content: undefined, spec: undefined, readable: undefined, findings };
}

type TextPart = Pick<FileDeployment, 'start' | 'text'>;

/** The parts of a file with one YAML document each, divided as the YAML library divides them. */
export function partsIn(file: string): readonly TextPart[] {
  const starts = new Set([0]);
  let offset = 0;
  // Lines such as "%YAML 1.2" belong to the dashes after them. They aren't directives below the content of a document.
  let directives: number | undefined;
  let hasContent = false;
  for (const line of file.split('\n')) {
    const next = offset + line.length + 1;
    // At the start of a line, these marks divide documents even inside a text.
    if (isMark('---', line)) starts.add(directives ?? offset);
    if (isMark('...', line)) starts.add(next);
    if (line.startsWith('%') && !hasContent) directives ??= offset;
    else if (!isBlank(line)) [directives, hasContent] = [undefined, !isMark('...', line)];
    offset = next;
  }
  const inFile = [...starts].filter((start) => start === 0 || start < file.length);
  return inFile.map((start, place) => ({ start, text: file.slice(start, inFile[place + 1]) }));
}

function isMark(mark: '---' | '...', line: string): boolean {
  return line.startsWith(mark) && /^\s?$/.test(line.slice(3, 4));
}

function isBlank(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

/** The YAML documents of a file. One with nothing but comments counts only if there is no other. */
export function documentsIn(file: string): readonly TextPart[] {
  const parts = partsIn(file);
  const isFull = (line: string): boolean => !isBlank(isMark('---', line) || isMark('...', line) ? line.slice(3) : line);
  const full = parts.filter(({ text: part }) => part.split('\n').some(isFull));
  return full.length > 0 ? full : parts.slice(0, 1);
}

interface Problem extends Omit<FileFinding, 'start' | 'end'> {
  readonly at?: 'key';
}

interface DocumentRules extends FileRules {
  /** Whether a deployment before has the name on the connection. */
  readonly isKnown: (name: string, connection: string) => boolean;
}

function readDeployment({ start, text: part }: TextPart, rules: DocumentRules): FileDeployment {
  const parsed = parseSpecYaml(part);
  if (parsed.kind === 'unreadable') {
    const findings = parsed.findings.map((found) => ({
      ...found,
      path: [],
      start: start + found.start,
      end: start + found.end,
    }));
    return unusable({ start, text: part }, findings);
  }
  const content = parsed.value ?? {};
  const isUsable = isSpecMap(content) && (parsed.value === null || isMap(parsed.contents));
  const problems = isUsable
    ? problemsOf(content, rules)
    : [problem('error', [], l10n.t('A deployment file consists of lines such as "name: my-application".'))];
  const findings = problems.slice(0, mostFindings).map(({ at: side, ...found }) => {
    const [from, to] = rangeAt(part, parsed.contents, found.path, side ?? 'value');
    return { ...found, start: start + from, end: start + to };
  });
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  const readable = isUsable ? readableSpec(content, problems) : undefined;
  const spec = hasErrors ? undefined : readable;
  const [name, connection] = [textOf(content, 'name').trim(), textOf(content, 'connection').trim()];
  return { start, text: part, name, connection, content: isUsable ? content : undefined, spec, readable, findings };
}

/** Findings of a check at the values that they are about in the file; at the deployment's beginning if it lacks them. */
export function foundInFile(
  { start, text: part }: FileDeployment,
  findings: readonly Finding[],
): readonly FileFinding[] {
  const parsed = parseSpecYaml(part);
  const contents = parsed.kind === 'parsed' ? parsed.contents : undefined;
  return findings.map((found) => {
    const { severity, message } = found;
    const key = keyInFile(found);
    const path = key === '' ? [] : [key];
    const [from, to] = rangeAt(part, contents, path, 'value');
    return { severity, message, path, start: start + from, end: start + to };
  });
}

/** The fields that decide the source and the connection. */
const decisiveKeys = ['connection', 'source', 'repository', 'ref', 'config'];

function readableSpec(content: SpecMap, problems: readonly Problem[]): DeploymentSpec | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const wrong = new Set(errors.map(({ path: [key] }) => key));
  if (decisiveKeys.some((key) => wrong.has(key))) return undefined;
  // The name of another deployment is fine in itself.
  if (fieldProblem('name', textOf(content, 'name')) === undefined) wrong.delete('name');
  const rest = Object.entries(content).filter(([key]) => !wrong.has(key));
  return deploymentFileSchema.safeParse(Object.fromEntries(rest)).data;
}

function problem(severity: Problem['severity'], path: SpecPath, message: string, at?: 'key'): Problem {
  return { severity, path, message, ...(at && { at }) };
}

function problemsOf(
  content: SpecMap,
  { flavorFor, reservedNames, isKnown, isDraft }: DocumentRules,
): readonly Problem[] {
  const issues = deploymentFileSchema.safeParse(content).error?.issues ?? [];
  const spec = content['resources'];
  const flavor = flavorFor(textOf(content, 'connection').trim());
  return [
    ...missingFields(content, isDraft),
    ...sameNames(content, isKnown),
    ...issues.map((issue) => schemaProblem(content, issue)),
    ...(isSpecMap(spec) ? checkSpec(spec, flavor) : []).map(({ severity, path: to, at, message }) =>
      problem(severity, ['resources', ...to], message, at === 'key' ? at : undefined),
    ),
    ...secretProblems(content, reservedNames),
    ...unusedFields(content),
    ...advice(content, isDraft),
    ...unknownKeyProblems(content),
  ];
}

function sameNames(content: SpecMap, isKnown: DocumentRules['isKnown']): readonly Problem[] {
  const name = textOf(content, 'name').trim();
  if (name === '' || !isKnown(name, textOf(content, 'connection').trim())) return [];
  return [problem('error', ['name'], l10n.t('Another deployment in this file has the same name.'))];
}

function unknownKeyProblems(content: SpecMap): readonly Problem[] {
  const found: Problem[] = [];
  // The rules of resources and secrets say more.
  const { resources: _resources, secrets: _secrets, ...others } = content;
  for (const { path: at, key, meant } of unknownKeys(deploymentFileSchema, others)) {
    if (found.length === mostFindings) break;
    found.push({ ...problem('warning', at, asSentence(unknownKeyWords(key, meant)), 'key'), meant });
  }
  return found;
}

function schemaProblem(content: SpecMap, issue: z.core.$ZodIssue): Problem {
  const at = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const [key, name] = at;
  if (key === 'secrets' && name !== undefined) {
    return problem('error', at.slice(0, 2), secretWords(shortened(String(name)), valueAt(content, at.slice(0, 2))));
  }
  if (key === 'secrets') return problem('error', at, secretLinesWords());
  const words = issue.code === 'invalid_type' ? asSentence(typeWords(issue.expected)) : issue.message;
  if (issue.code === 'invalid_value') {
    return problem('error', at, l10n.t('This value is unknown. The known ones are {0}.', issue.values.join(', ')));
  }
  if (key === 'resources') return problem('error', at, resourceWords());
  if (key === 'secret_references' && at.length > 1) return problem('error', at, referenceWords());
  return problem('error', at, words);
}

const resourceWords = (): string =>
  l10n.t('Write keys such as "cpu: 1.5", or the path of a resource spec relative to this file.');

const secretLinesWords = (): string =>
  l10n.t(
    'Write a line such as "API_KEY: ask" for each secret: its name, and where its value comes from. The value itself is never in the file.',
  );

/** Says what is wrong with where a secret comes from. Anything that names no such place may be the value itself. */
function secretWords(name: string, origin: SpecValue | undefined): string {
  return isAbsent(origin) || (isSpecMap(origin) && 'env-file' in origin)
    ? l10n.t('Write where the value of {0} comes from: ask, stored, or env-file and a path.', name)
    : l10n.t(
        'Deployment files have no values of secrets, so that they can be shared. Write where {0} comes from: ask, stored, or env-file and a path.',
        name,
      );
}

function missingFields(content: SpecMap, isDraft = false): readonly Problem[] {
  const fields = fieldsOf({ source: sourceOf(content) });
  return textFields.flatMap((field) => {
    const { key, example, missing }: TextFieldFacts = draftFields[field];
    if (missing === undefined || !fields.includes(field) || !isAbsent(content[key])) return [];
    // The page of a draft has fields, not lines.
    const message = isDraft ? missing() : l10n.t('{0} Enter one, such as "{1}: {2}".', missing(), key, example());
    return problem('error', [key], message);
  });
}

function secretProblems(
  { secrets, secret_references: references }: SpecMap,
  reserved: readonly string[],
): readonly Problem[] {
  const own = new Set(isSpecMap(secrets) ? Object.keys(secrets) : []);
  const ofSecrets = [...own].flatMap((name) => {
    const message = secretNameProblem(name, reserved);
    return message === undefined ? [] : [problem('error', ['secrets', name], message, 'key')];
  });
  const before = new Set<string>();
  const ofReferences = (isSpecList(references) ? references : []).flatMap((row, index) => {
    const name = valueAt(row, ['name']);
    if (typeof name !== 'string') return [];
    const taken = { secrets: own.has(name) ? [name] : [], references: before.has(name) ? [name] : [] };
    before.add(name);
    const message = secretNameProblem(name, reserved, taken);
    return message === undefined ? [] : [problem('error', ['secret_references', index, 'name'], message)];
  });
  return [...ofSecrets, ...ofReferences];
}

/** The fields that the source doesn't have. */
function unusedFields(content: SpecMap): readonly Problem[] {
  const source = SOURCES.find((known) => known === (content['source'] ?? 'repohost'));
  if (source === undefined) return [];
  const ownKeys = new Set<string>(fieldsOf({ source }).map((name) => draftFields[name].key));
  return Object.values(draftFields)
    .filter(({ key }) => !ownKeys.has(key) && !isAbsent(content[key]))
    .map(({ key }) => {
      const message = l10n.t(
        '"{0}" isn\'t sent: the source "{1}" has no such field.',
        key,
        sourceFacts[source].title(),
      );
      return problem('warning', [key], message, 'key');
    });
}

/** What services usually refuse, and what may be a secret and can be read by everyone who can read the file. */
function advice(content: SpecMap, isDraft = false): readonly Problem[] {
  const usual = textFields.flatMap((name) => {
    const { key } = draftFields[name];
    const value = content[key];
    const isPossible = typeof value === 'string' && fieldProblem(name, value) === undefined;
    const message = isPossible ? fieldAdvice(name, value) : undefined;
    return message === undefined ? [] : [problem('warning', [key], message)];
  });
  const doubtful = guardedFields.flatMap((name) => {
    const { key } = draftFields[name];
    if (isAbsent(content[key]) || !mayBeSecret(name, content[key])) return [];
    const message = isDraft
      ? l10n.t('This may contain a secret. Only you can read the draft.')
      : l10n.t('This may contain a secret, and everyone who can read this file can read it.');
    return [problem('warning', [key], message)];
  });
  return [...usual, ...doubtful];
}
