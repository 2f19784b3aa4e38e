import type { Manifest } from '../manifest.js';

/** What a lockfile has of a workspace: ranges by name. */
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
 * The ranges of a manifest that are not those of the lockfile: there was no `yarn install` since it was edited. In the order of the
 * manifest. Source: `WorkspaceResolver.resolve`, `Configuration.normalizeDependencyMap` and `Project.generateLockfile` of @yarnpkg/core.
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

/** Yarn 4 writes `npm:` before plain ranges, earlier ones did not; a bare path is a `file:`; a path gets `::locator=…` in some versions. */
function normalize(range: string): string {
  const plain = range.trim().replace(/::locator=.*$/s, '');
  if (/^\.{0,2}\//.test(plain)) return `file:${plain}`;
  return plain.replace(/^npm:/, '');
}

/** Yarn adds peers of its own for types. */
function withoutTypes(locked: ReadonlyMap<string, string>, asked: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...locked].filter(([name]) => asked.has(name) || !name.startsWith('@types/')));
}
