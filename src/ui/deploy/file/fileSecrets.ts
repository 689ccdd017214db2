import * as vscode from 'vscode';

import { createRequest } from '../../../core/draft/createRequest.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { sourceFacts } from '../../../core/draft/sources.ts';
import { shortened } from '../../../core/text/text.ts';
import { useStoredSecrets } from '../../../state/deploying/draftSecrets.ts';
import { readTexts } from '../../../state/memory.ts';
import type { Services } from '../../services.ts';
import { confirm } from '../../window/errors.ts';
import { nameOf } from '../../window/specNames.ts';
import type { DeploymentPlan } from '../plan.ts';
import { isBelow, takeVariables, type DescribedDeployment } from './namedFiles.ts';

/** Values that a deployment file takes from one place: a dotenv file, or this machine's storage if it has no path. */
interface Taken {
  readonly path: string | undefined;
  readonly names: readonly string[];
}

/**
 * Gives a draft the values of secrets that its file takes from dotenv files and from this machine, once the user has
 * confirmed where they go. Otherwise somebody else's file could send them anywhere. All others are asked for.
 * @returns findings about values that are missing
 */
export async function takeSecrets(
  services: Pick<Services, 'workspaceMemory' | 'secrets'>,
  plan: DeploymentPlan,
  described: DescribedDeployment,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // Stored values are read for the place of the draft, whatever the file says of them.
  const declared = plan.draft.secrets;
  const unread = await useStoredSecrets(services.secrets, plan.session.connection, plan);
  const stored = new Map(plan.draft.secrets.map((secret) => [secret.name, secret]));
  plan.draft.secrets = declared;
  for (const { path, names: asked } of takenBy(described)) {
    const names = path === undefined ? asked.filter((name) => stored.get(name)?.isStored) : asked;
    if (path !== undefined && !isBelow(described.file, path)) {
      findings.push(
        finding('warning', vscode.l10n.t("{0} is outside the open folder, so it isn't read.", path), 'secrets'),
      );
      continue;
    }
    if (!(await mayBeSent(services, plan, described.file, { path, names }))) {
      findings.push(finding('info', vscode.l10n.t('Not sent: {0}.', names.join(', ')), 'secrets'));
    } else if (path === undefined) {
      plan.draft.secrets = plan.draft.secrets.map((secret) =>
        names.includes(secret.name) ? (stored.get(secret.name) ?? secret) : secret,
      );
      findings.push(...unread);
    } else {
      findings.push(...(await takeVariables(plan, described.file, path, names)));
    }
  }
  return findings;
}

const slot = 'sentValues';

/** More than a workspace has. */
const mostConfirmed = 500;

/** More names would push what they are sent to out of the dialog. */
const mostNames = 20;

async function mayBeSent(
  { workspaceMemory: memory }: Pick<Services, 'workspaceMemory'>,
  { draft, session }: DeploymentPlan,
  file: vscode.Uri,
  { path, names }: Taken,
): Promise<boolean> {
  const { connection } = session;
  const address = connection.kind === 'local' ? connection.name : connection.baseUrl;
  const { name, source, source_config: config, source_revision_config: revision } = createRequest(draft);
  const { listener_id: listener, install_command: install, build_command: build } = config ?? {};
  const made = config?.repo_url ?? revision?.image_uri ?? revision?.source_tarball_path ?? '';
  const place = [file.toString(), path, address, name, source, made, listener, install, build];
  for (let first = 0; first < names.length; first += mostNames) {
    const some = names.slice(first, first + mostNames);
    const uses = some.map((each) => JSON.stringify([...place, each]));
    const known = new Set(readTexts(memory, slot));
    if (uses.every((use) => known.has(use))) continue;
    const from = path === undefined ? vscode.l10n.t('the storage of this machine') : shortened(path, 200);
    const question = vscode.l10n.t('Send values from {0} to {1}?', from, shortened(address, 200));
    const detail = vscode.l10n.t(
      '{0} makes {1} ({2}: {3}) and asks for its secrets {4}.',
      shortened(nameOf(file)),
      shortened(name),
      sourceFacts[draft.source].title(),
      shortened(made, 200),
      some.map((each) => shortened(each)).join(', '),
    );
    if (!(await confirm(question, vscode.l10n.t('Send'), detail))) return false;
    await memory.update(slot, [...new Set([...uses, ...known])].slice(0, mostConfirmed));
  }
  return true;
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
