// The first command after a clone starts here, on whatever Node from 20 on the machine has: it installs what is
// missing and goes on with the Node 24 that the project brings along.
// Usage: node test/host/bootstrap.mjs SCRIPT [ARGUMENT…]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const windows = process.platform === 'win32';
const modules = path.join(root, 'node_modules');

main(process.argv.slice(2));

function main([script, ...parameters]) {
  if (!script) return fail('Say which script to run: node test/host/bootstrap.mjs SCRIPT [ARGUMENT…]');
  if (!installDependencies()) return;
  const nodePackage = findNodePackage();
  if (!linkNode(nodePackage)) return;
  const projectNode = nodePackage && path.join(modules, nodePackage, 'bin', windows ? 'node.exe' : 'node');
  const node = [projectNode, process.execPath].find(isNode24);
  if (!node) return fail('Node 24 is missing. Remove node_modules and try again, or install Node 24 yourself.');
  runScript(node, script, parameters);
}

/** Installs when nothing is installed, when an installation was cut short, and when the lock file is newer. */
function installDependencies() {
  const lock = path.join(root, 'package-lock.json');
  const installed = path.join(modules, '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  // An update leaves the packages that did not change in place: Windows cannot replace the Node that runs this.
  const update = existsSync(installed);
  console.log(update ? 'Updating the dependencies…' : 'Installing the dependencies…');
  return runNpm(update ? ['install', '--no-save'] : ['ci']);
}

/** The package with the Node of this system; npm skips those of other systems. */
function findNodePackage() {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.keys(optionalDependencies).find((name) => existsSync(path.join(modules, name)));
}

/** The scripts of package.json find Node in `.bin`, where npm 10 removes it with the packages that it skips. */
function linkNode(nodePackage) {
  const linked = existsSync(path.join(modules, '.bin', windows ? 'node.cmd' : 'node'));
  return linked || !nodePackage || runNpm(['rebuild', nodePackage]);
}

/** Newer ones count too: where the lock file has none for the system, the user's own Node has to do. */
function isNode24(file) {
  const version = file && spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout;
  return Number(version?.match(/^v(\d+)\./)?.[1]) >= 24;
}

/** Runs npm quietly; when it fails, shows what it said and what can be done. */
function runNpm(parameters) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const npmScript = process.env.npm_execpath ?? '';
  const viaNode = path.basename(npmScript).startsWith('npm-cli');
  const { status, stdout, stderr, error } = viaNode
    ? spawnSync(process.execPath, [npmScript, ...parameters, ...quiet], { cwd: root, encoding: 'utf8' })
    : spawnSync('npm', [...parameters, ...quiet], { cwd: root, encoding: 'utf8', shell: windows });
  if (status === 0) return true;
  const output = `${stdout ?? ''}${stderr ?? ''}`.trim();
  if (output) console.error(output);
  fail(`"npm ${parameters.join(' ')}" failed: ${adviceFor(output, error)}`);
  return false;
}

function adviceFor(output, error) {
  if (error) return `npm could not be started (${error.message}). Install Node.js from 20 on, which brings npm.`;
  if (/ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT/.test(output)) {
    return 'the npm registry could not be reached. Check the network, the proxy and "npm config get registry".';
  }
  if (/E40[134]/.test(output)) return 'the npm registry refused a package. Check "npm config get registry".';
  if (/EACCES|EPERM|EBUSY/.test(output)) return 'a file could not be written. Close what uses node_modules and retry.';
  return 'see the lines above.';
}

/**
 * Goes on as if the script had been started itself: same terminal, signals passed on, same exit code. The channel
 * between the two tells the script when this process has been killed.
 */
function runScript(node, script, parameters) {
  const searchPath = `${path.join(modules, '.bin')}${path.delimiter}${process.env.PATH ?? process.env.Path ?? ''}`;
  const env = { ...process.env, PATH: searchPath };
  if (windows) delete env.Path;
  const child = spawn(node, [path.resolve(script), ...parameters], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} did not start: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
