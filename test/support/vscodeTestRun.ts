// What the program that starts VS Code and the tests inside its extension host have agreed on.

/** Begins every line that comes from a test; the other lines are VS Code's own. */
export const testLinePrefix = '[test] ';

/** Names the file that receives the counts as JSON. */
export const reportVariable = 'DEPLOYMENT_MANAGER_TEST_REPORT';

/** Names the folder that the local service of the tests keeps its data in. */
export const dataFolderVariable = 'DEPLOYMENT_MANAGER_TEST_DATA_FOLDER';

/** Names the suites to run, separated by blanks. */
export const suitesVariable = 'DEPLOYMENT_MANAGER_TEST_SUITES';

/** Names the window that runs them, such as `newest-2`. */
export const windowVariable = 'DEPLOYMENT_MANAGER_TEST_WINDOW';

/**
 * All suites in the order in which they run. In `npm test`, the newest VS Code has a window for each of these lists, at
 * the same time: they take about equally long.
 */
export const suites: readonly (readonly string[])[] = [
  [
    'workspace',
    'start',
    'askingGit',
    'gitLayouts',
    'deployments',
    'browse',
    'rowActions',
    'following',
    'ownDeployments',
    'stoppedService',
    'verdicts',
    'badNetwork',
    'killedService',
    'details',
    'workspaces',
    'compare',
    'activity',
    'detection',
    'deployPlaces',
    'badInput',
    'newDeployment',
    'newDeploymentSource',
    'createDeployment',
    'createLikeThis',
    'sentBodies',
    'deploymentFile',
    'deploymentFileSaved',
    'afterDeploy',
  ],
  [
    'connections',
    'connectionForms',
    'states',
    'sideViews',
    'sideChanges',
    'resourceForm',
    'resourceFormDeploy',
    'resourceSpecFiles',
    'appConfigFiles',
    'resourceDrafts',
    'configFileHelp',
    'builtIn',
    'bringingLive',
    'severalApplications',
    'slowService',
    'newDeploymentOptions',
    'secrets',
    'logs',
    'changes',
    'deployFolder',
    'changeDeployment',
  ],
];

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
  'sideChanges',
  'details',
  'logs',
  'deployFolder',
  'connections',
  'resourceForm',
  'resourceSpecFiles',
  'appConfigFiles',
  'resourceDrafts',
  'configFileHelp',
  'secrets',
];
