import { typesOf } from './package-name.js';
import type { SettingText } from './settings.js';

/** Maps a name in settings to the packages that it may refer to, the likeliest first; empty if it refers to none. */
type NamesOf = (value: string) => readonly string[];

/** Returns the name itself: a package, or a file of one. */
const plain: NamesOf = (value) => [value];

/** Excludes words of the tool itself. */
function except(words: readonly string[], names: NamesOf): NamesOf {
  const own = new Set(words);
  return (value) => (own.has(value) ? [] : names(value));
}

/** `x` refers to `jest-environment-x`, else to `x`. */
function prefixed(...prefixes: readonly string[]): NamesOf {
  return (value) => (value.startsWith('@') ? [value] : [...prefixes.map((prefix) => `${prefix}${value}`), value]);
}

/** Resolves a plugin or preset as Babel does. Source: https://babeljs.io/docs/options#name-normalization */
function ofBabel(type: 'plugin' | 'preset'): NamesOf {
  return (value) => {
    if (value.startsWith('module:')) return [value.slice('module:'.length)];
    if (new RegExp(`^(?:@babel/${type}-|babel-${type}-|@[^/]+/(?:babel-)?${type}(?:-|$))`).test(value)) return [value];
    if (value.startsWith('@babel/')) return [value.replace('/', `/${type}-`)];
    if (/^@[^/]+$/.test(value)) return [`${value}/babel-${type}`];
    if (value.startsWith('@')) return value.includes(`babel-${type}`) ? [value] : [value.replace('/', `/babel-${type}-`)];
    return value.includes('/') ? [value] : [`babel-${type}-${value}`];
  };
}

/** Resolves names in `.eslintrc` as ESLint does. Source: https://eslint.org/docs/v8/extend/plugins */
function ofEslint(type: 'plugin' | 'config'): NamesOf {
  return (value) => {
    if (value.startsWith('eslint:')) return [];
    if (value.startsWith('plugin:')) return ofEslint('plugin')(value.slice('plugin:'.length).replace(/\/[^/]*$/, ''));
    const [, scope = '', name = ''] = /^(?:(@[^/]+)(?:\/|$))?(.*)$/.exec(value) ?? [];
    const bare = new RegExp(`^eslint-${type}(?:-|$)`);
    if (scope === '') return [bare.test(name) ? name : `eslint-${type}-${name}`];
    return [name === '' ? `${scope}/eslint-${type}` : `${scope}/${bare.test(name) ? name : `eslint-${type}-${name}`}`];
  };
}

/** The meaning of texts, by the key above them. The innermost key in the table applies. */
interface ToolRule {
  readonly values?: Readonly<Record<string, NamesOf>>;
  /** For objects whose keys are packages, by the key of the object. */
  readonly keys?: Readonly<Record<string, NamesOf>>;
  /** The meaning of settings that are a single text. */
  readonly whole?: NamesOf;
}

const BABEL: ToolRule = { values: { presets: ofBabel('preset'), plugins: ofBabel('plugin'), extends: plain } };

const ESLINT: ToolRule = {
  values: {
    extends: ofEslint('config'),
    plugins: ofEslint('plugin'),
    parser: plain,
    processor: () => [],
    rules: () => [],
    globals: () => [],
  },
  keys: { 'import/resolver': except(['node'], prefixed('eslint-import-resolver-')), 'import/parsers': plain },
};

const JEST_FILES = [
  'setupFiles',
  'setupFilesAfterEnv',
  'setupTestFrameworkScriptFile',
  'globalSetup',
  'globalTeardown',
  'snapshotSerializers',
  'resolver',
  'prettierPath',
  'testSequencer',
  'testResultsProcessor',
  'moduleLoader',
  'dependencyExtractor',
  'preset',
  'transform',
  'moduleNameMapper',
  'snapshotFormat',
  'modulePaths',
  'haste',
  'hasteImplModulePath',
  'snapshotResolver',
] as const;

/** `node` comes with jest. `jsdom` did before jest 28; since then, its package must be installed separately. */
export const ofJestEnvironment: NamesOf = except(['node'], (value) =>
  value === 'jsdom' ? ['jest-environment-jsdom'] : prefixed('jest-environment-')(value),
);

/** `jsdom` and `happy-dom` are packages; vitest has the others itself. */
export const ofVitestEnvironment: NamesOf = except(['node', 'edge-runtime'], prefixed('vitest-environment-'));

