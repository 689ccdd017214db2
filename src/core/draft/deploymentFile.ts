import * as l10n from '@vscode/l10n';
import { isMap } from 'yaml';
import * as z from 'zod/mini';
import type { FlavorName } from '../../api/flavor.ts';
import { secretsIn } from '../../api/redaction/hideValues.ts';
import { DEPLOYMENT_TYPES, SOURCES } from '../../api/schema/enums.ts';
import { checkSpec } from '../spec/rules.ts';
import { longestSpecText, parseSpecYaml, type RangeFinding } from '../yaml/document.ts';
import { helpOfFields, typeWords, unknownKeys, unknownKeyWords } from '../yaml/help.ts';
import { rangeAt } from '../yaml/placement.ts';
import { isSpecMap, valueAt } from '../yaml/value.ts';
import type { SpecMap, SpecPath, SpecValue } from '../yaml/value.ts';
import { secretNameProblem } from './fieldProblem.ts';
import { draftFields, fieldAdvice, fieldProblem, guardedFields, type DraftField, type TextField } from './fields.ts';
import { sourceFacts } from './sources.ts';

/** Null equals absent. */
function optional<Schema extends z.ZodMiniType>(schema: Schema): z.ZodMiniOptional<z.ZodMiniNullable<Schema>> {
  return z.optional(z.nullable(schema));
}

function field<Schema extends z.ZodMiniType>(
  name: DraftField,
  schema: Schema,
  values?: readonly (string | boolean)[],
): z.ZodMiniOptional<z.ZodMiniNullable<Schema>> {
  const named = optional(schema);
  helpOfFields.add(named, { help: draftFields[name].help, ...(values && { values }) });
  return named;
}

function typed(name: TextField) {
  const problemOf = ({ input }: { readonly input?: unknown }): string => fieldProblem(name, String(input)) ?? '';
  return field(
    name,
    z.string().check(z.refine((text) => fieldProblem(name, text) === undefined, { error: problemOf })),
  );
}

const pathWords = (): string => l10n.t('Enter a path relative to this file, with forward slashes and the file name.');
const isPath = (text: string): boolean => text !== '' && !/^[a-z]:|^\/|\\|\p{Cc}|\/$/iu.test(text);
const path = z.string().check(z.refine(isPath, { error: pathWords }));

const secretOrigin = z.union([z.enum(['ask', 'stored']), z.strictObject({ 'env-file': path })]);

/** Where the value of a secret comes from: a question, this machine's encrypted storage, or a dotenv file. */
export type SecretOrigin = z.infer<typeof secretOrigin>;

const text = z.string();

/** One deployment of a deployment file: everything that a create request takes, except the values of secrets. */
export const deploymentFileSchema = z.looseObject({
  name: typed('name'),
  connection: optional(text).register(helpOfFields, {
    help: () => l10n.t('The name of the connection to deploy to. The current one if it is left out.'),
  }),
  source: field('source', z.enum(SOURCES), SOURCES),
  repository: typed('repositoryUrl'),
  integration: typed('integrationId'),
  ref: typed('ref'),
  config: optional(path).register(helpOfFields, {
    help: () => l10n.t('The path of the application config file, relative to this file.'),
  }),
  image: typed('imageUri'),
  upload: typed('tarballPath'),
  type: field('deploymentType', text, DEPLOYMENT_TYPES),
  build_on_push: field('buildOnPush', z.boolean(), [true, false]),
  custom_url: typed('customUrl'),
  listener: field('listener', text),
  namespace: field('kubernetesNamespace', text),
  install_command: typed('installCommand'),
  build_command: typed('buildCommand'),
  resources: optional(z.union([path, z.record(text, z.unknown())])).register(helpOfFields, {
    help: () => l10n.t('CPU, memory, replicas and more, or the path of a resource spec relative to this file.'),
  }),
  secrets: optional(z.record(text, secretOrigin)).register(helpOfFields, {
    help: () => l10n.t('Names of secrets, each with where its value comes from: ask, stored, or env-file and a path.'),
  }),
  secret_references: field(
    'secretReferences',
    z.array(
      z.strictObject({
        name: text.register(helpOfFields, { help: () => l10n.t('The name of the environment variable.') }),
        secret: text.register(helpOfFields, { help: () => l10n.t('The name of the Kubernetes secret.') }),
        key: text.register(helpOfFields, { help: () => l10n.t('The key in the Kubernetes secret.') }),
      }),
    ),
  ),
});

