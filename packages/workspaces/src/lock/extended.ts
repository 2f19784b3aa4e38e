import semver from 'semver';
import type { PackageExtension } from './package-extensions.js';

/**
 * Returns whether an extension applies to a version, including pre-releases. Yarn compares with and without what follows the `-`, on either
 * side and depending on earlier calls; here any combination is sufficient. Returns true for a version or range that semver does not know.
 * Source: `semverUtils.satisfiesWithPrereleases` of @yarnpkg/core.
 */
export function isExtended(version: string, extension: PackageExtension): boolean {
  if (extension.range === '*') return true;
  try {
    const range = new semver.Range(extension.range, { includePrerelease: true });
    const exact = new semver.SemVer(version);
    if (range.test(exact)) return true;
    if (!/\d-/.test(version + extension.range)) return false;
    const versions = [exact, new semver.SemVer(releaseOf(exact))];
    return range.set.some((comparators) =>
      comparators.every(({ operator, semver: bound }) => {
        const bounds = bound.version === undefined ? [''] : [bound.version, releaseOf(bound)];
        return bounds.some((text) => versions.some((one) => new semver.Range(operator + text, { includePrerelease: true }).test(one)));
      }),
    );
  } catch {
    return true;
  }
}

function releaseOf({ major, minor, patch }: semver.SemVer): string {
  return `${major}.${minor}.${patch}`;
}
