import * as vscode from 'vscode';
import type { DraftSecret, ExternalImageDraft, SecretReference } from '../../../core/draft/draft.ts';
import { secretCount, referenceCount } from '../../../core/draft/reviewLines.ts';
import { secretNameProblem } from '../../../core/draft/fieldProblem.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { SecretStore } from '../../../state/connections/storedKeys.ts';
import { changeStored, remember, stopRemembering } from '../../../state/deploying/draftSecrets.ts';
import { secretPlace, type SecretPlace } from '../../../state/deploying/storedSecrets.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import {
  askChoice,
  askText,
  back,
  changeEntry,
  messageRows,
  runSteps,
  type Asking,
  type Step,
} from '../../window/steps.ts';
import type { DeploymentPlan } from '../plan.ts';
import { importClipboard, importFile, importRules } from './importSecrets.ts';
import { askMissingValues, askSecretValue } from './secretValues.ts';

interface Edited {
  readonly secrets: readonly DraftSecret[];
  /** Findings about the last action, for the user. They never contain a value. */
  readonly findings: readonly string[];
  /** The name of the secret that was edited, which the list returns to. */
  readonly active?: string;
}

interface SecretItem extends vscode.QuickPickItem {
  readonly secret?: DraftSecret;
  /** Runs the selected action; without it, the user is done. */
  readonly run?: () => Promise<Edited>;
  /** Runs the action of the button in the row. */
  readonly press?: () => Promise<Edited>;
}

/** What the actions of the list work with. */
interface Editing {
  readonly plan: DeploymentPlan;
  readonly store: SecretStore;
  /** Where secrets can be stored; undefined while the draft has no application. */
  readonly place: SecretPlace | undefined;
}

/**
 * Edits the secrets of a draft. Names are shown, values never.
 * Values are typed masked or imported, kept only in the draft, and sent with the create request. The ones that the user
 * wants to be remembered are stored on this machine.
 */
export async function editSecrets(
  store: SecretStore,
  plan: DeploymentPlan,
  keep: (secrets: readonly DraftSecret[]) => void,
): Promise<void> {
  const place = secretPlace(plan.session.connection, plan.draft);
  const editing: Editing = { plan, store, place };
  let edited: Edited = { secrets: plan.draft.secrets, findings: [] };
  for (;;) {
    const { active } = edited;
    const items = itemsOf(editing, edited);
    const choice = await askChoice<SecretItem>({
      review: plan,
      title: vscode.l10n.t('Secrets'),
      placeholder: vscode.l10n.t('Sent with the deployment. Values are never shown, and discarded unless remembered'),
      items,
      active: active === undefined ? undefined : items.find(({ secret }) => secret?.name === active),
      pressed: ({ label, press }) => ({ label, ...(press === undefined ? {} : { run: press }) }),
    });
    if (choice === undefined || choice.run === undefined) return;
    edited = await choice.run();
    keep(edited.secrets);
    plan.typed?.clear();
  }
}

function itemsOf(editing: Editing, edited: Edited): SecretItem[] {
  const { plan } = editing;
  const { secrets } = edited;
  const without = (changed: readonly DraftSecret[]): Edited => ({ secrets: changed, findings: [] });
  return [
    { label: vscode.l10n.t('$(check) Done'), description: secretCount(secrets.length) },
    ...findingItems(edited, edited.findings),
    ...importFindingItems(plan, edited),
    ...missingItems(secrets, async () => {
      await askMissingValues(plan);
      return without(plan.draft.secrets);
    }),
    {
      label: vscode.l10n.t('$(add) Add Secret…'),
      run: async () => without(await addSecret(plan, secrets)),
    },
    {
      label: vscode.l10n.t('$(file-symlink-file) Import from .env File…'),
      run: async () => without(await importFile(plan, secrets)),
    },
    {
      label: vscode.l10n.t('$(clippy) Import from Clipboard'),
      description: vscode.l10n.t('lines such as NAME=value'),
      run: async () => without(await importClipboard(plan, secrets)),
    },
    ...secrets.map((secret) => secretItem(editing, secrets, secret)),
  ];
}

function secretItem(editing: Editing, secrets: readonly DraftSecret[], secret: DraftSecret): SecretItem {
  const memory = memoryAction(editing, secrets, secret);
  return {
    secret,
    label: `$(key) ${withoutIcons(secret.name)}`,
    description: valueWords(secret),
    run: () => changeSecret(editing, secrets, secret),
    ...(memory === undefined ? {} : { buttons: [memory.button], press: memory.run }),
  };
}

