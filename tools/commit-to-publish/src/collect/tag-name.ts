import valid from 'semver/functions/valid.js';

/** The content of a tag's name. */
export interface TagName {
  /** The package that it names; `undefined` for one such as `v1.2.3`, which names the whole repository. */
  readonly package: string | undefined;
  readonly version: string;
}

/** The default names of release tags: `v1.2.3`, `1.2.3`, `@acme/ui@1.2.3`, `ui@1.2.3`, `ui-v1.2.3`. */
export const TAG_PATTERNS: readonly string[] = [
  'v{version}',
  '{version}',
  '{name}@{version}',
  '{name}@v{version}',
  '{shortName}-v{version}',
];

/** Returns a function that parses tag names by patterns with `{name}`, `{shortName}` and `{version}`; `undefined` for other tags. */
export function tagReader(patterns: readonly string[], packages: ReadonlySet<string>): (tag: string) => TagName | undefined {
  const expressions = patterns.map(expressionOf);
  const byShortName = new Map([...packages].map((name) => [name.slice(name.indexOf('/') + 1), name]));
  return (tag) => {
    for (const expression of expressions) {
      const { name, shortName, version } = expression.exec(tag)?.groups ?? {};
      const read = version === undefined ? null : valid(version);
      const known = name === undefined ? byShortName.get(shortName ?? '') : packages.has(name) ? name : byShortName.get(name);
      if (read === null || (known === undefined && (name ?? shortName) !== undefined)) continue;
      return { package: known, version: read };
    }
    return undefined;
  };
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/\{(name|shortName|version)\}/);
  const text = parts.map((part, position) =>
    position % 2 === 1 ? `(?<${part}>${part === 'version' ? '\\d.*' : '.+'})` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${text.join('')}$`);
}
