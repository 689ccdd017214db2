import * as vscode from 'vscode';
import { freeDeploymentName } from '../../../core/draft/deploymentName.ts';
import { draftFields, pickedFields } from '../../../core/draft/fields.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import { isBuiltFrom } from '../../../core/git/workspaceDeployment.ts';
import { specSources } from '../../../core/spec/presets.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { readSpecText } from '../../../core/yaml/document.ts';
import { showDeploymentDocument } from '../../deployments/showDeployment.ts';
import { chooseTextOfDeployment, chooseTextOfFile, type StartingText } from '../../resourceForm/deploymentSpec.ts';
import { UserError } from '../../window/errors.ts';
import { relativePath } from '../../window/files.ts';
import { openConfig } from '../configFile.ts';
import { listedOf, type Discovery } from '../checkPlan.ts';
import { fillSecrets } from '../file/fileSecrets.ts';
import { pathFrom } from '../file/saveFile.ts';
import { showFiles } from '../folder/folderReading.ts';
import { followPush, offerDeployed } from '../live/offerDeployed.ts';
import { fetchRemote, runPull, runPush } from '../gitActions.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import { lateKey } from '../sendDraft.ts';
import { importWords } from '../secrets/importSecrets.ts';
import { askMissingValues } from '../secrets/secretValues.ts';
import type { ButtonMaker } from './pageButtons.ts';
import type { PageContext, PageSubject } from './pageContext.ts';
import { pickField } from './pickField.ts';
import type { PageButton, PageResources } from './protocol.ts';

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
  const ofDeployment = async () => start(await chooseTextOfDeployment(services.connections));
  const ofFile = async () => start(await chooseTextOfFile());
  const fromOtherFile = { ...button('startFromFile', fromFile.label, ofFile), description: fromFile.description };
  return {
    starts: [
      {
        ...button('startFromDeployment', fromDeployment.label, ofDeployment),
        description: fromDeployment.description,
      },
      // In Restricted Mode, the page reads no other file.
      ...(vscode.workspace.isTrusted ? [fromOtherFile] : []),
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

/**
 * What is offered for a deployment that exists.
 * @param isMade whether it was made from the page, which then shows what became of it
 */
export function deployedButtons(subject: LiveSubject, isMade: boolean): readonly PageButton[] {
  const { checked, button } = subject;
  const { plan, update } = checked ?? {};
  if (plan === undefined || update === undefined) return [];
  if (isMade) return liveButtons(subject);
  const { name: connection } = plan.session.connection;
  const { id: deploymentId, name } = update.target;
  const show = (): Promise<void> => showDeploymentDocument({ connection, deploymentId, name });
  return [button('details', vscode.l10n.t('Open Details'), show), ...liveButtons(subject)];
}

/** What is offered for a branch that is deployed already, if the deployment of a file exists and has nothing to change. */
function liveButtons(subject: LiveSubject): readonly PageButton[] {
  const { services, begun, checked, button } = subject;
  const { plan, existing, update } = checked ?? {};
  if (plan?.draft.source !== 'repohost' || begun !== undefined || (update?.change.differences.length ?? 0) > 0)
    return [];
  const { title, session, draft } = plan;
  const { repositoryUrl, configPath, ref, name } = draft;
  const taken = existing?.named(name);
  if (taken === undefined || ref.kind !== 'branch' || !isBuiltFrom(draft, taken)) return [];
  const wanted = { title, repositoryUrl, configPath, refs: [ref], usualNames: [name], repository: workingCopyOf(plan) };
  // Later, the answers of the check are forgotten.
  const { rename } = freeName(subject, plan);
  const offer = async (): Promise<void> => {
    if ((await offerDeployed(services, session, wanted)) !== undefined) await rename();
  };
  return [button('live', vscode.l10n.t('Bring {0} Live…', withoutIcons(ref.name)), offer, true)];
}

function folderButtons({ checked, button }: PageSubject): readonly PageButton[] {
  const { plan, folder } = checked ?? {};
  if (plan === undefined || folder === undefined) return [];
  return [button('files', vscode.l10n.t('Show Files…'), () => showFiles(plan.title, folder))];
}

type Pushed = NonNullable<Discovery['push']>;

function gitButtons({ services, checked, button }: PageSubject): readonly PageButton[] {
  const { plan, discovery } = checked ?? {};
  const repository = plan && workingCopyOf(plan);
  if (plan?.draft.source !== 'repohost' || repository === undefined) return [];
  const { title, session } = plan;
  const { ref, configPath } = plan.draft;
  const push = ({ action, rebuilt }: Pushed): Promise<boolean> =>
    runPush({ title, repository, ref, configPath }, action, (commit) => {
      const { name } = session.connection;
      // The check may be older than what the window has seen since.
      const latest = rebuilt.map((each) => services.answers.record(name, each.id) ?? each);
      followPush({ services, session }, latest, commit);
    });
  const labelOf = ({ action: { label, problem } }: Pushed): string =>
    withoutIcons(problem === undefined ? label : vscode.l10n.t('{0} (will fail: {1})', label, problem));
  const pushed = discovery?.push;
  return [
    ...(pushed === undefined ? [] : [button('push', labelOf(pushed), () => push(pushed), true)]),
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
  await fillSecrets(services, asked, { file, begun: begun?.deployments[index], spec }, true);
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
