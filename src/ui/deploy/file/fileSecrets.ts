import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { sentValues } from '../../../core/draft/createRequest.ts';
import type { DraftSecret } from '../../../core/draft/draft.ts';
import { destinationFields } from '../../../core/draft/fields.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { draftLines } from '../../../core/draft/draftLines.ts';
import { longestDotenv, parseDotenv } from '../../../core/secrets/dotenv.ts';
import { firstNames, shortened } from '../../../core/text/text.ts';
import { readStoredSecrets } from '../../../state/deploying/draftSecrets.ts';
import { readTexts } from '../../../state/memory.ts';
import type { Services } from '../../services.ts';
import { confirm, messageOf } from '../../window/errors.ts';
import { nameOf } from '../../window/specNames.ts';
import type { DeploymentPlan } from '../plan.ts';
import { readNamed, type DescribedDeployment } from './namedFiles.ts';

/** Values that a deployment file takes from one place: a dotenv file, or this machine's storage if it has no path. */
interface Taken {
  readonly path: string | undefined;
  readonly names: readonly string[];
}

/** What became of the values that a file takes from elsewhere. */
interface FilledSecrets {
  /** Findings about values that are missing. */
  readonly findings: readonly Finding[];
  /** The secrets whose values are there, but not confirmed. */
  readonly held: readonly string[];
}

/**
 * Gives a draft the values of secrets that its file takes from dotenv files and from this machine, once the user has
 * confirmed where they go. Otherwise somebody else's file could send them anywhere. All others are asked for.
 * @param mayAsk whether the user is asked for what isn't confirmed yet
 */
export async function fillSecrets(
  services: Pick<Services, 'workspaceMemory' | 'secrets'>,
  plan: DeploymentPlan,
  described: DescribedDeployment,
  mayAsk: boolean,
): Promise<FilledSecrets> {
  const findings: Finding[] = [];
  const held: string[] = [];
  for (const taken of takenBy(described)) {
    const { path } = taken;
    const from = path ?? vscode.l10n.t('the storage of this machine');
    try {
      const { connection } = plan.session;
      const found =
        path === undefined
          ? await readStoredSecrets(services.secrets, connection, plan.draft, taken.names)
          : await readVariables(described, path, taken.names);
      const values = new Map(found.map((secret) => [secret.name, secret]));
      const names = taken.names.filter((name) => values.get(name)?.value !== undefined);
      const missing = taken.names.filter((name) => !names.includes(name));
      if (missing.length > 0) {
        const message = vscode.l10n.t('{0} has no value for {1}.', from, firstNames(missing));
        findings.push(finding('info', message, 'secrets'));
      }
      // A draft says what the user has chosen in this window, unless a file said it first.
      const isByUser = described.begun !== undefined && described.begun.origins.secrets?.kind !== 'file';
      if (!isByUser && !(await mayBeSent(services, plan, described.file, { path, names }, mayAsk))) {
        held.push(...names);
        continue;
      }
      plan.draft.secrets = plan.draft.secrets.map(
        (secret) => (names.includes(secret.name) && values.get(secret.name)) || secret,
      );
    } catch (error) {
      findings.push(finding('warning', vscode.l10n.t("Couldn't read {0}: {1}", from, messageOf(error)), 'secrets'));
    }
  }
  return { findings, held };
}

async function readVariables(
  described: DescribedDeployment,
  path: string,
  names: readonly string[],
): Promise<readonly DraftSecret[]> {
  const { variables } = parseDotenv(await readNamed(described, path, longestDotenv));
  return variables.filter(({ name }) => names.includes(name)).map(({ name, value }) => ({ name, value }));
}

const slot = 'confirmedValues';

/** Each is the use of one value by one deployment. */
const mostConfirmed = 500;

/** A dialog shows about 2,000 characters. */
const mostNames = 12;
const longestShown = 80;

/** Whether the user has confirmed that values go where they go; asks if they may be asked. */
async function mayBeSent(
  { workspaceMemory: memory }: Pick<Services, 'workspaceMemory'>,
  plan: DeploymentPlan,
  file: vscode.Uri,
  { path, names }: Taken,
  mayAsk: boolean,
): Promise<boolean> {
  const { draft, session } = plan;
  const { connection } = session;
  const address = connection.kind === 'local' ? connection.name : connection.baseUrl;
  const place = JSON.stringify([file.toString(), path, connection.name, address, destinationOf(plan)]);
  const useOf = (name: string): string => hash('sha256', `${place}\n${name}`);
  for (let first = 0; first < names.length; first += mostNames) {
    const some = names.slice(first, first + mostNames);
    const known = new Set(readTexts(memory, slot));
    if (some.every((name) => known.has(useOf(name)))) continue;
    if (!mayAsk) return false;
    const from = path === undefined ? vscode.l10n.t('the storage of this machine') : shown(path);
    const question = vscode.l10n.t('Use values from {0} for a deployment on {1}?', from, shown(connection.name));
    const lines = draftLines(draft).filter(({ field, value }) => destinationFields.includes(field) && value !== '');
    const detail = [
      vscode.l10n.t('{0} asks for {1}.', shown(nameOf(file)), some.map(shown).join(', ')),
      vscode.l10n.t('Service: {0}', shown(address)),
      ...lines.map(({ label, value }) => `${label}: ${shown(value)}`),
    ];
    if (!(await confirm(question, vscode.l10n.t('Use Values'), detail.join('\n')))) return false;
    await memory.update(slot, [...new Set([...some.map(useOf), ...known])].slice(0, mostConfirmed));
  }
  return true;
}

/** What gets the values. */
function destinationOf({ draft }: DeploymentPlan): unknown {
  const values = sentValues(draft);
  return destinationFields.map((field) => values[field]);
}

/** Without characters that turn or break a line, with which a name can look like something else. */
function shown(text: string): string {
  return shortened(text.replaceAll(/[\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cc}]/gu, '�'), longestShown);
}

function takenBy({ spec }: DescribedDeployment): readonly Taken[] {
  const files = new Map<string | undefined, string[]>();
  for (const [name, origin] of Object.entries(spec.secrets ?? {})) {
    if (origin === 'ask') continue;
    const path = origin === 'stored' ? undefined : origin['env-file'];
    files.set(path, [...(files.get(path) ?? []), name]);
  }
  return [...files].map(([path, names]) => ({ path, names }));
}
