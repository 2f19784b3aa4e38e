/** Maps a name in settings to the packages that it may refer to, the likeliest first; empty if it refers to none. */
export type NamesOf = (value: string) => readonly string[];

/** Returns the name itself: a package, or a file of one. */
export const plain: NamesOf = (value) => [value];

/** Excludes words of the tool itself. */
export function except(words: readonly string[], names: NamesOf): NamesOf {
  const own = new Set(words);
  return (value) => (own.has(value) ? [] : names(value));
}

/** `x` refers to `jest-environment-x`, else to `x`. */
export function prefixed(...prefixes: readonly string[]): NamesOf {
  return (value) => (value.startsWith('@') ? [value] : [...prefixes.map((prefix) => `${prefix}${value}`), value]);
}

/** Resolves a plugin or preset as Babel does. Source: https://babeljs.io/docs/options#name-normalization */
export function ofBabel(type: 'plugin' | 'preset'): NamesOf {
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
export function ofEslint(type: 'plugin' | 'config'): NamesOf {
  return (value) => {
    if (value.startsWith('eslint:')) return [];
    if (value.startsWith('plugin:')) return ofEslint('plugin')(value.slice('plugin:'.length).replace(/\/[^/]*$/, ''));
    const [, scope = '', name = ''] = /^(?:(@[^/]+)(?:\/|$))?(.*)$/.exec(value) ?? [];
    const bare = new RegExp(`^eslint-${type}(?:-|$)`);
    if (scope === '') return [bare.test(name) ? name : `eslint-${type}-${name}`];
    return [name === '' ? `${scope}/eslint-${type}` : `${scope}/${bare.test(name) ? name : `eslint-${type}-${name}`}`];
  };
}
