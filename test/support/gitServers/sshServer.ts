import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Undefined where no SSH server is installed, as on Windows: tests that need one are skipped there by name. */
export const sshd = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((program) => existsSync(program));

export interface SshServer {
  /** What git runs instead of `ssh`, for `core.sshCommand`: it knows the server, and its key has the passphrase. */
  readonly command: string;
  /** The same with a key that the server doesn't know. */
  readonly strangersCommand: string;
  /** The same without the server's key among the known ones. */
  readonly unknownHostCommand: string;
  /** The same, which asks whether to trust the server's key. */
  readonly askingCommand: string;
}

/**
 * Prepares an SSH server with keys of its own in a folder. It listens nowhere: `ssh` starts it for each connection and
 * talks to it through a pipe, so an address such as `git@code.example:/path` reaches this machine.
 */
export async function prepareSshServer(folder: string, passphrase: string): Promise<SshServer> {
  if (sshd === undefined) throw new Error('No sshd is installed.');
  // Only root's sshd wants this folder, which Debian's service creates at its start.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  await mkdir(folder, { recursive: true });
  const file = (name: string) => path.join(folder, name);
  const keys = { host: '', person: passphrase, stranger: '' };
  for (const [name, secret] of Object.entries(keys)) {
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', secret, '-C', name, '-f', file(name)]);
  }
  const { stdout } = await promisify(execFile)('ssh-keygen', ['-y', '-P', '', '-f', file('host')]);
  await writeFile(file('known_hosts'), `* ${stdout}`);
  await writeFile(file('sshd_config'), serverConfig(file));
  const command = (key: string, known: string, checking = 'yes') =>
    [
      'ssh -F none -o IdentitiesOnly=yes -o IdentityAgent=none -o UpdateHostKeys=no',
      `-o StrictHostKeyChecking=${checking} -o UserKnownHostsFile=${file(known)} -o GlobalKnownHostsFile=none -i ${file(key)} -l ${userInfo().username}`,
      `-o 'ProxyCommand=${sshd} -i -e -f ${file('sshd_config')} 2>${file('sshd.log')}'`,
    ].join(' ');
  return {
    command: command('person', 'known_hosts'),
    strangersCommand: command('stranger', 'known_hosts'),
    unknownHostCommand: command('person', 'no_hosts'),
    askingCommand: command('person', 'new_hosts', 'ask'),
  };
}

function serverConfig(file: (name: string) => string): string {
  return [
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('person.pub')}`,
    'PidFile none',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'UsePAM no',
    // Temporary files lie below a folder that everybody may write to.
    'StrictModes no',
    'SetEnv GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1',
    '',
  ].join('\n');
}
