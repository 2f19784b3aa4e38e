/** One entry of `resolutions` of the root manifest: which requests it concerns, and the range they get instead. */
export interface Resolution {
  /** The package that asks; `undefined`: every package. */
  readonly from: { readonly name: string; readonly reference: string | undefined } | undefined;
  readonly name: string;
  /** The range that is asked for, normalised; `undefined`: every range. */
  readonly range: string | undefined;
  /** The new range, normalised. */
  readonly to: string;
}

/**
 * Reads `resolutions`, by the name of the package they are for, each list in the order of the manifest: the first that fits is used.
 * A pattern that Yarn 4 refuses (the globs of Yarn 1) counts for the name at its end, whoever asks:
 * more can then be concerned than is, never less.
 * Source: `parseResolution` of @yarnpkg/parsers, `reduceDependency` of @yarnpkg/plugin-essentials.
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

/** The first that fits a request; `parent` is the locator of the package that asks. */
export function findResolution(resolutions: readonly Resolution[], parent: string, range: string): Resolution | undefined {
  return resolutions.find((resolution) => {
    if (resolution.range !== undefined && resolution.range !== range) return false;
    const { from } = resolution;
    if (from === undefined) return true;
    return from.reference === undefined ? parent.startsWith(`${from.name}@`) : parent === `${from.name}@${from.reference}`;
  });
}

/**
 * Whether other entries than before may concern a request. Of the package that asks only the name counts: which of its versions they are
 * for may have changed too.
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

/** The packages whose resolutions differ between two manifests, with both lists. The order counts among those for one name. */
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
 * `^1.0.0` and `latest` -> `npm:^1.0.0` and `npm:latest`; everything with a protocol or a path stays as it is.
 * Source: `Configuration.normalizeDependency` of @yarnpkg/core.
 */
export function normalizeRange(range: string): string {
  return /[:/\\]/.test(range) ? range : `npm:${range}`;
}
