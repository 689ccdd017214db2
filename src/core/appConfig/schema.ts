import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { helpOfFields, optional, type FieldHelp } from '../yaml/help.ts';

type Field = ReturnType<typeof optional>;

function field(
  schema: z.ZodMiniType,
  help: FieldHelp['help'],
  values?: FieldHelp['values'],
  snippet?: FieldHelp['snippet'],
): Field {
  const more = { ...(values && { values }), ...(snippet !== undefined && { snippet }) };
  return optional(schema).register(helpOfFields, { help, ...more });
}

const text = z.string();
const number = z.number();
const texts = z.array(text);
const anything = z.unknown();

function flag(help: FieldHelp['help']): Field {
  return field(z.boolean(), help, [true, false]);
}

function choice(values: readonly string[], help: FieldHelp['help']): Field {
  const isKnown = (value: string): boolean => values.includes(value);
  const error = (): string => l10n.t('this value is unknown; the known ones are {0}', values.join(', '));
  return field(z.string().check(z.refine(isKnown, { error })), help, values);
}

/** `./path/file.py:attribute` or `package.module:attribute`. */
export const codePlace = /^(.+):([^:\\/]+)$/;

/** What the build reads must be written like this. The tools of other keys are content with a colon. */
const graphTarget = z.string().check(z.refine((target) => codePlace.test(target.trim())));

/** A graph: its code, or an object with it. */
export const graphEntry = z.union([
  graphTarget,
  z.looseObject({
    path: graphTarget.register(helpOfFields, {
      help: () => l10n.t('The code of the graph: "./path/file.py:attribute".'),
    }),
    description: field(anything, () => l10n.t('What the graph does. Clients of the application can read it.')),
  }),
]);

function code(help: FieldHelp['help']): Field {
  const error = (): string => l10n.t('this must be written as "./path/file.py:attribute"');
  return field(z.string().check(z.refine((target) => target.includes(':'), { error })), help);
}

const pythonVersion = z.string().check(
  z.refine((version) => isVersion(version, /^3\.(\d{1,3})(?:-\w+)?$/, 11), {
    error: () => l10n.t('this version is unknown; write major and minor, 3.11 or newer, such as "3.13"'),
  }),
);

const nodeVersion = z.string().check(
  z.refine((version) => isVersion(version, /^(\d{1,3})$/, 20), {
    error: () => l10n.t('this version is unknown; write only the major one, 20 or newer, such as "22"'),
  }),
);

function isVersion(version: string, pattern: RegExp, least: number): boolean {
  return Number(pattern.exec(version)?.[1] ?? 0) >= least;
}

const timeToLive = (more: Record<string, Field>): z.ZodMiniType =>
  z.looseObject({
    default_ttl: field(number, () => l10n.t('Minutes after which data is deleted.')),
    sweep_interval_minutes: field(number, () => l10n.t('Minutes between two searches for data to delete.')),
    ...more,
  });

const headers = z.looseObject({
  includes: field(texts, () => l10n.t('Headers to take, with * for any characters.')),
  excludes: field(texts, () => l10n.t('Headers to leave out, with * for any characters.')),
});

const store = z.looseObject({
  index: field(
    z.looseObject({
      dims: field(number, () => l10n.t('The number of dimensions of the embeddings.')),
      embed: field(text, () => l10n.t('The embedding model as "provider:model", or a function of the application.')),
      fields: field(texts, () => l10n.t('The fields to embed. "$" stands for the whole item.')),
    }),
    () => l10n.t('Semantic search in the store.'),
  ),
  ttl: field(timeToLive({ refresh_on_read: flag(() => l10n.t('Whether reading an item restarts its time.')) }), () =>
    l10n.t('How long items are kept.'),
  ),
});

const checkpointer = z.looseObject({
  path: field(text, () => l10n.t('The code that stores checkpoints instead of the built-in one.')),
  ttl: field(
    timeToLive({
      strategy: field(text, () => l10n.t('What happens to an expired thread.'), ['delete', 'keep_latest']),
      sweep_limit: field(number, () => l10n.t('Maximum number of threads to delete at once.')),
    }),
    () => l10n.t('How long threads are kept.'),
  ),
  serde: field(
    z.looseObject({
      allowed_json_modules: field(anything, () => l10n.t('Python types that may be read from JSON.')),
      allowed_msgpack_modules: field(anything, () => l10n.t('Python types that may be read from MessagePack.')),
      pickle_fallback: flag(() => l10n.t('Whether other values are stored with pickle.')),
    }),
    () => l10n.t('How state is stored.'),
  ),
});

const auth = z.looseObject({
  path: code(() => l10n.t('The code that authenticates requests: "./path/file.py:attribute".')),
  disable_studio_auth: flag(() => l10n.t('Whether requests of the studio need your own authentication, too.')),
  openapi: field(anything, () => l10n.t('Security schemes for the OpenAPI description.')),
  cache: field(
    z.looseObject({
      cache_keys: field(texts, () => l10n.t('The headers that tell users apart.')),
      ttl_seconds: field(number, () => l10n.t('Seconds for which an answer is kept.')),
      max_size: field(number, () => l10n.t('Maximum number of answers to keep.')),
    }),
    () => l10n.t('How long an authentication is remembered.'),
  ),
});