const JEST: ToolRule = {
  values: {
    ...Object.fromEntries(JEST_FILES.map((key) => [key, plain])),
    testEnvironment: ofJestEnvironment,
    runner: except(['jest-runner'], prefixed('jest-runner-')),
    watchPlugins: prefixed('jest-watch-'),
    reporters: except(['default', 'summary', 'github-actions'], plain),
    testRunner: except(['jasmine2', 'circus', 'jest-circus', 'jest-circus/runner', 'jest-jasmine2'], plain),
    testEnvironmentOptions: () => [],
    globals: () => [],
  },
};

const MOCHA_REPORTERS = ['dot', 'doc', 'tap', 'json', 'html', 'list', 'min', 'spec', 'nyan', 'xunit', 'markdown', 'progress', 'landing'];
const STYLELINT_SYNTAX = ['scss', 'sass', 'less', 'sugarss', 'css'];

const POSTCSS: ToolRule = { values: { plugins: plain, parser: plain, syntax: plain }, keys: { plugins: plain } };

const TYPESCRIPT: ToolRule = {
  values: {
    extends: plain,
    types: (value) => [typesOf(value), value],
    name: plain,
    jsxImportSource: plain,
    importHelpers: (value) => (value === 'true' ? ['tslib'] : []),
  },
};

const ofLoader: NamesOf = (value) => (/loader|^@/.test(value) ? value.split('!') : []);

/** The rule for bundlers and other tools whose settings are mostly code. */
const OTHER: ToolRule = { values: { loader: ofLoader, use: ofLoader, presets: ofBabel('preset'), plugins: ofBabel('plugin') } };

const TOOLS: Readonly<Record<string, ToolRule>> = {
  babel: BABEL,
  eslint: ESLINT,
  jest: JEST,
  prettier: { values: { plugins: plain }, whole: plain },
  postcss: POSTCSS,
  tsconfig: TYPESCRIPT,
  jsconfig: TYPESCRIPT,
  mocha: { values: { require: plain, loader: plain, reporter: except(MOCHA_REPORTERS, plain) } },
  nyc: { values: { extends: plain, require: plain } },
  ava: { values: { require: plain, nodeArguments: () => [] } },
  stylelint: { values: { extends: plain, plugins: plain, customSyntax: plain, syntax: except(STYLELINT_SYNTAX, plain), rules: () => [] } },
  commitlint: { values: { extends: prefixed('commitlint-config-'), rules: () => [] } },
  tap: { values: { plugin: plain } },
  remark: { values: { plugins: prefixed('remark-') } },
  release: { values: { plugins: plain, extends: plain } },
};

/** The blocks of a package.json with settings of a tool. */
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ...['babel', 'jest', 'prettier', 'postcss', 'mocha', 'nyc', 'ava', 'stylelint', 'commitlint', 'release', 'tap'].map(
    (key) => [key, key] as const,
  ),
  ['eslintConfig', 'eslint'],
  ['remarkConfig', 'remark'],
]);

/** Returns the tool that reads a settings file; `other` if it is unknown, or needs no rule. */
export function toolOf(path: string): string {
  const [, name = ''] = /(?:^|\/)\.?([a-z]+)[\w.-]*$/.exec(path) ?? [];
  const tool = name.replace(/rc$/, '');
  return Object.hasOwn(TOOLS, tool) ? tool : 'other';
}

/** Returns the packages that a setting may refer to, the likeliest first. Empty for most settings. */
export function namesIn(tool: string, setting: SettingText): readonly string[] {
  const rule = TOOLS[tool] ?? OTHER;
  const { keys, role, value } = setting;
  if (/^(?:\.|\/|<rootDir>)/.test(value)) return [];
  if (role === 'key') return rule.keys?.[keys.at(-1) ?? '']?.(value) ?? [];
  if (keys.length === 0) return rule.whole?.(value) ?? [];
  const key = keys.findLast((one) => rule.values !== undefined && Object.hasOwn(rule.values, one));
  return key === undefined ? [] : (rule.values?.[key]?.(value) ?? []);
}

/** Returns the same for a setting in a package.json. */
export function namesInManifest(setting: SettingText): readonly string[] {
  const [block = '', ...keys] = setting.keys;
  const tool = BLOCKS.get(block);
  return tool === undefined ? [] : namesIn(tool, { ...setting, keys });
}
