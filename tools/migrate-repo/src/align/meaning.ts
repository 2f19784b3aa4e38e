import type { Workspace } from '@tributary/workspaces/discover';
import { resolveFolder } from '@tributary/workspaces/folders';
import Range from 'semver/classes/range.js';
import SemVer from 'semver/classes/semver.js';
import { parseSpecifier } from './specifier.js';

/** Why a request does not clearly refer to the workspace of its name. */
export type Doubt =
  | 'version not admitted'
  | 'no version'
  | 'tag'
  | 'address'
  | 'other path'
  | 'not built'
  | 'built elsewhere'
  | 'overridden'
  | 'not led';

/** `admitted`: Yarn resolves it to the workspace, or would. `points there`: its path is the workspace's folder. */
export type Meaning = 'admitted' | 'points there' | Doubt;

/**
 * Returns whether a range of `from` refers to the workspace in the folder `to`, which has its name; `undefined` for a
 * range with an explicit target.
 */
export function meaningOf(
  from: Workspace,
  range: string,
  to: { readonly path: string; readonly version: string | undefined },
): Meaning | undefined {
  const { version } = to;
  const specifier = parseSpecifier(range);
  switch (specifier.kind) {
    case 'range':
      return meaningOfVersions(specifier.range, version);
    case 'address':
      return specifier.range === undefined ? 'address' : meaningOfVersions(specifier.range, version);
    case 'path':
      return resolveFolder(from.path, specifier.path) === to.path ? 'points there' : 'other path';
    case 'tag':
      return 'tag';
    case 'workspace':
    case 'alias':
    case 'catalog':
    case 'protocol':
      return undefined;
  }
}

/** Judges a range as `Workspace.accepts` of @yarnpkg/core does: it admits a prerelease only if it names one of the same version. */
function meaningOfVersions(range: Range, version: string | undefined): 'admitted' | Doubt {
  if (version === undefined) return 'no version';
  return range.test(version) ? 'admitted' : 'version not admitted';
}

/**
 * Whether Yarn accepts a workspace's version as a peer. Unlike above, prereleases count as their release. A text that
 * is not a range accepts any version. Source: `satisfiesWithPrereleases` of @yarnpkg/core.
 */
export function satisfiesPeer(local: string | undefined, range: string): boolean {
  const text = range.replace(/^(?:workspace|npm):/, '');
  const specifier = parseSpecifier(text);
  const version = parseVersion(local ?? '0.0.0');
  if (specifier.kind !== 'range' || version === undefined) return true;
  const versions = new Range(specifier.text, { includePrerelease: true });
  return versions.test(version) || versions.test(`${version.major}.${version.minor}.${version.patch}`);
}

function parseVersion(text: string): SemVer | undefined {
  try {
    return new SemVer(text);
  } catch {
    return undefined;
  }
}
