import type { VersionPolicy } from '@tributary/model/config';
import compare from 'semver/functions/compare.js';
import { admits, type Candidate, candidatesOf, heightOf, isWithin, type Obstacle, obstacleTo } from './candidates.js';
import type { Declaration } from './declarations.js';

/** A declaration that gets the range of another, and with it what is locked for that. */
export interface Replacement {
  readonly declaration: Declaration;
  readonly by: Pick<Candidate, 'range' | 'versions' | 'from' | 'locked'>;
}

/** What is to become of what an imported package declares, where the others declare the same package. */
export type Decision =
  /** One range that all can live with. It may be the one that the imported package has. */
  | { readonly kind: 'takes over'; readonly replacement: Replacement }
  /** There is none, and the policy has an answer. `inCatalogs`: what would have to change too, but stands in a catalog. */
  | {
      readonly kind: 'by policy';
      readonly policy: Exclude<VersionPolicy, 'report'>;
      readonly obstacle: Obstacle;
      readonly replacements: readonly Replacement[];
      readonly inCatalogs: readonly Declaration[];
    }
  /** There is none, and a person decides. */
  | { readonly kind: 'left'; readonly obstacle: Obstacle };

/** Decides about one declaration of an imported package, given those of the same package by the others (one at least). */
export function decideVersion(own: Declaration, others: readonly Declaration[], policy: VersionPolicy): Decision {
  const candidates = candidatesOf(others);
  const obstacles = candidates.map((candidate) => obstacleTo(candidate, own));
  const best = mostWanted(
    candidates.filter((_, place) => obstacles[place] === undefined),
    own,
  );
  if (best !== undefined) return { kind: 'takes over', replacement: takeOver(own, best) };
  const known = obstacles.filter((obstacle) => obstacle !== undefined);
  const obstacle = known.find((one) => one !== 'ranges exclude each other') ?? 'ranges exclude each other';
  switch (policy) {
    case 'report':
      return { kind: 'left', obstacle };
    case 'workspace':
      return { kind: 'by policy', policy, obstacle, replacements: candidates.slice(0, 1).map((by) => takeOver(own, by)), inCatalogs: [] };
    case 'highest':
      return { kind: 'by policy', policy, obstacle, ...raise(own, others) };
  }
}

/**
 * A catalog is there to be used, unless consumers would pay for it with versions that they did not get so far; then comes what the imported package has, then what moves
 * no version, what widens nothing, what most have.
 */
function mostWanted(candidates: readonly Candidate[], own: Declaration): Candidate | undefined {
  const isStill = ({ locked }: Candidate): boolean => locked !== undefined && locked.version === own.locked?.version;
  return (
    catalogFor(candidates, own) ??
    candidates.find(({ versions }) => versions === own.versions) ??
    candidates.find((candidate) => isStill(candidate) && isWithin(candidate, own)) ??
    candidates.find(isStill) ??
    candidates.find((candidate) => isWithin(candidate, own)) ??
    candidates[0]
  );
}

function catalogFor(candidates: readonly Candidate[], own: Declaration): Candidate | undefined {
  const catalogs = candidates.filter(({ from }) => from === 'catalog');
  const narrow = catalogs.find(({ versions }) => versions === own.versions) ?? catalogs.find((one) => isWithin(one, own));
  const [first] = catalogs;
  if (first === undefined || narrow !== undefined || own.reach === 'workspace') return narrow ?? first;
  return candidates.find((one) => one.locked?.version === first.locked?.version && isWithin(one, own)) ?? first;
}

/** `npm:^1.0.0` is not rewritten where the others have `^1.0.0`. */
function takeOver(declaration: Declaration, by: Candidate): Replacement {
  const isSame = by.from === 'manifest' && declaration.from === 'manifest' && by.versions === declaration.versions;
  return { declaration, by: isSame ? { ...by, range: declaration.range } : by };
}

/** The highest range for all: the imported package's own where it is higher than all others, which then change, else the highest of those. */
function raise(
  own: Declaration,
  others: readonly Declaration[],
): { readonly replacements: readonly Replacement[]; readonly inCatalogs: readonly Declaration[] } {
  const top = [...candidatesOf(others)].sort((a, b) => compare(heightOf(b), heightOf(a)))[0];
  if (top !== undefined && compare(heightOf(top), heightOf(own)) >= 0) return { replacements: [takeOver(own, top)], inCatalogs: [] };
  const lower = others.filter(({ versions }) => versions !== own.versions);
  return {
    replacements: lower.filter(({ from }) => from === 'manifest').map((declaration) => ({ declaration, by: own })),
    inCatalogs: lower.filter(({ from }) => from === 'catalog'),
  };
}

/** The declaration as it is after that. Without a version that is locked for the new range, the old one stays where it is admitted. */
export function replaced({ declaration, by }: Replacement): Declaration {
  const { range, versions, from } = by;
  const stays = declaration.locked !== undefined && admits(versions, declaration.locked.version);
  return { ...declaration, range, versions, from, locked: by.locked ?? (stays ? declaration.locked : undefined) };
}