/** What the user can do about keeping a secret on this machine. */
interface MemoryAction {
  readonly button: vscode.QuickInputButton & { readonly tooltip: string };
  readonly label: string;
  readonly run: () => Promise<Edited>;
}

/** Undefined for a secret without a value, and while there is nothing to store it under. */
function memoryAction(
  { store, place }: Editing,
  secrets: readonly DraftSecret[],
  secret: DraftSecret,
): MemoryAction | undefined {
  const { name, value, isStored } = secret;
  if (place === undefined || value === undefined) return undefined;
  const stored = { place, name };
  const edited = ({ secret: changed, findings }: Awaited<ReturnType<typeof remember>>): Edited => ({
    secrets: secrets.map((other) => (other === secret ? changed : other)),
    findings,
    active: name,
  });
  const [icon, tooltip, act] = isStored
    ? (['pinned', vscode.l10n.t('Stop Remembering'), stopRemembering] as const)
    : (['pin', vscode.l10n.t('Remember on This Machine'), remember] as const);
  return {
    button: { iconPath: new vscode.ThemeIcon(icon), tooltip },
    label: `$(${icon}) ${tooltip}`,
    run: async () => edited(await act(store, stored, value)),
  };
}

/** Offers to enter the values that are missing, one after the other. */
function missingItems(secrets: readonly DraftSecret[], run: () => Promise<Edited>): SecretItem[] {
  const missing = secrets.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (missing.length < 2) return [];
  return [{ label: vscode.l10n.t('Enter Missing Values…'), description: withoutIcons(missing.join(', ')), run }];
}

/** Rows of findings; selecting one changes nothing. */
function findingItems(edited: Edited, findings: readonly string[]): SecretItem[] {
  const rows = findings.flatMap((message) => messageRows(message, 'warning'));
  return rows.map(({ label }) => ({ label, run: async () => edited }));
}

/** The findings about imports, which the review of a folder shows too until they are dismissed here. */
function importFindingItems(plan: DeploymentPlan, edited: Edited): SecretItem[] {
  const { importFindings = [] } = plan;
  if (importFindings.length === 0) return [];
  return [
    ...findingItems(
      edited,
      importFindings.map(({ message }) => message),
    ),
    {
      label: importFindings.length === 1 ? vscode.l10n.t('Dismiss Problem') : vscode.l10n.t('Dismiss Problems'),
      run: async () => {
        plan.importFindings = [];
        return edited;
      },
    },
  ];
}

function valueWords({ value, isStored }: DraftSecret): string {
  if (value === undefined) return vscode.l10n.t('value missing');
  return isStored ? vscode.l10n.t('stored') : '••••••••';
}

async function addSecret(plan: DeploymentPlan, secrets: readonly DraftSecret[]): Promise<readonly DraftSecret[]> {
  const { reservedNames, references } = importRules(plan.draft);
  const taken = { secrets: secrets.map(({ name }) => name), references };
  for (let typed = ''; ;) {
    const name = await askText({
      review: plan,
      title: vscode.l10n.t('Add Secret'),
      prompt: vscode.l10n.t('The name of the environment variable that the application reads.'),
      placeholder: 'OPENAI_API_KEY',
      value: typed,
      step: 1,
      totalSteps: 2,
      problemOf: (text) => secretNameProblem(text.trim(), reservedNames, taken),
    });
    if (name === undefined || name === back) return secrets;
    typed = name;
    const value = await askSecretValue(name.trim(), { step: 2, totalSteps: 2, review: plan });
    if (value !== back) return value === undefined ? secrets : [...secrets, { name: name.trim(), value }];
  }
}

