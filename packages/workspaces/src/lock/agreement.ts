import type { Manifest } from '../manifest.js';

/** The ranges of a workspace in the lockfile, by name. */
export interface LockedRanges {
  readonly dependencies: ReadonlyMap<string, string>;
  readonly peerDependencies: ReadonlyMap<string, string>;
}

export interface RangeDifference {
  readonly name: string;
  readonly inLock: string | undefined;
  readonly inManifest: string | undefined;
}

/**
 * Returns the ranges of a manifest that differ from the lockfile: it was edited without a `yarn install`. In the order of the manifest.
 * Source: `WorkspaceResolver.resolve`, `Configuration.normalizeDependencyMap` and `Project.generateLockfile` of @yarnpkg/core.
 */
export function differingRanges(manifest: Manifest, locked: LockedRanges): readonly RangeDifference[] {
  const { dependencies, optionalDependencies, devDependencies, peerDependencies } = manifest;
  const asked = new Map([...dependencies, ...optionalDependencies, ...devDependencies]);
  return [
    ...compareBlock(asked, locked.dependencies),
    ...compareBlock(peerDependencies, withoutTypes(locked.peerDependencies, peerDependencies)),
  ];
}

function compareBlock(asked: ReadonlyMap<string, string>, locked: ReadonlyMap<string, string>): readonly RangeDifference[] {
  const names = [...new Set([...asked.keys(), ...locked.keys()])];
  return names.flatMap((name) => {
    const inManifest = asked.get(name);
    const inLock = locked.get(name);
    if (inManifest !== undefined && inLock !== undefined && normalize(inManifest) === normalize(inLock)) return [];
    return [{ name, inLock, inManifest }];
  });
}

/**
 * Returns a range in a common notation. Yarn 4 writes `npm:` before plain ranges, earlier versions did not. A bare path is a `file:`. Some
 * versions append `::locator=…` to a path.
 */
function normalize(range: string): string {
  const plain = range.trim().replace(/::locator=.*$/s, '');
  if (/^\.{0,2}\//.test(plain)) return `file:${plain}`;
  return plain.replace(/^npm:/, '');
}

/** Removes the `@types/` peers that Yarn adds. */
function withoutTypes(locked: ReadonlyMap<string, string>, asked: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...locked].filter(([name]) => asked.has(name) || !name.startsWith('@types/')));
}