export type DeploymentSpec = z.infer<typeof deploymentFileSchema>;

/** A finding about a part of a deployment file. Never quotes what may be secret. */
export interface FileFinding extends RangeFinding {
  readonly severity: 'error' | 'warning' | 'info';
  /** The names that an unknown key may have been meant to have. */
  readonly meant?: readonly string[];
}

/** One deployment of a file, with its place in the text. */
export interface FileDeployment {
  readonly start: number;
  readonly text: string;
  /** Empty if it has none. */
  readonly name: string;
  /** Undefined if the deployment has errors. */
  readonly spec: DeploymentSpec | undefined;
  readonly findings: readonly FileFinding[];
}

/** What findings depend on besides the text. */
interface FileRules {
  readonly flavor: FlavorName;
  /** The names that no secret can have. */
  readonly reservedNames: readonly string[];
}

/** More would hide each other. */
const mostFindings = 100;

/** The deployments of a file, one for each YAML document, with what is wrong with each. Never throws. */
export function readDeploymentFile(file: string, rules: FileRules): readonly FileDeployment[] {
  if (file.length > longestSpecText) {
    const message = l10n.t('This text is longer than 256 kB, which is too long for a deployment file.');
    return [
      { start: 0, text: '', name: '', spec: undefined, findings: [{ severity: 'error', message, start: 0, end: 0 }] },
    ];
  }
  const names = new Set<string>();
  return documentsIn(file).map((document) => {
    const deployment = readDeployment(document, rules);
    if (!names.has(deployment.name)) {
      names.add(deployment.name);
      return deployment;
    }
    const message = l10n.t('Another deployment in this file has the same name.');
    const [start, end] = [document.start, document.start + 1];
    return {
      ...deployment,
      spec: undefined,
      findings: [...deployment.findings, { severity: 'error', message, start, end }],
    };
  });
}

type TextPart = Pick<FileDeployment, 'start' | 'text'>;

