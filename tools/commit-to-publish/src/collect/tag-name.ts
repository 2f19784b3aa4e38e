import valid from 'semver/functions/valid.js';

/** The content of a tag's name. */
export interface TagName extends TagForm {
  /** The package that it names; `undefined` for one such as `v1.2.3`, which names the whole repository. */
  readonly package: string | undefined;
  readonly version: string;
}

interface TagForm {
  /** Whether tags of this form often are something else, such as a cut point (`release-1.2.3`) or a module of Go (`api/v1.2.3`). */
  readonly isRare?: boolean;
}

/** A tag whose short name several packages have. */
export interface AmbiguousTag extends TagForm {
  readonly candidates: readonly string[];
  readonly version: string;
}

const USUAL = ['v{version}', '{version}', '{name}@{version}', '{name}@v{version}', '{name}-v{version}'];
const RARE = [
  '{name}-{version}',
  ...['_', '/'].flatMap((sign) => [`{name}${sign}{version}`, `{name}${sign}v{version}`]),
  ...['release-', 'release-v', 'release/', 'release/v'].map((word) => `${word}{version}`),
];

/** The default names of release tags: `v1.2.3`, `1.2.3`, `@acme/ui@1.2.3`, `ui-v1.2.3`, `ui_v1.2.3`, `ui/v1.2.3`, `release-1.2.3`. */
export const TAG_PATTERNS: readonly string[] = [...USUAL, ...RARE];

/**
 * Returns a function that parses tag names by patterns with `{name}`, `{shortName}` and `{version}`; `undefined` for other tags. A package
 * that has exactly this name comes before those that have it behind their scope, and these before those of a folder with this path.
 */
export function tagReader(
  patterns: readonly string[],
  packages: ReadonlySet<string>,
  folders: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): (tag: string) => TagName | AmbiguousTag | undefined {
  const expressions = patterns.map((pattern) => ({ expression: expressionOf(pattern), form: { isRare: RARE.includes(pattern) } }));
  const byShortName = new Map<string, string[]>();
  for (const name of packages) {
    const short = name.slice(name.indexOf('/') + 1);
    byShortName.set(short, [...(byShortName.get(short) ?? []), name]);
  }
  return (tag) => {
    for (const { expression, form } of expressions) {
      const { name, shortName, version } = expression.exec(tag)?.groups ?? {};
      const read = version === undefined ? undefined : versionOf(version);
      if (read === undefined) continue;
      const named = name ?? shortName;
      if (named === undefined) return { package: undefined, version: read, ...form };
      const candidates = packages.has(named) ? [named] : (byShortName.get(named) ?? [...(folders.get(named) ?? [])]);
      if (candidates.length > 1) return { candidates, version: read, ...form };
      if (candidates[0] !== undefined) return { package: candidates[0], version: read, ...form };
    }
    return undefined;
  };
}

/** Most versions, which are as npm publishes them: to see that takes a fraction of the time. */
const PLAIN = /^(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})(?:-[a-z]+\.(?:0|[1-9]\d{0,9}))?$/;

/** Returns a version as npm publishes it: without leading zeros (`2026.01.05`) and without build metadata (`1.0.0+5`). */
export function versionOf(text: string): string | undefined {
  return PLAIN.test(text) ? text : (valid(text, { loose: true }) ?? undefined);
}

/** Some write `V1.2.3` or `Release-1.2.3`. The name is as short as possible, for a version such as `1.0.0-rc-2` may contain the sign between both. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/\{(name|shortName|version)\}/);
  const text = parts.map((part, position) =>
    position % 2 === 1 ? `(?<${part}>${part === 'version' ? '\\d+\\.\\d+\\.\\d+.*' : '.+?'})` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${text.join('')}$`, 'i');
}