async function changeSecret(editing: Editing, secrets: readonly DraftSecret[], secret: DraftSecret): Promise<Edited> {
  const { plan, store, place } = editing;
  const { name, value, isStored } = secret;
  const unchanged: Edited = { secrets, findings: [], active: name };
  const change = {
    label: value === undefined ? vscode.l10n.t('$(edit) Enter Value…') : vscode.l10n.t('$(edit) Change Value…'),
  };
  const memory = memoryAction(editing, secrets, secret);
  const remove = {
    label: vscode.l10n.t('$(trash) Remove'),
    ...(isStored && { description: vscode.l10n.t('from this deployment; stays stored') }),
  };
  const items = [change, ...(memory === undefined ? [] : [memory]), remove];
  const choice = await askChoice<vscode.QuickPickItem>({ review: plan, title: name, placeholder: '', items });
  if (choice === remove) return { secrets: secrets.filter((other) => other !== secret), findings: [] };
  if (choice === memory && memory !== undefined) return memory.run();
  if (choice !== change) return unchanged;
  const isRemembered = isStored && place !== undefined;
  const replaced = vscode.l10n.t('Sent with the deployment, and replaces the value stored on this machine.');
  const entered = await askSecretValue(name, { review: plan, ...(isRemembered && { prompt: replaced }) });
  if (entered === undefined || entered === back) return unchanged;
  const { secret: changed, findings } = isRemembered
    ? await changeStored(store, { place, name }, entered)
    : { secret: { name, value: entered }, findings: [] };
  return { secrets: secrets.map((other) => (other === secret ? changed : other)), findings, active: name };
}

interface ReferenceItem extends vscode.QuickPickItem {
  /** The references after the item's action. Undefined for Done. */
  readonly run?: () => Promise<readonly SecretReference[]>;
}

/** Edits a draft's references to Kubernetes secrets, a row each. They hold names only, so all of them are shown. */
export async function editSecretReferences(
  review: Asking,
  draft: ExternalImageDraft,
  keep: (references: readonly SecretReference[]) => void,
): Promise<void> {
  const reservedNames = reservedSecretNames();
  let references: readonly SecretReference[] = draft.secretReferences;
  for (;;) {
    const present = references;
    const problemOf = (name: string, own?: SecretReference): string | undefined =>
      secretNameProblem(name, reservedNames, {
        secrets: draft.secrets.map((secret) => secret.name),
        references: present.filter((other) => other !== own).map((other) => other.name),
      });
    const choice = await askChoice<ReferenceItem>({
      review,
      title: vscode.l10n.t('Secret References'),
      placeholder: vscode.l10n.t('Environment variables that the cluster reads from its Kubernetes secrets'),
      items: [
        { label: vscode.l10n.t('$(check) Done'), description: referenceCount(present.length) },
        {
          label: vscode.l10n.t('$(add) Add Secret Reference…'),
          run: async () => {
            const added = await askReference(review, { name: '', secretName: '', secretKey: '' }, problemOf);
            return added === undefined ? present : [...present, added];
          },
        },
        ...present.map((reference) => ({
          label: `$(key) ${withoutIcons(reference.name)}`,
          description: withoutIcons(`${reference.secretName} · ${reference.secretKey}`),
          run: () =>
            changeEntry({ review, title: reference.name, placeholder: '' }, present, reference, () =>
              askReference(review, reference, (name) => problemOf(name, reference)),
            ),
        })),
      ],
    });
    if (choice === undefined || choice.run === undefined) return;
    references = await choice.run();
    keep(references);
    review.typed?.clear();
  }
}

async function askReference(
  review: Asking,
  present: SecretReference,
  problemOf: (name: string) => string | undefined,
): Promise<SecretReference | undefined> {
  const reference = { ...present };
  const title = vscode.l10n.t('Secret Reference');
  const step =
    (
      field: keyof SecretReference,
      prompt: string,
      placeholder: string,
      check: (text: string) => string | undefined,
    ): Step =>
    async (place) => {
      const question = { title, prompt, placeholder, value: reference[field] };
      const answer = await askText({ ...place, ...question, review, problemOf: (text) => check(text.trim()) });
      if (typeof answer !== 'string') return answer;
      reference[field] = answer.trim();
      return 'next';
    };
  const isDone = await runSteps([
    step('name', vscode.l10n.t('The environment variable that the application reads.'), 'DATABASE_PASSWORD', problemOf),
    step('secretName', vscode.l10n.t('The name of the Kubernetes secret.'), 'database', requiredProblem),
    step('secretKey', vscode.l10n.t('The key in the Kubernetes secret.'), 'password', requiredProblem),
  ]);
  return isDone ? reference : undefined;
}

function requiredProblem(text: string): string | undefined {
  if (text === '') return vscode.l10n.t('Enter a name.');
  return /[^\w.-]/.test(text) ? vscode.l10n.t('Use letters, digits, ".", "-" and "_" only.') : undefined;
}
