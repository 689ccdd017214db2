import * as z from 'zod';
import {
  ApiError,
  cancelled,
  codeOf,
  essence,
  isMissingCall,
  refused,
  timedOut,
  tooLarge,
  unexpected,
} from '../../src/api/errors.ts';
import { flavors } from '../../src/api/flavor.ts';
import { correctTracingAddress } from '../../src/api/tracingAddress.ts';
import { fromWire, toWire } from '../../src/api/resources/wireNames.ts';
import { headerOf, parseAnswer, serviceError } from '../../src/api/http/answer.ts';
import { parseRetryAfter } from '../../src/api/http/retry.ts';
import { decoded, encodeStep, isLoopback, parseBaseUrl, servicePageUrl } from '../../src/api/http/baseUrl.ts';
import { describeConnectionFailure, describeEditorFailure } from '../../src/api/http/connectionFailures.ts';
import { isDeletion } from '../../src/api/schema/enums.ts';
import { isPointer, isWindowsScript, mayBeScript, neverUploaded } from '../../src/core/upload/leftOut.ts';
import { countHidden, withHidden, withoutHidden } from '../../src/core/draft/hiddenValues.ts';
import { hideValues, redactBody, secretsIn } from '../../src/api/redaction/hideValues.ts';
import { chooseProxy } from '../../src/api/http/proxy.ts';
import { hideInText, withoutCredentials } from '../../src/api/redaction/hideInText.ts';
import { logEntry, maskedText, safeText, spellingsIn, withoutTerminalCodes } from '../../src/api/redaction/redact.ts';
import { safeLines } from '../../src/api/redaction/safeLines.ts';
import { MAX_ENTRY_LENGTH } from '../../src/api/schema/limits.ts';
import {
  isHeaderName,
  isHeaderValue,
  isKeyHeader,
  isSecretName,
  isSecretOption,
  looksLikeKey,
} from '../../src/api/redaction/secretNames.ts';
import { isSameProof, isServiceKey } from '../../src/api/localService.ts';
import { agentConnectionReader } from '../../src/api/resources/agentConnections.ts';
import { checkBeforeSending, pathStep } from '../../src/api/resources/check.ts';
import { deploymentReader } from '../../src/api/resources/deployments.ts';
import { deploymentOutcome, listenerOutcome, recoverCreate } from '../../src/api/resources/lookUp.ts';
import { readList, readOne } from '../../src/api/resources/reading.ts';
import { revisionReader } from '../../src/api/resources/revisions.ts';
import { isRecord } from '../../src/api/schema/json.ts';
import { hasGraphs, isYamlPath, parseAppConfig, tooLargeConfig } from '../../src/core/appConfig/appConfig.ts';
import { findJsonError } from '../../src/core/appConfig/jsonSyntax.ts';
import { correctPaths, leadTo } from '../../src/core/appConfig/movedPaths.ts';
import { namesPackages, newConfigText } from '../../src/core/appConfig/newConfig.ts';
import { compiledGraphs, mayDefineGraphs, similarFiles } from '../../src/core/appConfig/sourceFiles.ts';
import { filesOf, namedPaths } from '../../src/core/appConfig/namedPaths.ts';
import { rankConfigPaths, resolveFromConfig, sourceLanguage } from '../../src/core/appConfig/paths.ts';
import { pathBelow } from '../../src/core/git/folders.ts';
import { hasContent, hasGraphMap, readAppConfig, readTarget } from '../../src/core/appConfig/config.ts';
import { configFixes } from '../../src/core/appConfig/fixes.ts';
import { findDefinition } from '../../src/core/appConfig/definitions.ts';
import { appConfigSchema } from '../../src/core/appConfig/schema.ts';
import { configProblems } from '../../src/core/appConfig/rules.ts';
import { nearestNames } from '../../src/core/text/nearest.ts';
import { fileFixes } from '../../src/core/draft/deploymentFileFixes.ts';
import { renames, valueFix } from '../../src/core/spec/fixes.ts';
import { createRequest } from '../../src/core/draft/createRequest.ts';
import { choiceWords } from '../../src/core/draft/draftLines.ts';
import {
  beginDraft,
  continuedText,
  valuesOfRepository,
  removedSince,
  sameGuarded,
  followingName,
  namesInDraft,
  secretsInDraft,
  withSuggestedName,
} from '../../src/core/draft/begunDraft.ts';
import { documentsIn, partsIn, readDeploymentFile } from '../../src/core/draft/deploymentFile.ts';
import {
  changeParts,
  deploymentFileText,
  draftOfFile,
  said,
  textOfService,
  withDraftValues,
  withFileValues,
  resourcesText,
  withResourceEdits,
} from '../../src/core/draft/deploymentFileText.ts';
import {
  freeDeploymentName,
  isUsualDeploymentName,
  nameForRepository,
  suggestDeploymentName,
} from '../../src/core/draft/deploymentName.ts';
import { emptyDraft } from '../../src/core/draft/draft.ts';
import { parseDeploymentRef } from '../../src/core/git/deploymentRef.ts';
import { finding } from '../../src/core/draft/findings.ts';
import {
  configPathProblem,
  customUrlProblem,
  imageProblem,
  integrationProblem,
  isRefName,
  lineBreakProblem,
  deploymentNameAdvice,
  deploymentNameProblem,
  refProblem,
  repositoryUrlProblem,
  secretNameProblem,
  tidyPath,
} from '../../src/core/draft/fieldProblem.ts';
import { fieldAdvice, fieldProblem } from '../../src/core/draft/fields.ts';
import { mayBeSecret, valueOfInput } from '../../src/core/draft/fieldValues.ts';
import { hasDigest, hasTag, imageNameAdvice, imageReferenceProblem } from '../../src/core/spec/imageReference.ts';
import { liveActions } from '../../src/core/draft/liveActions.ts';
import { preflight } from '../../src/core/draft/preflight/preflight.ts';
import { buildPaths, buildProblem } from '../../src/core/draft/preflight/fileFindings.ts';
import { refusalFindings } from '../../src/core/draft/refusals.ts';
import { applicationDraft } from '../../src/core/draft/applicationDraft.ts';
import { shownAddress, splitAddress } from '../../src/core/git/address.ts';
import { commitLines, joinChanges, commitListText, describeDrift } from '../../src/core/git/comparison.ts';
import { isAliasOf, isKnownHost, onCodeHost } from '../../src/core/git/codeHosts.ts';
import { shortCommit } from '../../src/core/git/drift.ts';
import { explainGitFailure, gitFailureIn } from '../../src/core/git/gitWords.ts';
import {
  commitWebUrl,
  parseGitRemote,
  repositoryKey,
  repositoryWebUrl,
  sameRepository,
  segmentsOf,
} from '../../src/core/git/remote.ts';
import {
  lastLoggedTime,
  namesBranch,
  pushedCommits,
  branchOn,
  preferredRemote,
  pushedElsewhere,
} from '../../src/core/git/remotes.ts';
import { fitsWords, mergeRepositories, repositoryTitle } from '../../src/core/git/repositories.ts';
import {
  chosenOf,
  groupByRepository,
  isBuiltFrom,
  mainOf,
  withChoice,
} from '../../src/core/git/workspaceDeployment.ts';
import { describeExpiry, summarizeAgentConnection } from '../../src/core/resources/agents.ts';
import {
  describeFilter,
  describeRevisionFilter,
  describeStatuses,
  parseFilter,
  parseRevisionFilter,
} from '../../src/core/resources/deploymentFilter.ts';
import { missingCapability } from '../../src/core/resources/capabilities.ts';
import { namespaceProblem, removedVersionProblem } from '../../src/core/resources/listenerChanges.ts';
import { summarizeListener } from '../../src/core/resources/listeners.ts';
import {
  describeProviderChange,
  describeProviderRefusal,
  describeProviderResult,
  providerValueProblem,
  withProviderChange,
} from '../../src/core/resources/oauthProvider.ts';
import { comparableResource, resourceText } from '../../src/core/resources/resourceText.ts';
import { applicationAddress, applicationUrl } from '../../src/core/resources/webPages.ts';
import { parseDotenv } from '../../src/core/secrets/dotenv.ts';
import { readVariables } from '../../src/core/secrets/importedSecrets.ts';
import { fieldsBelow, helpKeyAt, suggestionsAt } from '../../src/core/spec/cursor.ts';
import { cursorPlace } from '../../src/core/yaml/cursor.ts';
import { fieldAt, fieldsAt, typeWords, unknownKeys, unknownKeyWords } from '../../src/core/yaml/help.ts';
import { fieldHelpAt, fieldSuggestions, type HelpedText } from '../../src/core/yaml/suggestions.ts';
import { isNumberKey, isSpecKey } from '../../src/core/spec/fields.ts';
import { encodeField, fieldContent, plainNumber } from '../../src/core/spec/form.ts';
import { errorAt, infoAt, locateFinding } from '../../src/core/spec/findings.ts';
import { numberMeant, numberProblem, numberWithUnit, quantityOf, usableNumber } from '../../src/core/spec/numbers.ts';
import { checkSpec } from '../../src/core/spec/rules.ts';
import { describeSpec } from '../../src/core/spec/specWords.ts';
import { specTotals } from '../../src/core/spec/totals.ts';
import { positionAt, readSpecText, type ReadableSpec } from '../../src/core/yaml/document.ts';
import { sentSpec, specToText, toSpecMap } from '../../src/core/spec/specText.ts';
import { applyEdits, movedAfter, sharedMessage, smallestChange, trimmedBefore } from '../../src/core/yaml/edit.ts';
import { encodeItemText, itemWords } from '../../src/core/spec/items.ts';
import { rangeAt, scalarText } from '../../src/core/yaml/placement.ts';
import { isYamlList, specPart, tidyPastedYaml, writtenYaml } from '../../src/core/spec/part.ts';
import { activityText } from '../../src/core/status/activityWords.ts';
import { deploymentDetails, detailsText, revisionDetails } from '../../src/core/status/detailsWords.ts';
import { namedLines } from '../../src/core/logs/fileNames.ts';
import { lineEdits } from '../../src/core/logs/lineEdits.ts';
import { parseLogSubject } from '../../src/core/logs/logSubject.ts';
import { ageOf, formatEvent, formatMoment } from '../../src/core/status/duration.ts';
import { followLine, gaveUpWords, notificationWords } from '../../src/core/status/followWords.ts';
import { filesIn, lineIn } from '../../src/core/status/reasonFiles.ts';
import { badgeWords, statusBarWords } from '../../src/core/status/statusBarWords.ts';
import {
  deploymentWords,
  statusOfDeployment,
  revisionTitle,
  revisionWords,
  uploadTitle,
} from '../../src/core/status/rowWords.ts';
import { deploymentStatusView, revisionStatusView } from '../../src/core/status/status.ts';
import { verdict } from '../../src/core/status/verdict.ts';
import {
  asSentence,
  firstNames,
  shortened,
  shortenedName,
  spokenRow,
  withoutIcons,
  withoutLinks,
  wrapLines,
} from '../../src/core/text/text.ts';
import { parseActivity } from '../../src/state/activity/activityLines.ts';
import { fullNames } from '../../src/localService/git/refs.ts';
import { readPageMessage } from '../../src/ui/resourceForm/pageMessages.ts';
import { readFromPage } from '../../src/ui/deploy/page/pageMessages.ts';
import { readKeptPage, readToPage } from '../../src/ui/deploy/page/protocol.ts';
import { readEditorMessage, readKeptView } from '../../src/ui/resourceForm/protocol.ts';
import { commentLines, linksIn } from '../../src/ui/documents/documentDetails.ts';
import { parsePlace } from '../../src/ui/window/documentPlace.ts';
import { completeDraft } from './deploymentDraft.ts';

