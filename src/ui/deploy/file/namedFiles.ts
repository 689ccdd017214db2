import * as vscode from 'vscode';
import { resourceSpecWire, type ResourceSpec } from '../../../api/schema/resourceSpec.ts';
import type { DeploymentSpec } from '../../../core/draft/deploymentFile.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { longestDotenv, parseDotenv } from '../../../core/secrets/dotenv.ts';
import { firstNames } from '../../../core/text/text.ts';
import { longestSpecText, readSpecText } from '../../../core/yaml/document.ts';
import { readTexts, type Memory } from '../../../state/memory.ts';
import { confirm, messageOf, UserError } from '../../window/errors.ts';
import { readFileText } from '../../window/fileText.ts';
import { nameOf } from '../../window/specNames.ts';
import type { DeploymentPlan } from '../plan.ts';

/** A deployment file, with the deployment of it that is meant. */
interface Described {
  readonly file: vscode.Uri;
  readonly spec: DeploymentSpec;
}

/**
 * Reads a file that a deployment file names.
 * @throws {UserError} it is outside the open folder, or too large
 */
async function readNamed(file: vscode.Uri, path: string, limit: number): Promise<string> {
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri ?? vscode.Uri.joinPath(file, '..');
  const text = await readFileText(vscode.Uri.joinPath(file, '..', path), limit, root);
  if (text !== undefined) return text;
  throw new UserError(vscode.l10n.t('it is larger than {0} kB', Math.round(limit / 1024)));
}

/**
 * The resources of the spec file that a deployment names.
 * @throws {UserError} it can't be read or used
 */
export async function resourcesOf({ file, spec }: Described): Promise<ResourceSpec | undefined> {
  const { resources: path } = spec;
  if (typeof path !== 'string') return undefined;
  const text = await readNamed(file, path, longestSpecText).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t("The resources in {0} can't be read: {1}", path, messageOf(error)));
  });
  const read = readSpecText(text);
  if (read.kind === 'unreadable') {
    const [{ line, message }] = read.findings;
    throw new UserError(vscode.l10n.t("The resources in {0} can't be used: line {1}: {2}", path, line, message));
  }
  const { data } = resourceSpecWire.safeParse(read.spec);
  if (data !== undefined) return data;
  throw new UserError(vscode.l10n.t('The resources in {0} have errors. Open the file to see them.', path));
}

const slot = 'envFiles';

/** More than a workspace has. */
const mostConfirmed = 200;

/**
 * Gives a draft the values that its file takes from dotenv files, once the user has confirmed where they go.
 * Otherwise somebody else's file could send them anywhere.
 * @returns findings about values that couldn't be read
 */
export async function readEnvFiles(
  memory: Memory,
  { draft, session }: DeploymentPlan,
  { file, spec }: Described,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { connection } = session;
  const address = connection.kind === 'local' ? connection.name : connection.baseUrl;
  const origin = originOf(draft);
  for (const [path, names] of envFilesOf(spec)) {
    const uses = names.map((name) => JSON.stringify([file.toString(), path, name, address, draft.name, origin]));
    const known = readTexts(memory, slot);
    if (uses.some((use) => !known.includes(use))) {
      const question = vscode.l10n.t('Send values from {0} to {1}?', path, address);
      const detail = vscode.l10n.t(
        '{0} asks for {1}. They become secrets of {2}, which is made from {3}.',
        nameOf(file),
        firstNames(names, 10),
        draft.name,
        origin,
      );
      if (!(await confirm(question, vscode.l10n.t('Send'), detail))) continue;
      await memory.update(slot, [...new Set([...uses, ...known])].slice(0, mostConfirmed));
    }
    try {
      const { variables } = parseDotenv(await readNamed(file, path, longestDotenv));
      const values = new Map(variables.map(({ name, value }) => [name, value]));
      draft.secrets = draft.secrets.map((secret) =>
        names.includes(secret.name) ? { name: secret.name, value: values.get(secret.name) } : secret,
      );
      const missing = names.filter((name) => !values.has(name));
      if (missing.length > 0) {
        const message = vscode.l10n.t("{0} doesn't have {1}. Enter a value.", path, firstNames(missing));
        findings.push(finding('warning', message, 'secrets'));
      }
    } catch (error) {
      findings.push(finding('warning', vscode.l10n.t("Couldn't read {0}: {1}", path, messageOf(error)), 'secrets'));
    }
  }
  return findings;
}

/** What a deployment is made from, which gets its secrets. */
function originOf(draft: DeploymentPlan['draft']): string {
  if (draft.source === 'repohost') return draft.repositoryUrl;
  if ('imageUri' in draft) return draft.imageUri;
  return 'tarballPath' in draft ? draft.tarballPath : draft.name;
}

/** The dotenv files of a deployment, each with the names of the secrets that it has. */
function envFilesOf({ secrets }: DeploymentSpec): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const [name, origin] of Object.entries(secrets ?? {})) {
    if (typeof origin !== 'object') continue;
    const path = origin['env-file'];
    files.set(path, [...(files.get(path) ?? []), name]);
  }
  return files;
}
