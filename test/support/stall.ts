/** Names the folder that the runner makes when a tier has stalled, for what the open windows show. */
export const stallFolderVariable = 'DEPLOYMENT_MANAGER_STALL_FOLDER';