export type TextFunction = (text: string) => unknown;

/** A function that refuses long texts unparsed or reads a text many times, and the length up to which it is tried. */
export interface LimitedFunction {
  readonly length: number;
  readonly run: TextFunction;
}

/** A sixteenth of what is read: the library takes a third of a second for it at most, and minutes if it were quadratic. */
const yamlLength = 16 * 1024;

/** The whole of a quarter is read of a log entry: more is cut off. */
const entryLength = 4 * (MAX_ENTRY_LENGTH - 2);

/** For what reads a text at least ten times, a quarter of the usual length: that is more than twice as much in all. */
const copiedLength = 125_000;

const origin = 'https://service.example';
const now = 1_800_000_000_000;
const { langsmith } = flavors;

const specOf = (text: string) => ({
  cpu: text,
  memory_mb: text,
  [text]: text,
  labels: { [text]: text },
  annotations: { [text]: text },
  service_account_name: text,
  volumes: [{ name: text, [text]: {}, secret: { secretName: text } }],
  volume_mounts: [{ name: text, mountPath: text }],
  init_containers: [
    { name: text, image: text, resources: { requests: { cpu: text, memory: text }, limits: { cpu: text } } },
  ],
  sidecars: [
    { name: text, imagePullPolicy: text, command: [text], args: [text, text], env: [{ name: text, value: text }] },
  ],
});
const deploymentOf = (text: string) => ({
  id: text,
  name: text,
  status: text,
  created_at: text,
  latest_revision_id: text,
  active_revision_id: text,
  source_config: { repo_url: text, custom_url: text, deployment_type: text },
  source_revision_config: { repo_ref: text, graph_config_path: text, image_uri: text },
});
const revisionOf = (text: string) => ({
  id: text,
  status: text,
  created_at: text,
  updated_at: text,
  source_revision_config: { repo_ref: text, repo_commit_sha: text, image_uri: text },
});
const observationOf = (text: string) => ({
  revisionId: text,
  revision: revisionOf(text),
  deployment: deploymentOf(text),
  active: revisionOf(text),
});
const failedOf = (text: string) => ({
  ...observationOf(text),
  revision: { ...revisionOf(text), status: 'BUILD_FAILED', status_message: text },
});
const activityOf = (text: string) => {
  const ids = { at: now, connection: text, deploymentId: text, revisionId: text, title: text };
  const end = { ...ids, outcome: text, verdict: text, status: text, milliseconds: 1, link: `https://${text}` };
  return { ...ids, kind: 'created' as const, name: text, end };
};
const followOf = (text: string) => ({
  name: text,
  connection: text,
  verdict: { ...verdict(observationOf(text)), kind: 'failed' as const, serving: 'another' as const },
  inPhase: 1,
  reason: text,
  live: text,
  skipped: text,
  failures: 1,
});
const repositoryOf = (text: string, id: number) => ({ id, name: text, owner: text, url: text });
const answerOf = (text: string, status = 200) => ({
  status,
  headers: { 'retry-after': text, 'x-request-id': text },
  body: Buffer.from(text),
});
const fileRules = { flavorFor: () => 'langsmith' as const, reservedNames: [] };

