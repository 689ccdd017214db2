import * as vscode from 'vscode';
import { hasSuggestedName, valuesOfRepository } from '../../../core/draft/begunDraft.ts';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { textOfService, withFileValues } from '../../../core/draft/deploymentFileText.ts';
import { freeDeploymentName, nameFor } from '../../../core/draft/deploymentName.ts';
import { draftFields, pickedFields, type PickedField } from '../../../core/draft/fields.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import { deploymentRefText } from '../../../core/git/deploymentRef.ts';
import { isBuiltFrom } from '../../../core/git/workspaceDeployment.ts';
import { specSources } from '../../../core/spec/presets.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { readSpecText } from '../../../core/yaml/document.ts';
import { textOf } from '../../../core/yaml/value.ts';
import { showDeploymentDocument } from '../../deployments/showDeployment.ts';
import { chooseTextOfDeployment, chooseTextOfFile, type StartingText } from '../../resourceForm/deploymentSpec.ts';
import { UserError } from '../../window/errors.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import { relativePath } from '../../window/files.ts';
import { openConfig } from '../configFile.ts';
import { listedOf } from '../checkPlan.ts';
import { beginForRepository } from '../deploy.ts';
import { editField } from '../fields/editField.ts';
import { configPathIn } from '../file/filePlan.ts';
import { takeSecrets } from '../file/fileSecrets.ts';
import { pathFrom } from '../file/saveFile.ts';
import { showFiles } from '../folder/folderReading.ts';
import { offerDeployed } from '../live/offerDeployed.ts';
import { fetchRemote, runPull, runPush } from '../gitActions.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import { lateKey } from '../sendDraft.ts';
import { importWords } from '../secrets/importSecrets.ts';
import { askMissingValues } from '../secrets/secretValues.ts';
import type { CheckedDeployment, PageFacts } from './checkDeployment.ts';
import type { ButtonMaker } from './pageButtons.ts';
import type { PageContext } from './pageChecks.ts';
import type { PageButton, PageResources } from './protocol.ts';

/** A deployment of the page, and what its buttons work with. */
export interface PageSubject extends PageContext {
  /** Where the paths of the deployment start. */
  readonly file: vscode.Uri;
  /** The position of the deployment among those of the file. */
  readonly index: number;
  readonly deployment: FileDeployment;
  readonly checked: CheckedDeployment | undefined;
  readonly facts: PageFacts;
  readonly button: ButtonMaker;
  /** Keeps a value that was typed for a secret. */
  readonly keep: (secret: string, value: string) => void;
}

/** Asks for a field with a list of VS Code, and writes the answer into the file. */
export async function pickField(subject: PageSubject, field: PickedField): Promise<void> {
  const { services, begun, index, deployment, checked, facts, replace } = subject;
  const plan = checked?.plan;
  if (plan === undefined) return;
  const changed: DeploymentPlan = { ...plan, draft: structuredClone(plan.draft) };
  await editField(services, changed, field, checked?.folder?.configPaths);
  if (JSON.stringify(changed.draft) !== JSON.stringify(plan.draft)) plan.typed?.clear();
  // The answer may be a new listener, or a branch that was fetched for it.
  facts.plans.forget();
  facts.copies = new Map();
  const name = nameFor(changed.draft);
  const began = begun?.deployments[index];
  const isOther = repositoryOf(changed) !== repositoryOf(plan);
  const { content = {} } = deployment;
  const now = isOther && began && (await beginForRepository(services, changed.session, changed.draft, began, content));
  if (now) {
    await begun?.beginAgain(index, now, textOf(content, draftFields.repositoryUrl.key));
    await replace(deployment, (text) => textAfterEdit(withFileValues(text, valuesOfRepository(text, began, now))));
    return;
  }
  // The plan may be older than what the user has typed.
  const isSuggested = began !== undefined && hasSuggestedName(began, deployment.content ?? {});
  if (isSuggested && name !== nameFor(plan.draft)) {
    changed.draft.name = name;
    await begun?.suggest(index, name);
  }
  await write(subject, plan, changed);
}

function repositoryOf({ draft }: DeploymentPlan): string | undefined {
  return draft.source === 'repohost' ? draft.repositoryUrl : undefined;
}

/** Asks for the ref of all deployments that share one, with the plan of the first. */
export async function pickSharedRef(
  { services, setShared }: PageContext,
  plan: DeploymentPlan | undefined,
): Promise<void> {
  if (plan === undefined) return;
  const changed: DeploymentPlan = { ...plan, draft: structuredClone(plan.draft) };
  await editField(services, changed, 'ref');
  if (changed.draft.source === 'repohost') {
    await setShared([{ path: [draftFields.ref.key], value: deploymentRefText(changed.draft.ref) }]);
  }
}

/** Writes what another plan has into the file, where it differs. */
async function write(
  { file, deployment, replace }: PageSubject,
  plan: DeploymentPlan,
  changed: DeploymentPlan,
): Promise<void> {
  const compared = (each: DeploymentPlan) => ({
    draft: each.draft,
    configPath: configPathIn(each.draft, file, workingCopyOf(each)),
  });
  await replace(deployment, (text) => textOfService(text, compared(plan), compared(changed), []));
}