const http = z.looseObject({
  app: code(() => l10n.t('Your own web application with more routes: "./path/file.py:attribute".')),
  cors: field(
    z.looseObject({
      allow_origins: field(texts, () => l10n.t('Origins whose pages may call the application.')),
      allow_methods: field(texts, () => l10n.t('HTTP methods that they may use.')),
      allow_headers: field(texts, () => l10n.t('Headers that they may send.')),
      allow_credentials: flag(() => l10n.t('Whether they may send cookies and credentials.')),
      allow_origin_regex: field(text, () => l10n.t('A regular expression of more origins.')),
      expose_headers: field(texts, () => l10n.t('Headers that they may read.')),
      max_age: field(number, () => l10n.t('Seconds for which browsers keep these rules.')),
    }),
    () => l10n.t('Which web pages may call the application.'),
  ),
  ...Object.fromEntries(
    ['assistants', 'threads', 'runs', 'store', 'mcp', 'a2a', 'meta', 'ui', 'webhooks'].map((name) => [
      `disable_${name}`,
      flag(() => l10n.t('Whether the routes of "{0}" are left out.', name)),
    ]),
  ),
  configurable_headers: field(headers, () => l10n.t('Headers that the graphs can read.')),
  logging_headers: field(headers, () => l10n.t('Headers that are logged.')),
  middleware_order: field(text, () => l10n.t('Whether authentication or your own middleware comes first.'), [
    'auth_first',
    'middleware_first',
  ]),
  enable_custom_route_auth: flag(() => l10n.t('Whether your own routes need authentication, too.')),
  mount_prefix: field(text, () => l10n.t('Prefix of all routes.')),
});

const webhooks = z.looseObject({
  env_prefix: field(text, () => l10n.t('Prefix of the environment variables that headers may use.')),
  headers: field(z.record(text, anything), () => l10n.t('Headers to send with each webhook.')),
  url: field(
    z.looseObject({
      require_https: flag(() => l10n.t('Whether addresses must begin with https.')),
      allowed_domains: field(texts, () => l10n.t('Hosts that may be called, such as "*.example.com".')),
      allowed_ports: field(z.array(number), () => l10n.t('Ports that may be called.')),
      max_url_length: field(number, () => l10n.t('The longest address, in characters.')),
      disable_loopback: flag(() => l10n.t("Whether the application's own routes can't be called.")),
    }),
    () => l10n.t('Which addresses may be called.'),
  ),
});

/** What the build reads. Anything else in the file can be wrong without a failed build. */
export const builtFields = {
  graphs: z
    .record(z.string(), graphEntry)
    .check(z.refine((graphs) => Object.keys(graphs).length > 0))
    .register(helpOfFields, {
      help: () =>
        l10n.t('The graphs of the application: names and where their code is, as "./path/file.py:attribute".'),
      snippet: { '${1:agent}': './${2:src/agent.py}:${3:graph}' },
    }),
  env: z
    .optional(z.nullable(z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())])))
    .register(helpOfFields, {
      help: () =>
        l10n.t('The path of a dotenv file, or names and values. Deployments from a repository need them as secrets.'),
      values: ['.env'],
    }),
};

/** The application config file. */
export const appConfigSchema = z.looseObject({
  ...builtFields,
  dependencies: field(texts, () => l10n.t('Packages to install: folders such as ".", or names.'), [['.']]),
  source: field(anything, () => l10n.t('Where the packages come from, instead of "dependencies".')),
  python_version: field(pythonVersion, () => l10n.t('The Python version: 3.11 or newer.'), ['3.11', '3.12', '3.13']),
  node_version: field(nodeVersion, () => l10n.t('The major Node.js version: 20 or newer.'), ['20', '22']),
  api_version: field(text, () => l10n.t('The version of the API server. The newest one if it is left out.')),
  base_image: field(text, () => l10n.t('The image that the build starts from.')),
  image_distro: choice(['debian', 'wolfi', 'bookworm'], () => l10n.t('The Linux distribution of the image.')),
  pip_config_file: field(text, () => l10n.t('The path of a configuration file of pip.')),
  pip_installer: choice(['auto', 'pip', 'uv'], () => l10n.t('The installer of Python packages.')),
  keep_pkg_tools: field(
    anything,
    () => l10n.t('Whether pip, setuptools and wheel stay in the image, or a list of them.'),
    [true, ['pip']],
  ),
  dockerfile_lines: field(texts, () => l10n.t('More lines of the Dockerfile, such as "RUN apt-get install …".')),
  store: field(store, () => l10n.t('The long-term memory.'), undefined, {
    index: { embed: '${1:openai:text-embedding-3-small}', dims: 1536 },
  }),
  checkpointer: field(checkpointer, () => l10n.t('Where the state of threads is stored.')),
  auth: field(auth, () => l10n.t('Your own authentication.'), undefined, { path: './${1:src/auth.py}:${2:auth}' }),
  encryption: field(
    z.looseObject({ path: code(() => l10n.t('The code that encrypts data: "./path/file.py:attribute".')) }),
    () => l10n.t('Your own encryption of stored data.'),
    undefined,
    { path: './${1:src/encryption.py}:${2:encryption}' },
  ),
  http: field(http, () => l10n.t('The web server of the application.'), undefined, {
    app: './${1:src/webapp.py}:${2:app}',
  }),
  webhooks: field(webhooks, () => l10n.t('What the application calls when a run ends.')),
  ui: field(z.record(text, anything), () => l10n.t('Components of a user interface: names and files.')),
  ui_config: field(anything, () => l10n.t('Options of the components in "ui".')),
});