const config = (text: string, language: 'json' | 'yaml'): HelpedText => ({
  text,
  isYaml: language === 'yaml',
  schema: appConfigSchema,
});

const draftOf = (text: string) =>
  completeDraft({
    name: text,
    repositoryUrl: text,
    ref: { kind: 'branch', name: text },
    configPath: text,
    installCommand: text,
    buildCommand: text,
    secrets: [{ name: text, value: text }],
  });
const begunOf = (text: string) => beginDraft({ draft: draftOf(text), findings: [] });
const gitOf = (text: string) =>
  ({
    branch: text,
    remoteName: text,
    remoteBranchExists: true,
    ahead: 1,
    uncommittedFiles: 0,
  }) as const;
const findings = (text: string) =>
  preflight({
    draft: draftOf(text),
    git: gitOf(text),
    isNameTaken: true,
    existing: [deploymentOf(text)],
    reservedSecretNames: [text],
    appConfig: { kind: 'finding', path: 'graph.json', message: text },
    files: [{ path: text, isIgnored: false, inRemote: 'nothing' }],
    configEnv: { names: [text], findings: [text] },
  });

/**
 * Each function of `api` and `core` that takes a text, and those of `ui` that need no editor; a name stands for a
 * function that the named one calls with the same text.
 */
export const textFunctions: Readonly<Record<string, TextFunction | LimitedFunction | string>> = {
  // api
  deploymentOutcome: (text) => deploymentOutcome(text, 'found'),
  recoverCreate: (text) =>
    recoverCreate(new ApiError({ kind: 'timeout', message: text, sent: true }), {
      lookUp: async () => ({ found: 'found', rows: [], isWhole: true }),
      words: () => text,
    }).catch((error: unknown) => error),
  mayHaveWorked: 'recoverCreate',
  isWorthLookingUp: 'recoverCreate',
  listenerOutcome: (text) => listenerOutcome(text, 'found'),
  headerOf: (text) => headerOf(answerOf(text), text),
  isMissingCall: (text) => isMissingCall(new ApiError({ kind: 'notFound', message: text, sent: true })),
  isDeletion,
  commitLines: (text) => commitLines(text, [{ hash: text, message: text, authorName: text }]),
  missingCapability: (text) => missingCapability('logs', text),
  removedVersionProblem: (text) => removedVersionProblem({ id: text, version: text }, ''),
  neverUploaded,
  isPointer,
  isWindowsScript,
  mayBeScript: (text) => mayBeScript(text, false),
  parseAnswer: several(
    (text) => parseAnswer(answerOf(JSON.stringify(text)), origin),
    (text) => parseAnswer(answerOf(text), origin),
  ),
  isLoopback,
  isHeaderName,
  isHeaderValue,
  parseBaseUrl: several(
    (text) => parseBaseUrl(`${origin}/${text.replaceAll(/[?#]/g, '')}x`),
    (text) => parseBaseUrl(`https://${text}`),
    (text) => parseBaseUrl(text),
  ),
  checkBeforeSending: (text) => checkBeforeSending(z.object({ a: z.number() }), { a: text }),
  pathStep: (text) => pathStep('id', text),
  codeOf,
  describeConnectionFailure: (text) =>
    describeConnectionFailure(Object.assign(new Error(text), { code: text }), { origin, proxy: text }, true),
  essence: (text) => essence(new Error(text)),
  describeEditorFailure: (text) =>
    [text, `CERT_${text}`].map((code) => describeEditorFailure(Object.assign(new Error(text), { code }), text)),
  cancelled: (text) => cancelled(text, true),
  timedOut: (text) => timedOut(text, 1, true),
  tooLarge,
  unexpected,
  refused,
  correctTracingAddress: (text) => [correctTracingAddress(text), correctTracingAddress(`https://${text}`)],
  isRecord,
  chooseProxy: several(
    (text) => chooseProxy(origin, { editorProxy: 'http://proxy.example', noProxy: [text, `${text}.example`] }),
    (text) => chooseProxy(origin, { environment: { HTTPS_PROXY: 'http://proxy.example', NO_PROXY: text } }),
    (text) => chooseProxy(origin, { proxy: `http://${text}` }),
    (text) => chooseProxy(origin, { proxy: text }),
  ),

  encodeStep,
  hideValues: {
    length: copiedLength,
    run: several(
      (text) => hideValues({ [text]: text, spec: specOf(text) }, () => '*'),
      (text) => hideValues({ args: [text, `--token ${text}`, `token="${text}`, `token=${text}`] }, () => '*'),
      (text) => hideValues({ env: [text], secrets: { [text]: text }, build_command: text }, () => '*'),
    ),
  },
  withoutCredentials: several(
    withoutCredentials,
    (text) => withoutCredentials(`https://${text}`),
    (text) => withoutCredentials(`${text}://me:word@host`),
  ),
  isKeyHeader,
  isSecretName,
  isServiceKey,
  isSameProof: (text) => isSameProof(text, text.slice(1)),
  looksLikeKey,
  isSecretQuery: 'isSecretName',
  isSecretOption: several(
    (text) => isSecretOption(text, text, text),
    (text) => isSecretOption('-p', text, text),
    (text) => isSecretOption('-u', text, text),
    (text) => isSecretOption('-a', text, text),
  ),
  hideInText: (text) => hideInText(text, () => '*'),
  maskedText,
  logEntry: (text) => logEntry(text, [new Error(text), { text }]),
  redactBody: (text) => redactBody({ repo_url: text, env: [text] }),
  countHidden: (text) => countHidden({ args: [text], annotations: { [text]: text } }),
  withoutHidden: (text) => withoutHidden({ args: [text], annotations: { [text]: text } }),
  withHidden: (text) =>
    withHidden(
      { args: [text, ''], annotations: { [text]: '' } },
      { args: [text, text], annotations: { [text]: text } },
    ),
  removedSince: { length: yamlLength, run: (text) => removedSince([text, text], { build_command: text }) },
  sameGuarded: { length: yamlLength, run: (text) => sameGuarded(text, { build_command: text }) },
  secretsIn: (text) => secretsIn({ repo_url: text, env: [text] }),
  maskAll: 'safeLines',
  maskedBeginning: 'safeLines',
  withoutTerminalCodes: (text) => [text, `\u001B${';#'.repeat(text.length / 2)}`].map(withoutTerminalCodes),
  safeLines: {
    length: entryLength,
    run: (text) => [safeLines(text, []), safeLines(text, spellingsIn(['aa', 'secret', text.slice(0, 1000)]))],
  },
  spellingsIn: (text) => spellingsIn([text]),
  safeText: (text) => [safeText(text), safeText(text, ['aa', 'secret', text.slice(0, 1000), text])],
  fromWire: (text) => fromWire({ [text]: text, source: text, source_revision_config: { [text]: text } }, langsmith),
  toWire: (text) => toWire({ [text]: text, source: text, source_revision_config: { [text]: text } }, langsmith),
  parseRetryAfter: (text) => [parseRetryAfter(text, now), parseRetryAfter(`Mon, ${text}`, now)],
  readOne: several(
    (text) => readOne({ origin, flavor: langsmith }, deploymentReader, deploymentOf(text)),
    (text) => readOne({ origin, flavor: langsmith }, revisionReader, { ...revisionOf(text), status_message: text }),
  ),
  readList: (text) => [
    readList({ origin, flavor: langsmith }, deploymentReader, [deploymentOf(text), { id: text }, text]),
    readList(
      { origin, flavor: langsmith },
      agentConnectionReader,
      { [text]: [{ id: text, scopes: [text] }, text] },
      text,
    ),
  ],
  serviceError: {
    length: copiedLength,
    run: (text) => [
      ...[{ detail: text }, { detail: [{ loc: [text, text], msg: text }] }, { error: { message: text } }].map((body) =>
        serviceError(answerOf(JSON.stringify(body), 422), { origin, secrets: ['aa', text] }),
      ),
      ...[400, 403, 404, 409].map((status) =>
        serviceError(answerOf(JSON.stringify({ detail: text }), status), { origin: text, secrets: [] }),
      ),
    ],
  },
  servicePageUrl: (text) => [
    servicePageUrl('langsmith', `${origin}/${text}x`, { id: text, tenant_id: text }),
    servicePageUrl('langsmith', text, { id: text, tenant_id: text }),
  ],
  // core
  describeExpiry: (text) => describeExpiry(text, now),
  summarizeAgentConnection: (text) =>
    summarizeAgentConnection({ id: text, provider_id: text, scopes: [text, text], expires_at: text }, now),
  parseAppConfig: {
    length: yamlLength,
    run: (text) => [
      parseAppConfig(text, 'graph.json'),
      parseAppConfig(JSON.stringify({ a: text.slice(text.length / 2), graphs: text }), 'graph.json'),
      parseAppConfig(text, 'graph.yaml'),
      parseAppConfig(`x: &a 1\ny: [${text.slice(0, -20)}]`, 'graph.yaml'),
    ],
  },
  compiledGraphs: (text) =>
    ['a.py', 'a.ts'].flatMap((path) => [
      compiledGraphs(`langgraph\n${text}`, path),
      compiledGraphs(`langgraph\na: ${text}`, path),
    ]),
  mayDefineGraphs: (text) => [mayDefineGraphs(text), mayDefineGraphs(`${text}.py`)],
  namesPackages,
  similarFiles: (text) => similarFiles(text, [`${text}.py`, `${text}.ts`]),
  newConfigText: (text) => newConfigText([{ path: `${text}.py`, names: [text, text] }], [text]),
  correctPaths: {
    length: yamlLength,
    run: (text) => {
      const moved = [{ from: text, to: `a/${text}` }];
      const config = JSON.stringify({ graphs: { a: `./${text}:g` }, dependencies: [`./${text}`] });
      return [correctPaths(text, 'graph.json', moved), correctPaths(config, text, moved)];
    },
  },
  leadTo: {
    length: yamlLength,
    run: (text) => {
      const place = { start: 0, end: text.length };
      return [leadTo(text, text, place, text), leadTo(JSON.stringify({ env: text }), text, place, text)];
    },
  },
  filesOf: (text) => {
    const named = (['graph', 'module', 'dependency'] as const).map((kind) => {
      return { kind, path: text, attribute: undefined, start: 0, end: 0 };
    });
    return named.map((each) => filesOf(each, named, text));
  },
  namedPaths: {
    length: yamlLength,
    run: (text) => [
      namedPaths(text),
      namedPaths(
        JSON.stringify({ graphs: { a: text, b: { path: text } }, dependencies: [text, `.${text}`], env: text }),
      ),
    ],
  },
  hasGraphs: {
    length: yamlLength,
    run: (text) => [hasGraphs(text, 'graph.json'), hasGraphs(text, 'graph.yaml')],
  },
  hasGraphCode: 'hasGraphs',
  isNoAppConfig: 'hasGraphs',
  hasGraphMap: (text) => hasGraphMap({ graphs: { [text]: text } }),
  pathBelow: (text) => pathBelow(text, text, 'win32'),
  rankConfigPaths: (text) => rankConfigPaths([text, `${text}/a`], text),
  resolveFromConfig: (text) => resolveFromConfig(text, text),
  sourceLanguage: (text) => sourceLanguage(text),
  readAppConfig: (text) => [
    readAppConfig({ graphs: { [text]: text }, env: text, dependencies: ['.'] }, text),
    readAppConfig({ graphs: { a: `./a.py:${text}` }, env: { [text]: text }, dependencies: ['.'] }, text),
  ],
  checkAppConfig: 'parseAppConfig',
  hasContent: (text) => hasContent({ [text]: text }, text),
  configFixes: (text) =>
    configFixes(text, {
      severity: 'warning',
      path: [],
      at: 'key',
      words: '',
      message: '',
      start: 0,
      end: 1,
      meant: [text],
    }),
  isYamlPath,
  findDefinition: (text) => [
    findDefinition(text, 'a', 'a.py'),
    findDefinition(text, 'a', 'a.ts'),
    findDefinition(`import a\n${text}`, 'none', 'a.py'),
    findDefinition(`from ${text}`, 'none', 'a.py'),
    findDefinition(`none, ${text}`, 'none', 'a.py'),
    findDefinition(`export ${text}`, 'none', 'a.ts'),
    findDefinition(`export const ${text}`, 'none', 'a.ts'),
    findDefinition('', text, 'a.ts'),
  ],
  readTarget: (text) => [readTarget(text), readTarget(`${text}:${text}`)],
  locateProblems: 'parseAppConfig',
  fieldSuggestions: (text) => [
    fieldSuggestions(config(text, 'json'), text.length),
    fieldSuggestions(config(`{${text}`, 'json'), 1),
    fieldSuggestions(config(text, 'yaml'), text.length),
  ],
  fieldHelpAt: (text) => [
    fieldHelpAt(config(text, 'json'), text.length / 2),
    fieldHelpAt(config(text, 'yaml'), text.length / 2),
  ],
  fieldAt: (text) => fieldAt(appConfigSchema, ['graphs', text]),
  fieldsAt: (text) => [fieldsAt(appConfigSchema, [text]), fieldsAt(appConfigSchema, ['graphs', text])],
  typeWords,
  unknownKeyWords: (text) => unknownKeyWords(text, [text]),
  unknownKeys: (text) => [...unknownKeys(appConfigSchema, { [text]: text, http: { [text]: text } })],
  configProblems: (text) => [
    configProblems({ graphs: { [text]: text }, [text]: text, env: text }, text),
    configProblems({ graphs: { a: { path: text, [text]: text } }, auth: { path: text }, python_version: text }, text),
    configProblems({ node_version: text, image_distro: text, http: { [text]: text } }, text),
  ],
  asSentence,
  valueOfInput: (text) => valueOfInput(text, text),
  mayBeSecret: (text) => [mayBeSecret('buildCommand', text), mayBeSecret('customUrl', `https://${text}`)],
  nearestNames: (text) => nearestNames(text, [text, `${text}a`, 'graphs']),
  rangeAt: (text) => rangeAt(text, undefined, [text], 'key'),
  createRequest: (text) => createRequest(draftOf(text)),
  readDeploymentFile: {
    length: yamlLength,
    run: (text) => [
      readDeploymentFile(text, fileRules),
      readDeploymentFile(`name: ${JSON.stringify(text)}\nsecrets: { ${JSON.stringify(text)}: ask }\n`, fileRules),
    ],
  },
  fileFixes: (text) =>
    readDeploymentFile(`resources: { ${JSON.stringify(text)}: 1 }\n`, fileRules).map((deployment) =>
      deployment.findings.map(fileFixes(deployment)),
    ),
  renames: (text) => {
    const document = readSpecText(`${JSON.stringify(text)}: 1\n`);
    return document.kind === 'readable' && renames(document, [text], [text, 'cpu']);
  },
  valueFix: (text) => {
    const document = readSpecText(`${JSON.stringify(text)}: 1\n`);
    return document.kind === 'readable' && valueFix(document, [text], text, text);
  },
  withSuggestedName: { length: yamlLength, run: (text) => withSuggestedName(begunOf(text), text) },
  followingName: {
    length: yamlLength,
    run: (text) => {
      const begun = { ...begunOf(''), text: `name: ${JSON.stringify(text)}\n` };
      return [
        followingName(begun, { name: text }, 'repository', text),
        followingName(begun, { name: text, source: 'internal_docker' }, 'image', text),
      ];
    },
  },
  choiceWords: (text) => choiceWords('deploymentType', text),
  namesInDraft: { length: yamlLength, run: namesInDraft },
  secretsInDraft: { length: yamlLength, run: secretsInDraft },
  tidyPath,
  continuedText: {
    length: yamlLength,
    run: (text) => continuedText(text, [begunOf('')], [begunOf(text)]),
  },
  valuesOfRepository: {
    length: yamlLength,
    run: (text) => valuesOfRepository(text, begunOf(''), begunOf(text)),
  },
  changeParts: (text) => changeParts(text, partsIn(text.replaceAll(/\s/g, '\n---\n')), (part) => part.text),
  documentsIn,
  partsIn: (text) => [partsIn(text), partsIn(text.replaceAll(/\s/g, '\n---\n'))],
  withFileValues: {
    length: yamlLength,
    run: (text) => [
      withFileValues(text, [{ path: ['name'], value: text }]),
      withFileValues('name: a\n', [{ path: ['secrets', text], value: text }]),
    ],
  },
  resourcesText: { length: yamlLength, run: (text) => [resourcesText(text), resourcesText(`resources: ${text}`)] },
  withResourceEdits: {
    length: yamlLength,
    run: (text) => [
      withResourceEdits(text, [{ kind: 'set', path: ['cpu'], value: { style: 'inline', text: '1' } }]),
      withResourceEdits('name: a\n', [{ kind: 'set', path: [text], value: { style: 'block', text } }]),
    ],
  },
  deploymentFileText: (text) => deploymentFileText(draftOf(text)),
  said,
  withDraftValues: {
    length: yamlLength,
    run: (text) => {
      const compared = { draft: draftOf(text), configPath: text };
      return withDraftValues(text, compared, { ...compared, configPath: '' });
    },
  },
  textOfService: {
    length: yamlLength,
    run: (text) => {
      const compared = { draft: draftOf(text), configPath: text };
      return textOfService(text, compared, { ...compared, configPath: '' }, []);
    },
  },
  draftOfFile: (text) =>
    draftOfFile(
      { name: text, ref: text, custom_url: text },
      {
        connectionName: text,
        fileName: text,
        repositoryUrl: text,
        ref: text,
        configPath: text,
        resourceSpec: undefined,
      },
    ),
  freeDeploymentName: (text) => freeDeploymentName(text, (name) => name === text),
  isUsualDeploymentName,
  parseDeploymentRef: (text) => [parseDeploymentRef(text), parseDeploymentRef(`refs/tags/${text}`)],
  nameForRepository: (text) => nameForRepository(`https://code.example/${text}/agent`, `${text}/graph.json`),
  suggestDeploymentName: (text) => suggestDeploymentName(text, `${text}/graph.json`),
  describeFilter: (text) => describeFilter({ name_contains: text, status: text, deployment_ids: text }),
  shortenedName: (text) => shortenedName(text, 10),
  describeRevisionFilter: (text) => describeRevisionFilter({ status: [text, text] }),
  describeStatuses,
  parseFilter: (text) => parseFilter({ name_contains: text, status: text, tag_value_ids: text, deployment_ids: text }),
  parseRevisionFilter: (text) => parseRevisionFilter([text]),
  revisionTitle: (text) => revisionTitle(revisionOf(text)),
  verdict: (text) => verdict(observationOf(text)),
  deploymentWords: (text) => deploymentWords(deploymentOf(text), observationOf(text), { now }),
  revisionWords: (text) => revisionWords(observationOf(text), { now }),
  deploymentDetails: {
    length: copiedLength,
    run: (text) => deploymentDetails({ observed: failedOf(text), drift: text }),
  },
  parseActivity: (text) => [parseActivity(text), parseActivity(JSON.stringify({ event: 'started', name: text }))],
  activityText: (text) => {
    const change = { kind: 'deleted', at: 0, connection: text, name: text, title: text } as const;
    return activityText({ entries: [activityOf(text)], changes: [change], unreadable: 0 }, () => false);
  },
  revisionDetails: { length: copiedLength, run: (text) => revisionDetails({ observed: failedOf(text) }) },
  detailsText: (text) => detailsText({ label: text, value: text }),
  linksIn: (text) => linksIn(text, [{ label: 'Live', value: text }]),
  commentLines,
  statusOfDeployment: (text) => statusOfDeployment(deploymentOf(text)),
  readVariables: several(
    (text) => readVariables(text, text, { reservedNames: [text], references: [text] }),
    (text) => readVariables(`${text}=`, 'Clipboard', { reservedNames: [], references: [] }),
  ),
  parseDotenv: (text) => [parseDotenv(text), parseDotenv(`A="${text}`), parseDotenv(`A=${text}`)],
  secretNameProblem: (text) => secretNameProblem(text, [text]),
  joinChanges: (text) => joinChanges([{ before: text, after: `${text}a` }], [{ before: text, after: undefined }]),
  commitListText: (text) => {
    const commits = [{ hash: text, message: text, authorName: text }];
    return commitListText({ from: text, to: text, ahead: commits, behind: commits });
  },
  describeDrift: (text) => describeDrift({ kind: 'unknownCommit', commit: text }),
  shortCommit,
  ageOf: (text) => ageOf(text, now),
  formatEvent: (text) => formatEvent(text, now),
  formatMoment: (text) => formatMoment(text),
  followLine: (text) => followLine(followOf(text)),
  gaveUpWords,
  statusBarWords: (text) => statusBarWords([followOf(text), { ...followOf(text), outcome: 'ended' }], true),
  namedLines: (text) => namedLines(text, text),
  lineEdits: (text) => [lineEdits(text.split('\n'), text.split(''), 4), lineEdits(text.split(''), text.split(' '), 4)],
  parseLogSubject: (text) =>
    parseLogSubject({ connection: text, type: 'build', deploymentId: text, revisionId: text, title: text, text }),
  filesIn: (text) => filesIn(text, text),
  lineIn: (text) => [lineIn(text, ''), lineIn(`graph "${text}"`, text), lineIn('graph "a"', text)],
  badgeWords: (text) => badgeWords([{ ...followOf(text), isSeen: false }]),
  notificationWords: (text) =>
    notificationWords([
      { facts: followOf(text), resumed: true },
      { facts: followOf(text), resumed: false },
    ]),
  splitAddress: (text) => remotesOf(text).map(splitAddress),
  shownAddress: (text) => remotesOf(text).map(shownAddress),
  decoded,
  isKnownHost,
  isAliasOf: (text) => [isAliasOf(text, 'code.example'), isAliasOf('code.example', text)],
  onCodeHost: (text) => [onCodeHost('code.example', text, [text]), onCodeHost(text, '', ['scm', text, text])],
  parseGitRemote: (text) => remotesOf(text).map(parseGitRemote),
  branchOn: (text) => [branchOn(text, `${text}/main`, [text]), branchOn('origin', text, [text, 'origin'])],
  mainOf: (text) =>
    mainOf(
      [
        { id: 'a', folder: text, isChosen: false },
        { id: 'b', folder: text, isChosen: false },
      ],
      text,
      text,
    ),
  preferredRemote: (text) => preferredRemote([{ name: text }], text, text),
  pushedElsewhere: (text) => pushedElsewhere('origin', [{ remote: text, unpushed: 0 }]),
  commitWebUrl: (text) => remotesOf(text).map((url) => commitWebUrl(url, text)),
  repositoryWebUrl: (text) => remotesOf(text).map(repositoryWebUrl),
  repositoryKey: (text) => remotesOf(text).map(repositoryKey),
  segmentsOf,
  namesBranch: (text) => [
    namesBranch(`\tbranch 'main' of ${text}`, 'https://code.example/acme/app', 'main'),
    namesBranch(text, 'https://code.example/acme/app', text),
  ],
  lastLoggedTime,
  pushedCommits: (text) => [pushedCommits(text), pushedCommits(`${'a'.repeat(40)} ${'b'.repeat(40)} ${text}`)],
  wasPushed: 'pushedCommits',
  sameRepository: (text) => remotesOf(text).map((url) => sameRepository(url, `${url}.git`)),
  findJsonError: (text) => [findJsonError(text), findJsonError(`"${text}`), findJsonError(JSON.stringify([text]))],
  namespaceProblem,
  summarizeListener: (text) =>
    summarizeListener(
      { id: text, compute_type: text, compute_id: text, version: text, compute_config: { k8s_namespaces: [text] } },
      now,
    ),
  fitsWords: (text) => fitsWords(repositoryOf(text, 1), text),
  mergeRepositories: (text) => mergeRepositories([repositoryOf(text, 1)], [repositoryOf(`${text}a`, 2)]),
  repositoryTitle: (text) => repositoryTitle(repositoryOf(text, 1)),
  describeProviderChange: (text) => describeProviderChange({ name: text }, 'name'),
  describeProviderRefusal: (text) => describeProviderRefusal(text, [{ path: text, message: text }]),
  describeProviderResult: (text) => describeProviderResult({ name: text }, { id: text, name: text }, 'name'),
  providerValueProblem: (text) => [
    providerValueProblem('auth_url', text),
    providerValueProblem('auth_url', `https://${text}`),
  ],
  withProviderChange: (text) => withProviderChange({ name: text }, 'name', text),
  preflight: findings,
  tooLargeConfig,
  applicationDraft: (text) => applicationDraft(draftOf(text), text),
  buildPaths: (text) => buildPaths(text, undefined),
  buildProblem: (text) =>
    buildProblem(
      text,
      parseAppConfig(`{"graphs": {"a": ${JSON.stringify(`./${text}.py:g`)}}, "dependencies": ["."]}`, text),
      [
        { path: text, isIgnored: false, inRemote: 'file' },
        { path: `${text}.py`, isIgnored: false, inRemote: 'nothing' },
      ],
    ),
  refusalFindings: (text) => [
    refusalFindings(draftOf(text), { kind: 'invalid', message: text, requestId: text }),
    refusalFindings(draftOf(text), { kind: 'invalid', message: text, fields: [{ path: text, message: text }] }),
  ],
  finding: (text) => finding('warning', text, 'name'),
  fieldProblem: (text) => [
    fieldProblem('repositoryUrl', text),
    fieldProblem('repositoryUrl', `https://${text}`),
    fieldProblem('integrationId', text),
    fieldProblem('ref', text),
    fieldProblem('configPath', text),
    fieldProblem('imageUri', text),
    fieldProblem('tarballPath', text),
    fieldProblem('customUrl', `https://${text}`),
    fieldProblem('installCommand', text),
  ],
  fieldAdvice: (text) => [fieldAdvice('name', text), fieldAdvice('imageUri', text)],
  hasDigest,
  hasTag,
  uploadTitle,
  imageNameAdvice,
  configPathProblem,
  customUrlProblem: (text) => customUrlProblem(`https://${text}`),
  imageProblem: { length: 512, run: imageProblem },
  integrationProblem,
  lineBreakProblem,
  deploymentNameAdvice,
  deploymentNameProblem,
  refProblem,
  repositoryUrlProblem: (text) => [repositoryUrlProblem(text), repositoryUrlProblem(`https://${text}`)],
  imageReferenceProblem: { length: 512, run: imageReferenceProblem },
  emptyDraft: (text) => emptyDraft('internal_docker', text),
  cursorPlace: (text) => {
    const lines = text.split('\n');
    return [
      cursorPlace(lines, lines.length - 1, lines.at(-1)?.length ?? 0),
      cursorPlace(lines, Math.floor(lines.length / 2), 1000),
      cursorPlace([`${text}:`], 0, text.length),
    ];
  },
  helpKeyAt: (text) => helpKeyAt({ parents: [], key: text, siblings: new Set([text]) }),
  suggestionsAt: (text) => suggestionsAt({ parents: ['sidecars', text], key: text, siblings: new Set([text]) }),
  isNumberKey,
  isSpecKey,
  fieldContent: onDocument((document) => fieldContent(document, 'sidecars')),
  encodeField: {
    length: yamlLength,
    run: (text) => [
      encodeField('sidecars', { kind: 'yaml', text }),
      encodeField('cpu', { kind: 'text', text }),
      encodeField('service_account_name', { kind: 'text', text }),
      encodeField('labels', { kind: 'rows', rows: [{ name: text, value: text }] }),
      encodeField('image_pull_secrets', { kind: 'names', names: [text] }),
    ],
  },
  plainNumber: (text) => [plainNumber('cpu', text), plainNumber('memory_mb', `${text}Gi`)],
  positionAt: (text) => positionAt(text, text.length),
  errorAt: (text) => errorAt([text], text),
  infoAt: (text) => infoAt([text], text),
  locateFinding: onDocument((document) =>
    checkSpec(document.spec, 'standard').map((finding) => locateFinding(document, finding)),
  ),
  numberProblem: (text) => numberProblem({ key: 'cpu', group: 'main', role: 'cpu' }, text),
  numberWithUnit: (text) => [
    numberWithUnit('cpu', `${text}m`),
    numberWithUnit('memory', text),
    numberWithUnit('memory', `${text}x`),
  ],
  usableNumber: (text) => usableNumber({ key: 'memory_mb', group: 'main', role: 'memory' }, text),
  specPart: onDocument((document) => specPart(document, 'sidecars')),
  tidyPastedYaml: { length: yamlLength, run: tidyPastedYaml },
  writtenYaml: { length: yamlLength, run: writtenYaml },
  isYamlList: { length: yamlLength, run: isYamlList },
  quantityOf: (text) => [quantityOf(text), quantityOf(`${text}x`)],
  checkSpec: (text) => checkSpec(specOf(text), 'langsmith'),
  firstNames: (text) => firstNames([text, text], 1),
  shortened: (text) => shortened(text),
  describeSpec: (text) => describeSpec({ service_account_name: text, labels: { [text]: text } }),
  specToText: (text) => specToText({ labels: { a: text } }),
  sentSpec: (text) =>
    sentSpec({ labels: { a: text }, volume_mounts: [{ name: text, mountPath: text, readOnly: text }] }),
  toSpecMap: (text) => toSpecMap(specOf(text)),
  specTotals: (text) => specTotals(specOf(text)),
  comparableResource: (text) => comparableResource({ [text]: text }),
  resourceText: {
    length: copiedLength,
    run: (text) => [resourceText(deploymentOf(text)), resourceText({ labels: { a: text } })],
  },
  composeYaml: 'readSpecText',
  placeOfValue: 'specPart',
  readNode: 'readSpecText',
  parseSpecYaml: 'readSpecText',
  readSpecText: {
    length: yamlLength,
    run: (text) => [readSpecText(text), readSpecText(`x: &a 1\ny: [${text.slice(0, -20)}]`)],
  },
  applyEdits: onDocument((document) => {
    const value = { style: 'inline', text: '1' } as const;
    for (const path of [['cpu'], ['sidecars', 0, 'image'], ['sidecars', 1, 'env', 0, 'name']]) {
      applyEdits({ document }, [{ kind: 'set', path, value }], []);
      applyEdits({ document }, [{ kind: 'set', path }], []);
    }
    applyEdits({ document }, [{ kind: 'swap', path: ['sidecars'], index: 0 }], []);
    applyEdits({ document }, [{ kind: 'rename', path: ['labels', 'a'], name: document.text }], []);
  }),
  valueChange: 'applyEdits',
  memberAt: 'specPart',
  countWords: 'itemWords',
  removal: 'applyEdits',
  fieldsBelow: (text) => fieldsBelow([text, text]),
  numberMeant: (text) => [numberMeant('memory', text), numberMeant('cpu', text)],
  exchange: 'applyEdits',
  renaming: 'applyEdits',
  rangeOf: 'readSpecText',
  scalarText,
  encodeItemText: (text) => [encodeItemText('lines', text), encodeItemText('quantity', text)],
  itemWords: (text) => itemWords('sidecars', { name: text, image: text }, {}),
  smallestChange: (text) => [smallestChange(text, `${text}x`), smallestChange(text, text.slice(1))],
  trimmedBefore: (text) =>
    trimmedBefore(
      { start: text.length, end: text.length, text: `x${text}` },
      { start: 0, end: text.length, text: '' },
      text,
    ),
  movedAfter: (text) => movedAfter({ start: 0, end: 1, text }, { start: 2, end: 3, text }),
  sharedMessage,
  spokenRow: (text) => spokenRow(text, text),
  deploymentStatusView,
  revisionStatusView,
  chosenOf: (text) => chosenOf([text], [text]),
  groupByRepository: (text) => [...groupByRepository([{ remoteUrls: [text] }], [deploymentOf(text)])],
  gitFailureIn,
  explainGitFailure: several(
    explainGitFailure,
    (text) => explainGitFailure(` ! [rejected] ${text}`),
    (text) => explainGitFailure(`remote: ${text}`),
  ),
  isBuiltFrom: (text) =>
    isBuiltFrom({ repositoryUrl: text, configPath: text, ref: { kind: 'branch', name: text } }, deploymentOf(text)),
  liveActions: (text) =>
    liveActions({
      ref: { kind: 'branch', name: text },
      deployed: [{ id: text, name: text, buildsOnPush: true, liveCommit: text, hasPage: true }],
      git: gitOf(text),
    }),
  withChoice: (text) => withChoice([text], text, [text]),
  wrapLines: (text) => [wrapLines(text, 78), wrapLines(text, 20, 5)],
  // ui
  parsePlace: (text) => parsePlace('revision', [text, text]),
  applicationAddress: (text) => applicationAddress({ ...deploymentOf(text), url: text }),
  applicationUrl: (text) => [applicationUrl(deploymentOf(text)), applicationUrl(deploymentOf(`https://${text}`))],
  readPageMessage: (text) =>
    readPageMessage({ type: 'change', id: 1, version: 1, edits: [{ kind: 'splice', start: 0, end: 0, text }] }),
  readToPage: (text) => readToPage({ type: 'said', failed: false, message: text }),
  readFromPage: (text) => readFromPage({ type: 'press', id: text }),
  readKeptPage: (text) => readKeptPage({ open: { [text]: true }, scroll: 0 }),
  readKeptView: (text) => readKeptView({ view: text, openSections: text.split('\n'), scroll: 0 }),
  readEditorMessage: (text) => readEditorMessage({ type: 'text', version: 1, text, applied: 0 }),
  withoutIcons,
  withoutLinks,
  // the local service
  isRefName,
  fullNames: (text) => fullNames(text, { remote: 'origin', remotes: ['origin', text] }),
};

function remotesOf(text: string): readonly string[] {
  return [text, `https://${text}`, `https://host/${text}`, `git@host:${text}`, `${text}@host:a`, `file://${text}`];
}

/** What is done with a document whose text is cheap to read and holds the hostile one. */
function onDocument(use: (document: ReadableSpec) => unknown): LimitedFunction {
  return {
    length: yamlLength,
    run: (text) => {
      const document = readSpecText(`a: ${JSON.stringify(text)}\nsidecars:\n  - ${JSON.stringify(text)}\n`);
      return document.kind === 'readable' ? use(document) : undefined;
    },
  };
}

/** Runs each, also where one before it refused the text. */
function several(...runs: readonly TextFunction[]): TextFunction {
  return (text) =>
    runs.map((run) => {
      try {
        return run(text);
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    });
}
