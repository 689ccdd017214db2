#!/usr/bin/env node
// Takes the place of the `code` program for @vscode/test-electron.
import { runExtensionTests } from './extensionTests.mts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
process.exitCode = await runExtensionTests(process.argv.slice(2));
