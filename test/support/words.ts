/** What the product says where tests look for it on a screen, so that a change of words is one edit. */
export const words = {
  deployCommand: 'Deployment Manager: Deploy Current Repository…',
  gitMissing: 'Git is disabled or not installed. Enable it, or install git, and try again.',
  setApiKey: 'Set API Key',
  keyMissing: 'This machine has no API key for the connection.',
  useLocalService: 'Use Local Service',
  addConnection: 'Add Connection',
  chooseConnection: 'Choose a Connection',
  nothingDeployed: 'Nothing is deployed yet.',
  deployCurrentRepository: 'Deploy Current Repository',
  nothingFits: 'No deployment fits the filter',
  clearFilters: 'Clear Filters',
  noListeners: 'No cluster is registered. A listener runs in a Kubernetes cluster',
  installsNothing: 'It installs nothing in the cluster',
  createListener: 'Create Listener',
  noRepositories: 'The service has no integration with a code host',
  refresh: 'Refresh',
  noAgents: 'The service has no list of agents: name the one you want to look at.',
  addAgent: 'Add Agent',
  /** What each view below the deployments says without a connection. */
  shownHere: {
    Listeners: 'The clusters that a deployment service uses are shown here once it is connected.',
    Repositories: 'The repositories that a deployment service can build are shown here once it is connected.',
    Agents: 'The accounts that agents may use are shown here once a deployment service is connected.',
  },
  restrictedMode: 'This window is in Restricted Mode',
  manageTrust: 'Manage Workspace Trust',
  notMarkedInRestrictedMode:
    'The repository that is open here is marked once this window leaves Restricted Mode: trust its folder.',
  review: {
    title: 'Deploy Current Repository: Review',
    checking: 'Checking…',
    deploy: (name: string, connection: string) => `Deploy ${name} to ${connection}`,
    isDeployed: (name: string) => `Already deployed from main: "${name}"; a push builds it.`,
  },
} as const;
