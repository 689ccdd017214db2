// What the program that starts VS Code and the tests inside its extension host have agreed on.

/** Begins every line that comes from a test; the other lines are VS Code's own. */
export const testLinePrefix = '[test] ';

/** Names the file that receives the counts as JSON. */
export const reportVariable = 'DEPLOYMENT_MANAGER_TEST_REPORT';

/** Names the folder that the local service of the tests keeps its data in. */
export const dataFolderVariable = 'DEPLOYMENT_MANAGER_TEST_DATA_FOLDER';

/** Names the suites to run by a part of their file names, separated by blanks; empty for all. */
export const namesVariable = 'DEPLOYMENT_MANAGER_TEST_NAMES';

/** Names the VS Code that runs the tests: `newest`, `oldest` or `desktop`. */
export const hostVariable = 'DEPLOYMENT_MANAGER_TEST_HOST';

/**
 * What `npm test` also runs in the oldest supported VS Code, by a part of the suites' names: activation, git, views,
 * documents, connections, webviews and secrets can differ there. `npm run test:oldest` runs all suites.
 */
export const compatibilitySuites: readonly string[] = [
  'start',
  'workspace',
  'askingGit',
  'gitLayouts',
  'browse',
  'sideViews',
  'following',
  'details',
  'compare',
  'connections',
  'resourceForm',
  'resourceSpecFiles',
  'restoredForm',
  'secrets',
];
