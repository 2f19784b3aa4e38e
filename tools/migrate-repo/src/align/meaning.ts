import type { Workspace } from '@tributary/workspaces/discover';
import { resolveFolder } from '@tributary/workspaces/folders';
import Range from 'semver/classes/range.js';
import SemVer from 'semver/classes/semver.js';
import { parseSpecifier } from './specifier.js';

/** Why a request does not clearly mean the workspace of its name. */
export type Doubt = 'version not admitted' | 'no version' | 'tag' | 'address' | 'other path' | 'not built' | 'overridden' | 'not led';

/** `admitted`: Yarn takes the workspace for it, or would; `points there`: its path is the workspace's folder. */
export type Meaning = 'admitted' | 'points there' | Doubt;

/** Whether a range of `from` means the workspace in the folder `to`, which has its name; `undefined` for one that says of itself where it leads. */
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

/** As `Workspace.accepts` of @yarnpkg/core: a prerelease only where the range names one of the same version. */
function meaningOfVersions(range: Range, version: string | undefined): 'admitted' | Doubt {
  if (version === undefined) return 'no version';
  return range.test(version) ? 'admitted' : 'version not admitted';
}

/**
 * Whether Yarn is content with a workspace of this version as a peer. Prereleases are taken for their release here, unlike above; what is no range of
 * versions is met by any. Source: `satisfiesWithPrereleases` of @yarnpkg/core.
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
