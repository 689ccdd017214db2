export { hasGraphs } from '../core/appConfig/appConfig.ts';
export { configFindings, isAppConfig } from './appConfig/configFindings.ts';
export { configCompletionsAt, configHoverAt } from './appConfig/configHelp.ts';
export { repositoryFindings } from './appConfig/repositoryFindings.ts';
export { detailsOf, linksIn } from './documents/documentDetails.ts';
export { documentText, goneText } from './documents/documentText.ts';
export { updatedDocuments } from './documents/documentUpdates.ts';
export { openLogs } from './logs/logDocuments.ts';
export { completionsAt, diagnosticsOf, fixesAt, hoverAt } from './resourceForm/language.ts';