/**
 * The buttons of a deployment's resources: what to start from, or what opens the file that they are in.
 * @param set sets values in what has the resources
 */
export function resourceButtons(
  { services, file, deployment }: Pick<PageSubject, 'services' | 'file' | 'deployment'>,
  button: ButtonMaker,
  set: PageContext['setShared'],
): Pick<PageResources, 'starts' | 'open'> {
  const { key } = draftFields.resourceSpec;
  const path = deployment.content?.[key];
  if (typeof path === 'string') {
    const open = () => services.resourceForms.open(vscode.Uri.joinPath(file, '..', path));
    return { starts: [], open: button('resources', vscode.l10n.t('Edit {0}', path), open) };
  }
  const start = async (chosen: StartingText | undefined): Promise<string> => {
    if (chosen === undefined) return '';
    const document = readSpecText(chosen.text);
    if (document.kind === 'unreadable') throw new UserError(document.findings[0].message);
    await set([{ path: [key], value: document.spec }]);
    return chosen.message;
  };
  const { fromDeployment, fromFile } = specSources();
  return {
    starts: [
      {
        ...button('startFromDeployment', fromDeployment.label, async () =>
          start(await chooseTextOfDeployment(services.connections)),
        ),
        description: fromDeployment.description,
      },
      {
        ...button('startFromFile', fromFile.label, async () => start(await chooseTextOfFile())),
        description: fromFile.description,
      },
    ],
  };
}

/** The buttons that help with a finding about the draft. */
export function remedyButtons(subject: PageSubject, found: Finding): readonly PageButton[] {
  return [...fieldRemedies(subject, found), ...shownDeployment(subject, found)];
}

function shownDeployment({ checked, button }: PageSubject, { deployment }: Finding): readonly PageButton[] {
  const connection = checked?.plan?.session.connection.name;
  if (deployment === undefined || connection === undefined) return [];
  const { id: deploymentId, name } = deployment;
  const show = (): Promise<void> => showDeploymentDocument({ connection, deploymentId, name });
  return [button(`show/${deploymentId}`, vscode.l10n.t('Show Deployment'), show)];
}

function fieldRemedies(subject: PageSubject, found: Finding): readonly PageButton[] {
  const { field, severity } = found;
  if (field === 'ref') return gitButtons(subject);
  if (field === 'tarballPath') return folderButtons(subject);
  if (severity === 'info') return [];
  if (field === 'name') return nameButtons(subject);
  if (field === 'configPath') return openedConfig(subject);
  if (field === 'secrets') return secretButtons(subject, found);
  const more = field === 'integrationId' ? integrationButtons(subject) : [];
  return [...chooseButtons(subject, field), ...more];
}

/** What chooses another value for a field that a list of VS Code asks for. */
function chooseButtons(subject: PageSubject, field: Finding['field']): readonly PageButton[] {
  const picked = pickedFields.find((each) => each === field);
  if (picked === undefined || subject.checked?.plan === undefined) return [];
  const label = vscode.l10n.t('Choose {0}…', draftFields[picked].label());
  return [subject.button(`choose/${picked}`, label, () => pickField(subject, picked))];
}

/** Offers a free name for one that is taken, unless it is locked, and what brings the deployment with that name live. */
function nameButtons(subject: PageSubject): readonly PageButton[] {
  const { services, checked, button } = subject;
  const plan = checked?.plan;
  if (plan === undefined || checked?.existing.lookUp(plan.draft.name) !== 'found') return [];
  if (services.lateCreates.isOpen(lateKey(plan))) return [];
  const { name, rename } = freeName(subject, plan);
  const free = name === undefined ? [] : [button('freeName', vscode.l10n.t('Use {0}', name), rename)];
  return [...liveButtons(subject), ...free];
}

/** A name that no known deployment has, if there is one, and what gives it to a deployment of the file. */
function freeName({ services, deployment, checked, set }: LiveSubject, { draft, session }: DeploymentPlan) {
  const known = new Set([...listedOf(services, session), ...(checked?.existing.rows ?? [])].map(({ name }) => name));
  const name = freeDeploymentName(draft.name, (other) => known.has(other));
  const rename = (): Promise<void> => set(deployment, [{ path: ['name'], value: name }]);
  return { name: known.has(name) ? undefined : name, rename };
}

type LiveSubject = Pick<PageSubject, 'services' | 'begun' | 'deployment' | 'checked' | 'set' | 'button'>;