/** The YAML documents of a file. One with nothing but comments counts only if there is no other. */
export function documentsIn(file: string): readonly TextPart[] {
  // At the start of a line, these dashes divide documents even inside a text.
  const starts = [0, ...[...file.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index)];
  const parts = starts.map((start, place) => ({ start, text: file.slice(start, starts[place + 1]) }));
  const full = parts.filter(({ text: part }) => part.split('\n').some((line) => !/^(?:---)?\s*(?:#|$)/.test(line)));
  return full.length > 0 ? full : parts.slice(0, 1);
}

interface Problem extends Omit<FileFinding, 'start' | 'end'> {
  readonly path: SpecPath;
  readonly at?: 'key';
}

function readDeployment({ start, text: part }: TextPart, rules: FileRules): FileDeployment {
  const parsed = parseSpecYaml(part);
  if (parsed.kind === 'unreadable') {
    const findings = parsed.findings.map((found) => ({ ...found, start: start + found.start, end: start + found.end }));
    return { start, text: part, name: '', spec: undefined, findings };
  }
  const content = parsed.value ?? {};
  const isUsable = isSpecMap(content) && (parsed.value === null || isMap(parsed.contents));
  const problems = isUsable
    ? problemsOf(content, rules)
    : [problem('error', [], l10n.t('A deployment file consists of lines such as "name: my-application".'))];
  const findings = problems.slice(0, mostFindings).map(({ path: at, at: side, ...found }) => {
    const [from, to] = rangeAt(part, parsed.contents, at, side ?? 'value');
    return { ...found, start: start + from, end: start + to };
  });
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  const spec = hasErrors ? undefined : deploymentFileSchema.safeParse(content).data;
  const name = valueAt(content, ['name']);
  return { start, text: part, name: typeof name === 'string' ? name.trim() : '', spec, findings };
}

function problem(severity: Problem['severity'], path: SpecPath, message: string, at?: 'key'): Problem {
  return { severity, path, message, ...(at && { at }) };
}

function problemsOf(content: SpecMap, { flavor, reservedNames }: FileRules): readonly Problem[] {
  const issues = deploymentFileSchema.safeParse(content).error?.issues ?? [];
  const spec = content['resources'];
  return [
    ...missingFields(content),
    ...issues.map((issue) => schemaProblem(content, issue)),
    ...(isSpecMap(spec) ? checkSpec(spec, flavor) : []).map(({ severity, path: at, message }) =>
      problem(severity, ['resources', ...at], message),
    ),
    ...secretProblems(content, reservedNames),
    ...unusedFields(content),
    ...advice(content),
    ...[...unknownKeys(deploymentFileSchema, content)]
      .filter(({ path: [first] }) => first !== 'resources' && first !== 'secrets')
      .map(({ path: at, key, meant }) => ({
        ...problem('warning', at, sentence(unknownKeyWords(key, meant)), 'key'),
        meant,
      })),
  ];
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?]$/.test(words) ? '' : '.'}`;
}

function schemaProblem(content: SpecMap, issue: z.core.$ZodIssue): Problem {
  const at = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const [key, name] = at;
  if (key === 'secrets' && name !== undefined)
    return problem('error', at.slice(0, 2), secretWords(valueAt(content, at.slice(0, 2))));
  const words = issue.code === 'invalid_type' ? sentence(typeWords(issue.expected)) : issue.message;
  if (issue.code === 'invalid_value') {
    return problem('error', at, l10n.t('This value is unknown. The known ones are {0}.', issue.values.join(', ')));
  }
  if (issue.code === 'unrecognized_keys' || issue.code === 'invalid_union') {
    const isResources = key === 'resources';
    return problem('error', at, isResources ? pathWords() : l10n.t('Write name, secret and key, and nothing else.'));
  }
  return problem('error', at, words);
}

/** What is wrong with where a secret comes from. Text that is no origin is taken for the value itself. */
function secretWords(origin: SpecValue | undefined): string {
  return isSpecMap(origin) || isAbsent(origin)
    ? l10n.t('Write where the value comes from: ask, stored, or env-file and a path.')
    : l10n.t(
        "A secret's value doesn't belong in a file that others can read. Write ask, stored, or env-file and a path.",
      );
}

function missingFields(content: SpecMap): readonly Problem[] {
  const missing = [
    ...(isAbsent(content['name']) ? [l10n.t('The name is missing. Add a line such as "name: my-application".')] : []),
    ...(isImage(content) && isAbsent(content['image'])
      ? [l10n.t('The image is missing. Add a line such as "image: registry.example/acme/agent:1.0".')]
      : []),
  ];
  return missing.map((message) => problem('error', [], message));
}

function isAbsent(value: SpecValue | undefined): boolean {
  return value === undefined || value === null;
}

function isImage({ source }: SpecMap): boolean {
  return source === 'external_docker' || source === 'internal_docker';
}

function secretProblems(
  { secrets, secret_references: references }: SpecMap,
  reserved: readonly string[],
): readonly Problem[] {
  const own = isSpecMap(secrets) ? Object.keys(secrets) : [];
  const referenced = Array.isArray(references) ? references.map((row: SpecValue) => valueAt(row, ['name'])) : [];
  const ofSecrets = own.flatMap((name) => {
    const message = secretNameProblem(name, reserved);
    return message === undefined ? [] : [problem('error', ['secrets', name], message, 'key')];
  });
  const ofReferences = referenced.flatMap((name, index) => {
    if (typeof name !== 'string') return [];
    const others = referenced.slice(0, index).filter((other) => typeof other === 'string');
    const message = secretNameProblem(name, reserved, { secrets: own, references: others });
    return message === undefined ? [] : [problem('error', ['secret_references', index, 'name'], message)];
  });
  return [...ofSecrets, ...ofReferences];
}

/** The fields that the source doesn't have. */
function unusedFields(content: SpecMap): readonly Problem[] {
  const source = SOURCES.find((known) => known === (content['source'] ?? 'repohost'));
  if (source === undefined) return [];
  const own: readonly DraftField[] = sourceFacts[source].fields;
  const ownKeys = new Set<string>(own.map((name) => draftFields[name].key));
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
function advice(content: SpecMap): readonly Problem[] {
  const usual = (['name', 'imageUri'] as const).flatMap((name) => {
    const { key } = draftFields[name];
    const value = content[key];
    const message = typeof value === 'string' ? fieldAdvice(name, value) : undefined;
    return message === undefined ? [] : [problem('warning', [key], message)];
  });
  const doubtful = guardedFields.flatMap((name) => {
    const { key, path: wirePath } = draftFields[name];
    const wireName = wirePath.split('.').at(-1) ?? key;
    if (isAbsent(content[key]) || secretsIn({ [wireName]: content[key] }).length === 0) return [];
    const message = l10n.t('This may contain a secret, and everyone who can read this file can read it.');
    return [problem('warning', [key], message)];
  });
  return [...usual, ...doubtful];
}
