import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './sourceFiles.ts';

/** The parts of `package.json` that tests read. A part that is missing there fails the test that needs it. */
export interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly qna: string;
  readonly categories: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly description: string;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: { readonly supported: string; readonly description: string };
  };
  readonly extensionKind: readonly string[];
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly icon?: string;
      readonly enablement?: string;
    }[];
    readonly keybindings: readonly { command: string; key: string; mac?: string; when: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { id: string; title: string; icon: string }[] };
    readonly views: Readonly<
      Record<string, readonly { id: string; name: string; icon?: string; contextualTitle?: string; when?: string }[]>
    >;
    readonly walkthroughs: readonly {
      readonly title: string;
      readonly description: string;
      readonly steps: readonly WalkthroughStep[];
    }[];
    readonly viewsWelcome: readonly { view: string; contents: string; when?: string }[];
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

export interface WalkthroughStep {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

export interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

export interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly order: number;
  readonly scope: string;
  readonly markdownDescription?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly items?: { readonly properties?: Readonly<Record<string, Pick<Setting, 'enum' | 'markdownDescription'>>> };
}

/** Values of the context keys that `when` clauses ask for. */
export type ContextKeys = Readonly<Record<string, string | number | boolean>>;

/** One comparison of a `when` clause, such as `view == x`; a bare key has no operator. */
export interface Condition {
  readonly key: string;
  readonly operator?: string;
  readonly value?: string;
}

export function readManifest(): Manifest {
  return JSON.parse(readText('package.json')) as Manifest;
}

/** All settings of the manifest, by their names. */
export function settingsOf({ contributes }: Manifest): Readonly<Record<string, Setting>> {
  return Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as Record<string, Setting>;
}

/** The English texts that the manifest's `%key%` stand for. */
export function readTexts(): Readonly<Record<string, string>> {
  return JSON.parse(readText('package.nls.json')) as Record<string, string>;
}

/** What a person reads where the manifest says `%key%`. */
export function textOf(value = ''): string {
  const key = /^%(.+)%$/.exec(value)?.[1];
  return key === undefined ? value : (readTexts()[key] ?? '');
}

/** The comparisons of a `when` clause, whichever way they are joined. */
export function conditionsOf(when: string): readonly Condition[] {
  return when
    .replaceAll(/(^|[\s(])!(?=\w)/g, '$1')
    .split(/&&|\|\|/)
    .map((part) => {
      const [, key = '', operator, value] = /^([\w.:]+)(?:\s*(==|!=|=~|<|>|\bin\b)\s*(.+))?$/.exec(part.trim()) ?? [];
      if (key === '') throw new Error(`Not understood in a when clause: ${part}`);
      return operator === undefined ? { key } : { key, operator, value: value ?? '' };
    });
}

/** Whether a `when` clause is true where the context keys have these values. */
export function holds(when: string | undefined, keys: ContextKeys): boolean {
  const isTrue = (term: string): boolean => {
    const [condition] = conditionsOf(term);
    const { key = '', operator, value = '' } = condition ?? {};
    if (key === 'true' || key === 'false') return key === 'true';
    const known = keys[key] ?? '';
    if (operator === undefined) return term.trim().startsWith('!') !== Boolean(known);
    if (operator === '=~') return new RegExp(value.slice(1, -1)).test(String(known));
    if (operator === '==' || operator === '!=') return (String(known) === value) === (operator === '==');
    throw new Error(`Not understood in a when clause: ${term}`);
  };
  return when === undefined || when.split('||').some((part) => part.split('&&').every(isTrue));
}

/** What a menu shows where the context keys have these values. Like VS Code, it leaves out empty submenus. */
export function shownIn({ contributes: { menus } }: Manifest, menu: string, keys: ContextKeys): readonly MenuItem[] {
  return (menus[menu] ?? []).filter(
    ({ when, submenu }) =>
      holds(when, keys) && (submenu === undefined || (menus[submenu] ?? []).some((item) => holds(item.when, keys))),
  );
}

function readText(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
