/**
 * Lists the packages that a short name of a tool may mean, and the name itself: with `babel-plugin`, `foo` may be `babel-plugin-foo`,
 * `@x/foo` may be `@x/babel-plugin-foo`, and `@x` may be `@x/babel-plugin`. A path below a package stays. Sources: `normalizePackageName`
 * of @eslint/eslintrc, `standardizeName` of @babel/core, `resolveWithPrefix` of jest-resolve.
 */
export function longNames(name: string, prefixes: readonly string[]): readonly string[] {
  const [, scope = '', rest = ''] = /^(@[^/]*)?\/?(.*)$/s.exec(name) ?? [];
  const longer = prefixes.filter((prefix) => rest !== prefix && !rest.startsWith(`${prefix}-`));
  if (scope === '') return [name, ...longer.map((prefix) => `${prefix}-${name}`)];
  return [name, ...longer.map((prefix) => `${scope}/${prefix}${rest === '' ? '' : `-${rest}`}`)];
}

/** Returns the packages of a preset or plugin of Babel. `module:foo` is exactly `foo`. */
export function babelNames(name: string): readonly string[] {
  if (name.startsWith('module:')) return [name.slice('module:'.length)];
  const own = name.startsWith('@babel/') ? ['plugin', 'preset'] : [];
  return longNames(name, ['babel-plugin', 'babel-preset', ...own]);
}

/** Returns the packages of a config or plugin of ESLint. `plugin:foo/recommended` is a config of the plugin `foo`. */
export function eslintNames(name: string): readonly string[] {
  if (name.startsWith('eslint:')) return [];
  if (!name.startsWith('plugin:')) return longNames(name, ['eslint-config', 'eslint-plugin']);
  const plugin = name.slice('plugin:'.length);
  return longNames(plugin.slice(0, Math.max(plugin.lastIndexOf('/'), 0)) || plugin, ['eslint-plugin']);
}

const JEST_PREFIXES = ['jest-environment', 'jest-runner', 'jest-sequencer', 'jest-watch', 'vitest-environment'];

/** Returns the packages of an environment, runner, sequencer or watch plugin of Jest or Vitest. */
export function jestNames(name: string): readonly string[] {
  return name.startsWith('@') ? [name] : longNames(name, JEST_PREFIXES);
}

/** Returns the packages of an entry in `types` of a tsconfig: `@a/b` may be `@types/a__b`. */
export function typesNames(name: string): readonly string[] {
  if (name.startsWith('@types/')) return [name];
  return [name, `@types/${name.replace(/^@([^/]+)\/([^/]+)/, '$1__$2')}`];
}