/** What is offered for a branch that is deployed already, if the deployment of a file exists and has nothing to change. */
export function liveButtons(subject: LiveSubject): readonly PageButton[] {
  const { services, begun, checked, button } = subject;
  const { plan, existing, update } = checked ?? {};
  if (plan?.draft.source !== 'repohost' || begun !== undefined || (update?.change.differences.length ?? 0) > 0)
    return [];
  const { title, session, draft } = plan;
  const { repositoryUrl, configPath, ref, name } = draft;
  const taken = existing?.rows.find((row) => row.name === name);
  if (taken === undefined || ref.kind !== 'branch' || !isBuiltFrom(draft, taken)) return [];
  const wanted = { title, repositoryUrl, configPath, refs: [ref], usualNames: [name], repository: workingCopyOf(plan) };
  const offer = async (): Promise<void> => {
    if ((await offerDeployed(services, session, wanted)) !== undefined) await freeName(subject, plan).rename();
  };
  return [button('live', vscode.l10n.t('Bring {0} Live…', withoutIcons(ref.name)), offer, true)];
}

function folderButtons({ checked, button }: PageSubject): readonly PageButton[] {
  const { plan, folder } = checked ?? {};
  if (plan === undefined || folder === undefined) return [];
  return [button('files', vscode.l10n.t('Show Files…'), () => showFiles(plan.title, folder))];
}

function gitButtons({ checked, button }: PageSubject): readonly PageButton[] {
  const { plan, discovery } = checked ?? {};
  const repository = plan && workingCopyOf(plan);
  if (plan?.draft.source !== 'repohost' || repository === undefined) return [];
  const { title } = plan;
  const { ref, configPath } = plan.draft;
  const push = discovery?.push;
  const words =
    push?.problem === undefined ? push?.label : vscode.l10n.t('{0} (will fail: {1})', push.label, push.problem);
  return [
    ...(push === undefined
      ? []
      : [button('push', withoutIcons(words ?? ''), () => runPush({ title, repository, ref, configPath }, push), true)]),
    ...(discovery?.canPull === true
      ? [
          button(
            'pull',
            vscode.l10n.t('Pull from {0}', withoutIcons(repository.remote)),
            () => runPull({ title, repository, ref }),
            true,
          ),
        ]
      : []),
    button(
      'fetch',
      vscode.l10n.t('Fetch from {0}', withoutIcons(repository.remote)),
      () => fetchRemote(title, repository),
      true,
    ),
  ];
}

/** What helps once access to a repository is granted on its code host. */
function integrationButtons({ checked, button }: PageSubject): readonly PageButton[] {
  const draft = checked?.plan?.draft;
  if (draft?.source !== 'repohost') return [];
  const { repositoryUrl } = draft;
  return [
    button('searchAgain', vscode.l10n.t('Try Again'), async () => undefined, true),
    button('copyUrl', vscode.l10n.t('Copy Repository URL'), () => vscode.env.clipboard.writeText(repositoryUrl)),
  ];
}

function openedConfig({ checked, button }: PageSubject): readonly PageButton[] {
  const { plan, discovery } = checked ?? {};
  const repository = plan && workingCopyOf(plan);
  const config = discovery?.brokenConfig;
  if (repository === undefined || config === undefined) return [];
  return [button('config', vscode.l10n.t('Open {0}', config.path), () => openConfig(repository, config))];
}

function secretButtons(subject: PageSubject, { severity, remedy }: Finding): readonly PageButton[] {
  const { checked, button } = subject;
  const { plan, discovery, held = [] } = checked ?? {};
  if (plan === undefined) return [];
  const missing = plan.draft.secrets.filter(({ value }) => value === undefined);
  const asked = missing.filter(({ name }) => !held.includes(name));
  const envFile = discovery?.envFile;
  if (severity === 'error' || remedy === 'confirm') {
    return [
      ...(held.length === 0 ? [] : [button('held', vscode.l10n.t('Use Values…'), () => confirmHeld(subject, plan))]),
      ...(asked.length === 0
        ? []
        : [
            button('missing', vscode.l10n.t('Set Values…'), () =>
              askMissingValues(
                plan,
                asked.map(({ name }) => name),
                subject.keep,
              ),
            ),
          ]),
    ];
  }
  if (envFile === undefined || remedy !== 'import') return [];
  return [button('import', importWords(envFile), () => importNames(subject, plan, envFile))];
}

/** Asks whether the values that the file takes from elsewhere may be sent where they go. */
async function confirmHeld(
  { services, file, begun, index, deployment }: PageSubject,
  plan: DeploymentPlan,
): Promise<void> {
  const { spec } = deployment;
  if (spec === undefined) return;
  // A check may make another plan while the question is open. Only the answer counts.
  const asked = { ...plan, draft: structuredClone(plan.draft) };
  await takeSecrets(services, asked, { file, begun: begun?.deployments[index], spec }, true);
}

/** Adds the names of a dotenv file to the secrets, each with where its value comes from. */
async function importNames(
  { file, checked, deployment, set }: PageSubject,
  { repository }: DeploymentPlan,
  { path, names }: { readonly path: string; readonly names: readonly string[] },
): Promise<void> {
  const root = checked?.folder?.place.folder ?? repository?.root;
  const place = root && relativePath(root, file);
  if (place === undefined) throw new UserError(vscode.l10n.t("The file isn't in the repository that {0} is in.", path));
  const origin = { 'env-file': pathFrom(place, path) };
  await set(
    deployment,
    names.map((name) => ({ path: ['secrets', name], value: origin })),
  );
}
