/** One entry of `resolutions` of the root manifest: the requests that it overrides, and their new range. */
export interface Resolution {
  /** The dependent; `undefined`: any package. */
  readonly from: { readonly name: string; readonly reference: string | undefined } | undefined;
  readonly name: string;
  /** The requested range, normalised; `undefined`: any range. */
  readonly range: string | undefined;
  /** The new range, normalised. */
  readonly to: string;
}

/**
 * Reads `resolutions` by package name, each list in the order of the manifest: the first match is used. A pattern that Yarn 4 rejects (the
 * globs of Yarn 1) applies to the name at its end, for every dependent. That may match more than needed, never less. Source:
 * `parseResolution` of @yarnpkg/parsers, `reduceDependency` of @yarnpkg/plugin-essentials.
 */
export function parseResolutions(resolutions: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Resolution[]> {
  const byName = new Map<string, Resolution[]>();
  for (const [pattern, to] of resolutions) {
    const resolution = parseResolution(pattern, to);
    const list = byName.get(resolution.name);
    if (list === undefined) byName.set(resolution.name, [resolution]);
    else list.push(resolution);
  }
  return byName;
}

const SPECIFIER = String.raw`((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?`;
const PATTERN = new RegExp(`^(?:${SPECIFIER}/)?${SPECIFIER}$`);
const LAST_NAME = /((?:@[^/@]+\/)?[^/@]+)(?:@[^/]*)?$/;

function parseResolution(pattern: string, range: string): Resolution {
  const to = normalizeRange(range);
  const [, from, reference, name, description] = pattern.includes('*/') ? [] : (PATTERN.exec(pattern) ?? []);
  if (name === undefined) return { from: undefined, name: LAST_NAME.exec(pattern)?.[1] ?? pattern, range: undefined, to };
  return {
    from: from === undefined ? undefined : { name: from, reference: reference === undefined ? undefined : normalizeRange(reference) },
    name,
    range: description === undefined ? undefined : normalizeRange(description),
    to,
  };
}

/** Returns the first match for a request; `parent` is the locator of the dependent. */
export function findResolution(resolutions: readonly Resolution[], parent: string, range: string): Resolution | undefined {
  return resolutions.find((resolution) => {
    if (resolution.range !== undefined && resolution.range !== range) return false;
    const { from } = resolution;
    if (from === undefined) return true;
    return from.reference === undefined ? parent.startsWith(`${from.name}@`) : parent === `${from.name}@${from.reference}`;
  });
}

/**
 * Returns whether other entries than before may apply to a request. Only the dependent's name counts, because the versions that an entry
 * applies to may have changed too.
 */
export function isResolvedAnew(
  [before, after]: readonly [readonly Resolution[], readonly Resolution[]],
  parent: string,
  range: string,
): boolean {
  const concerning = (list: readonly Resolution[]) =>
    JSON.stringify(
      list.filter(({ from, range: only }) => (from === undefined || parent.startsWith(`${from.name}@`)) && (only ?? range) === range),
    );
  return concerning(before) !== concerning(after);
}

/** Returns the packages whose resolutions differ between two manifests, with both lists. The order of entries for one name counts. */
export function changedResolutions(
  base: ReadonlyMap<string, string>,
  head: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly [readonly Resolution[], readonly Resolution[]]> {
  const before = parseResolutions(base);
  const after = parseResolutions(head);
  const pairs = [...new Set([...before.keys(), ...after.keys()])].map(
    (name) => [name, [before.get(name) ?? [], after.get(name) ?? []]] as const,
  );
  return new Map(pairs.filter(([, [one, other]]) => JSON.stringify(one) !== JSON.stringify(other)));
}

/**
 * Returns a range with its protocol: `^1.0.0` and `latest` -> `npm:^1.0.0` and `npm:latest`. A range with a protocol or a path stays.
 * Source: `Configuration.normalizeDependency` of @yarnpkg/core.
 */
export function normalizeRange(range: string): string {
  return /[:/\\]/.test(range) ? range : `npm:${range}`;
}
