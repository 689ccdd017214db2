import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { longestPath } from '../appConfig/paths.ts';
import { helpOfFields, optional } from '../yaml/help.ts';
import {
  draftFields,
  fieldProblem,
  isTextField,
  plainFields,
  type DraftField,
  type FieldFacts,
  type PlainField,
  type TextField,
  type TextFieldFacts,
} from './fields.ts';
import { isSwitch } from './fieldValues.ts';

function field<Schema extends z.ZodMiniType>(
  name: DraftField,
  schema: Schema,
): z.ZodMiniOptional<z.ZodMiniNullable<Schema>> {
  const named = optional(schema);
  const { help, fileHelp = help, choices: values }: FieldFacts = draftFields[name];
  helpOfFields.add(named, { help: fileHelp, ...(values && { values }) });
  return named;
}

function typed(name: TextField) {
  const { isOptional = false }: TextFieldFacts = draftFields[name];
  const isFine = (value: string): boolean =>
    (isOptional && value.trim() === '') || fieldProblem(name, value) === undefined;
  const problemOf = ({ input }: { readonly input?: unknown }): string => fieldProblem(name, String(input)) ?? '';
  return field(name, z.string().check(z.refine(isFine, { error: problemOf })));
}

const pathWords = (): string => l10n.t('Enter a relative path with forward slashes and the file name.');
const isPath = (text: string): boolean =>
  text !== '' && text.length <= longestPath && !/^[a-z]:|^\/|\\|\p{Cc}|\/$/iu.test(text);
const path = z.string().check(z.refine(isPath, { error: pathWords }));

export const secretOrigin = z
  .union([z.enum(['ask', 'stored']), z.strictObject({ 'env-file': path })])
  .register(helpOfFields, {
    help: () => l10n.t('Where the value comes from: ask, stored, or env-file and a path.'),
    values: ['ask', 'stored'],
  });

/** Where the value of a secret comes from: a question, this machine's encrypted storage, or a dotenv file. */
export type SecretOrigin = z.infer<typeof secretOrigin>;

const text = z.string();

function plain(name: PlainField) {
  if (isSwitch(name)) return field(name, z.boolean());
  return isTextField(name) ? typed(name) : field(name, text);
}

function part(help: () => string) {
  const schema = z.string().check(z.refine((value) => value.trim() !== '', { error: referenceWords }));
  helpOfFields.add(schema, { help });
  return schema;
}

export const referenceWords = (): string => l10n.t('Write name, secret and key of each reference, and nothing else.');

/** One deployment of a deployment file: everything that a create request takes, except the values of secrets. */
export const deploymentFileSchema = z.looseObject({
  name: typed('name'),
  connection: optional(text).register(helpOfFields, {
    help: () => l10n.t('The name of the connection to deploy to. The current one if it is left out.'),
  }),
  source: field('source', z.enum(draftFields.source.choices)),
  repository: typed('repositoryUrl'),
  integration: typed('integrationId'),
  ref: typed('ref'),
  config: field('configPath', path),
  ...Object.fromEntries(plainFields.map((name) => [draftFields[name].key, plain(name)])),
  listener: field('listener', text),
  namespace: field('kubernetesNamespace', text),
  resources: field('resourceSpec', z.union([path, z.record(text, z.unknown())])),
  secrets: field('secrets', z.record(text, secretOrigin)),
  secret_references: field(
    'secretReferences',
    z.array(
      z.strictObject({
        name: part(() => l10n.t('The name of the environment variable.')),
        secret: part(() => l10n.t('The name of the Kubernetes secret.')),
        key: part(() => l10n.t('The key in the Kubernetes secret.')),
      }),
    ),
  ),
});

export type DeploymentSpec = z.infer<typeof deploymentFileSchema>;
