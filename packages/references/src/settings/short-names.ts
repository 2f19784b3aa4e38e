/** The packages that a name in settings may mean. */
export interface Meanings {
  /** Those that the tool looks for, the likeliest first; none for its own words. */
  readonly meant: readonly string[];
  /** Others, which only a wide reading takes for it. */
  readonly guessed: readonly string[];
}

/** Returns the name itself: a package, or a file in one. */
export function itself(name: string): Meanings {
  return { meant: [name], guessed: [] };
}

/** The same where it is rarely the name of a package. */
export function guess(name: string): Meanings {
  return { meant: [], guessed: [name] };
}

/** Excludes words of the tool itself, separated by spaces. */
export function except(words: string, namesOf: (name: string) => Meanings = itself): (name: string) => Meanings {
  const own = new Set(words.split(' '));
  return (name) => {
    const { meant, guessed } = namesOf(name);
    return own.has(name) ? { meant: [], guessed: [...meant, ...guessed] } : { meant, guessed };
  };
}

/** Returns a name with a prefix: `foo` -> `eslint-plugin-foo`, `@x/foo` -> `@x/eslint-plugin-foo`, `@x` -> `@x/eslint-plugin`. */
function longName(name: string, prefix: string): string {
  const [, scope = '', rest = ''] = /^(@[^/]*)?\/?(.*)$/s.exec(name) ?? [];
  if (rest === prefix || rest.startsWith(`${prefix}-`)) return name;
  return scope === '' ? `${prefix}-${name}` : `${scope}/${prefix}${rest === '' ? '' : `-${rest}`}`;
}

/** The prefixes of common tools. Those of the first are also put behind a scope. */
const SCOPED = ['babel-plugin', 'babel-preset', 'eslint-config', 'eslint-plugin'];
const PREFIXES = ['jest-environment', 'jest-runner', 'jest-sequencer', 'jest-watch', 'vitest-environment', 'karma', '@vitest/coverage'];

/** Lists the packages that a name may mean to any tool. */
export function wideNames(name: string): readonly string[] {
  if (name.startsWith('module:')) return [name.slice('module:'.length)];
  if (name.startsWith('plugin:')) return [pluginOf(name), longName(pluginOf(name), 'eslint-plugin')];
  const own = name.startsWith('@babel/') ? ['plugin', 'preset'] : [];
  const prefixes = name.startsWith('@') ? [...SCOPED, ...own] : [...SCOPED, ...PREFIXES];
  return [...new Set([name, ...prefixes.map((prefix) => longName(name, prefix))])];
}

function meanings(name: string, ...meant: readonly string[]): Meanings {
  return { meant: [...new Set(meant)], guessed: wideNames(name).filter((one) => !meant.includes(one)) };
}

/** Returns the packages of a preset or plugin of Babel. `module:foo` is exactly `foo`. Source: `standardizeName` of @babel/core. */
export function babelNames(name: string, type: 'plugin' | 'preset'): Meanings {
  if (name.startsWith('module:')) return itself(name.slice('module:'.length));
  const isWhole = /^(?:@[^/]+\/[^/]+|[^@/][^/]*)\//.test(name) || (name.startsWith('@') && name.includes(`babel-${type}`));
  return meanings(name, isWhole ? name : longName(name, name.startsWith('@babel/') ? type : `babel-${type}`));
}

/**
 * Returns the packages of a config or plugin of ESLint. `plugin:foo/recommended` is a config of the plugin `foo`. Source:
 * `normalizePackageName` of @eslint/eslintrc.
 */
export function eslintNames(name: string, type: 'config' | 'plugin'): Meanings {
  if (name.startsWith('eslint:')) return { meant: [], guessed: [] };
  return name.startsWith('plugin:')
    ? meanings(name, longName(pluginOf(name), 'eslint-plugin'))
    : meanings(name, longName(name, `eslint-${type}`));
}

function pluginOf(name: string): string {
  const plugin = name.slice('plugin:'.length);
  return plugin.slice(0, Math.max(plugin.lastIndexOf('/'), 0)) || plugin;
}

/** Returns the packages of a name that a tool looks for with a prefix, then without, as `resolveWithPrefix` of jest-resolve does. */
export function prefixedNames(name: string, prefix: string): Meanings {
  return /^@.*\//.test(name) ? itself(name) : meanings(name, longName(name, prefix), name);
}

/** `node` comes with Jest. `jsdom` did before version 28; since then, its package must be installed separately. */
export const jestEnvironmentNames = except('node', (name) =>
  name === 'jsdom' ? meanings(name, 'jest-environment-jsdom') : prefixedNames(name, 'jest-environment'),
);

/** `jsdom` and `happy-dom` are packages; Vitest has the others itself. */
export const vitestEnvironmentNames = except('node edge-runtime', (name) => prefixedNames(name, 'vitest-environment'));

/** Returns the packages of an entry in `types` of a tsconfig: `@a/b` may be `@types/a__b`. */
export function typesNames(name: string): Meanings {
  if (name.startsWith('@types/')) return itself(name);
  return { meant: [`@types/${name.replace(/^@([^/]+)\/([^/]+)/, '$1__$2')}`, name], guessed: [] };
}
