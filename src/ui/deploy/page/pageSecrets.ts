import * as vscode from 'vscode';
import { secretNameProblem } from '../../../core/draft/fieldProblem.ts';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { originOf, secretCount } from '../../../core/draft/draftLines.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { isSpecMap, valueAt, type SpecValue } from '../../../core/yaml/value.ts';
import { remember, stopRemembering } from '../../../state/deploying/draftSecrets.ts';
import { connectionNameOf } from '../../../state/connections/session.ts';
import { secretPlace } from '../../../state/deploying/storedSecrets.ts';
import { namesOfTyped, typedKey, TypedSecrets } from '../../../state/deploying/typedSecrets.ts';
import type { Services } from '../../services.ts';
import { relativePath } from '../../window/files.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { askChoice, askText } from '../../window/steps.ts';
import { outsideFolder, rootOf } from '../file/namedFiles.ts';
import { pathFrom } from '../file/saveFile.ts';
import type { DeploymentPlan } from '../plan.ts';
import { importClipboard, importFile } from '../secrets/importSecrets.ts';
import { askSecretValue } from '../secrets/secretValues.ts';
import type { PageSubject } from './pageContext.ts';
import type { PageButton, PageTable } from './protocol.ts';

/** The secrets that were typed for a file. */
export function typedFor({ deploymentPages, clock }: Pick<Services, 'deploymentPages' | 'clock'>, file: vscode.Uri) {
  const key = file.toString();
  const typed = deploymentPages.typed.get(key) ?? new TypedSecrets(clock);
  deploymentPages.typed.set(key, typed);
  return typed;
}

/**
 * Forgets what was typed for a deployment that is made, also under names and connections that it had before.
 * @param sent the values when it was sent; what was typed since stays
 * @param others the names of the file's other deployments
 */
export function forgetTyped(
  typed: TypedSecrets,
  sent: ReadonlyMap<string, string>,
  made: { readonly deployment: string; readonly connection: string },
  others: ReadonlySet<string>,
): void {
  for (const [key, value] of sent) {
    const { deployment, connection } = namesOfTyped(key);
    const isMade = deployment === made.deployment && connection === made.connection;
    if (typed.get(key) === value && (isMade || !others.has(deployment))) typed.delete(key);
  }
}

/** Keeps what was typed for a deployment also under another name of it. */
export function renameTyped(typed: TypedSecrets, connection: string, from: string, to: string): void {
  for (const key of typed.values.keys()) {
    const { deployment, connection: place, secret } = namesOfTyped(key);
    if (deployment === from && place === connection) typed.copy(key, typedKey(to, connection, secret));
  }
}

/** The name of the connection that a deployment is for; empty without any. */
export function connectionOf(
  { connection }: Pick<FileDeployment, 'connection'>,
  { session }: Pick<Services['connections'], 'session'>,
): string {
  return connection || connectionNameOf(session);
}

/** What the table of secrets works with. */
interface SecretsContext extends Omit<PageSubject, 'set'> {
  /** Undefined while it can't be made. */
  readonly plan: DeploymentPlan | undefined;
  /** Whether the deployment is as it was sent. */
  readonly isDone: boolean;
  /** Sets the origins of secrets of the deployment in the file, or removes the secrets. */
  readonly set: (origins: readonly (readonly [name: string, origin: SpecValue | undefined])[]) => Promise<void>;
}

/** The table of secrets: names, where values come from and whether they are there. Values are never in it. */
export function secretsTable(context: SecretsContext): PageTable {
  const { services, begun, deployment, plan, typed, button } = context;
  const kept = keptWords(context);
  // Everything in a file is of its author.
  const begunFrom = plan === undefined || begun === undefined ? '' : originOf(plan.draft, 'secrets');
  const connection = connectionOf(deployment, services.connections);
  const secrets = deployment.content?.['secrets'];
  const names = isSpecMap(secrets) ? Object.keys(secrets) : [];
  const rows = names.map((name) => {
    const isTyped = typed.get(typedKey(deployment.name, connection, name)) !== undefined;
    const { value, isStored } = plan?.draft.secrets.find((secret) => secret.name === name) ?? {};
    const isSet = isTyped || value !== undefined;
    const origin = valueAt(secrets, [name]);
    // The plan may be older than the text.
    const isHere = isTyped && !(isStored === true && origin === 'stored');
    return {
      name,
      from: isHere ? vscode.l10n.t('this window') : originWords(origin),
      state: isSet ? vscode.l10n.t('set') : (kept ?? vscode.l10n.t('missing')),
      isMissing: !isSet && kept === undefined,
      buttons: [
        button(`secret/${name}/set`, vscode.l10n.t('Set Value…'), () => setValue(context, name)),
        button(`secret/${name}/origin`, vscode.l10n.t('Where From…'), () => chooseOrigin(context, name)),
        button(`secret/${name}/remove`, vscode.l10n.t('Remove'), () => context.set([[name, undefined]])),
      ],
    };
  });
  return {
    id: draftFields.secrets.key,
    title: draftFields.secrets.label(),
    summary: [secretCount(names.length), ...(names.length === 0 || begunFrom === '' ? [] : [begunFrom])].join(' · '),
    rows,
    buttons: [
      button('secret/add', vscode.l10n.t('Add Secret…'), () => addSecret(context, names)),
      ...(plan === undefined ? [] : importButtons(context, plan)),
    ],
  };
}

/** What is said of values that the service has; undefined if it lacks some. */
function keptWords({ checked, isDone }: SecretsContext): string | undefined {
  const isSame = checked?.update?.change.differences.every(({ field }) => field !== 'secrets') === true;
  if (isSame) return vscode.l10n.t('unchanged');
  return isDone ? vscode.l10n.t('sent') : undefined;
}

