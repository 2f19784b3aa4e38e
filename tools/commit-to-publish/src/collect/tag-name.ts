import valid from 'semver/functions/valid.js';

/** What the name of a tag says. */
export interface TagName {
  /** The package it names; `undefined` for one such as `v1.2.3`, which is of the whole repository. */
  readonly package: string | undefined;
  readonly version: string;
}

/** How tags for releases are called, where nothing else is said: `v1.2.3`, `1.2.3`, `@acme/ui@1.2.3`, `ui@1.2.3`, `ui-v1.2.3`. */
export const TAG_PATTERNS: readonly string[] = [
  'v{version}',
  '{version}',
  '{name}@{version}',
  '{name}@v{version}',
  '{shortName}-v{version}',
];

/** Reads the names of tags by patterns with `{name}`, `{shortName}` and `{version}`; `undefined` for a tag of something else. */
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
  const text = parts.map((part, place) =>
    place % 2 === 1 ? `(?<${part}>${part === 'version' ? '\\d.*' : '.+'})` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${text.join('')}$`);
}