function importButtons(context: SecretsContext, plan: DeploymentPlan): readonly PageButton[] {
  const { button } = context;
  return [
    button('secret/file', vscode.l10n.t('Import from .env File…'), () => addImported(context, plan, importFile)),
    button('secret/clipboard', vscode.l10n.t('Import from Clipboard'), () =>
      addImported(context, plan, importClipboard),
    ),
  ];
}

/** Adds the names of what is imported to the file. The values stay in this window, as those that are typed. */
async function addImported(
  { deployment, checked, keep, set }: SecretsContext,
  plan: DeploymentPlan,
  importing: typeof importFile,
): Promise<string> {
  const { variables, findings } = await importing(plan, checked?.folder?.place.folder);
  for (const { name, value } of variables) keep(name, value);
  const present = deployment.content?.['secrets'];
  const added = variables.filter(({ name }) => !isSpecMap(present) || !Object.hasOwn(present, name));
  await set(added.map(({ name }) => [name, 'ask']));
  return findings.join('\n');
}

function originWords(origin: SpecValue | undefined): string {
  if (origin === 'stored') return vscode.l10n.t('this machine');
  if (origin === 'ask') return vscode.l10n.t('asked for');
  const file = valueAt(origin, ['env-file']);
  return typeof file === 'string' ? file : vscode.l10n.t('to be corrected');
}

/** Asks for a value, masked. It stays in this window, or on this machine if the file says that it is stored. */
async function setValue(context: SecretsContext, name: string): Promise<string> {
  const { deployment, plan: asking, keep } = context;
  const isStored = valueAt(deployment.content, ['secrets', name]) === 'stored';
  const prompt = vscode.l10n.t('Stored on this machine, because the file says so, and sent with the deployment.');
  const value = await askSecretValue(name, isStored ? { prompt, asking } : { asking });
  if (typeof value !== 'string') return '';
  keep(name, value);
  return isStored ? changeStorage(remember, context, name, value) : '';
}

/** Stores a value on this machine, or deletes it there. Gives words about a failure, or an empty text. */
async function changeStorage(
  change: typeof remember,
  { services, plan }: SecretsContext,
  name: string,
  value: string,
): Promise<string> {
  const place = plan && secretPlace(plan.session.connection, plan.draft);
  if (place === undefined) return '';
  const findings = await change(services.secrets, { place, name }, value);
  return findings.join(' ');
}

async function addSecret(context: SecretsContext, names: readonly string[]): Promise<string> {
  const references = context.deployment.readable?.secret_references?.map(({ name }) => name) ?? [];
  const name = await askText({
    title: vscode.l10n.t('Add Secret'),
    prompt: vscode.l10n.t('The name of the environment variable. Its value is asked for next.'),
    placeholder: 'API_TOKEN',
    asking: context.plan,
    isUsed: true,
    problemOf: (text) => secretNameProblem(text.trim(), reservedSecretNames(), { secrets: names, references }),
  });
  if (typeof name !== 'string') return '';
  await context.set([[name.trim(), 'ask']]);
  return setValue(context, name.trim());
}

/** Asks where the value of a secret comes from. One that was typed is stored if it comes from this machine. */
async function chooseOrigin(context: SecretsContext, name: string): Promise<string> {
  const { services, deployment, plan, typed, keep, set } = context;
  const present = valueAt(deployment.content, ['secrets', name]);
  const ask = { label: vscode.l10n.t('Asked For'), description: 'ask', origin: 'ask' as const };
  const stored = { label: vscode.l10n.t('Stored on This Machine'), description: 'stored', origin: 'stored' as const };
  const dotenv = { label: vscode.l10n.t('A .env File…'), description: 'env-file', origin: undefined };
  const forget = {
    label: vscode.l10n.t('Stop Remembering'),
    description: vscode.l10n.t('ask, and delete the value stored on this machine'),
    origin: 'ask' as const,
  };
  // The folder of a draft without a repository or an upload has no file of the user.
  const hasFiles = vscode.workspace.isTrusted && !services.deploymentPages.isDraft(context.file);
  const items = [ask, stored, ...(hasFiles ? [dotenv] : []), ...(present === 'stored' ? [forget] : [])];
  const choice = await askChoice({
    title: vscode.l10n.t('Where {0} Comes From', withoutIcons(name)),
    placeholder: vscode.l10n.t('The value itself is never written into the file or the draft'),
    items,
    active: isSpecMap(present) ? dotenv : items.find(({ origin }) => origin === present),
  });
  if (choice === undefined) return '';
  const origin = choice.origin ?? (await chooseDotenv(context));
  if (origin === undefined) return '';
  await set([[name, origin]]);
  const value = typed.get(typedKey(deployment.name, connectionOf(deployment, services.connections), name));
  if (choice === stored) return value === undefined ? '' : changeStorage(remember, context, name, value);
  const kept = value ?? plan?.draft.secrets.find((secret) => secret.name === name)?.value;
  if (choice !== forget || kept === undefined) return '';
  keep(name, kept);
  return changeStorage(stopRemembering, context, name, kept);
}

async function chooseDotenv(context: SecretsContext): Promise<SpecValue | undefined> {
  const { file } = context;
  const root = rootOf(context);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Values From'),
      openLabel: vscode.l10n.t('Choose'),
      defaultUri: vscode.Uri.joinPath(file, '..'),
    })) ?? [];
  if (chosen === undefined) return undefined;
  const place = root && relativePath(root, chosen);
  const own = root && relativePath(root, file);
  if (place === undefined || own === undefined) throw outsideFolder();
  return { 'env-file': pathFrom(own, place) };
}
