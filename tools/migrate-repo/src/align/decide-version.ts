import type { VersionPolicy } from '@tributary/model/config';
import compare from 'semver/functions/compare.js';
import { admits, type Candidate, candidatesOf, heightOf, type Obstacle, obstacleTo } from './candidates.js';
import type { Declaration } from './declarations.js';
import { isLooser } from './loosening.js';

/** A declaration that gets the range of another one, and its locked version. */
export interface Replacement {
  readonly declaration: Declaration;
  readonly by: Pick<Candidate, 'range' | 'versions' | 'from' | 'locked'>;
}

/** The decision for a declaration of an imported package whose dependency the others declare too. */
export type VersionDecision =
  /** One range works for all. It may be the imported package's own. */
  | { readonly kind: 'takes over'; readonly replacement: Replacement }
  /** No range works for all, and the policy decides. `inCatalogs`: declarations that would have to change too, but are in a catalog. */
  | {
      readonly kind: 'by policy';
      readonly policy: Exclude<VersionPolicy, 'report'>;
      readonly obstacle: Obstacle;
      readonly replacements: readonly Replacement[];
      readonly inCatalogs: readonly Declaration[];
    }
  /** No range works for all, and a person decides. */
  | { readonly kind: 'left'; readonly obstacle: Obstacle };

/** The team's policy if no range works for all. */
export interface AppliedPolicy {
  readonly policy: VersionPolicy;
  /** `dependency`: tributary.json names this dependency. Only then may `workspace` lower or loosen its ranges; `highest` never does. */
  readonly names: 'dependency' | 'none';
}

/** Decides about one declaration of an imported package, given the other declarations of the same package (at least one). */
export function decideVersion(own: Declaration, others: readonly Declaration[], applied: AppliedPolicy): VersionDecision {
  const candidates = candidatesOf(others);
  const obstacles = candidates.map((candidate) => obstacleTo(candidate, own));
  const fitting = candidates.filter((_, place) => obstacles[place] === undefined);
  const best = mostWanted(fitting, own);
  const isIdle = best !== undefined && best.versions !== own.versions && fitting.some((one) => publishesForNothing(own, one));
  if (best !== undefined && !isIdle) return { kind: 'takes over', replacement: takeOver(own, best) };
  const known = obstacles.filter((obstacle) => obstacle !== undefined);
  const obstacle = isIdle ? 'published' : (known.find((one) => one !== 'ranges exclude each other') ?? 'ranges exclude each other');
  return decideByPolicy(own, others, { ...applied, obstacle }) ?? { kind: 'left', obstacle };
}

/**
 * Whether a change of a published range would change no version. Such a change would alter the published manifest
 * without any effect here.
 */
function publishesForNothing(own: Declaration, { versions, locked }: Candidate): boolean {
  if (own.reach !== 'consumers' || own.from === 'catalog' || versions === own.versions) return false;
  return locked === undefined || locked.version === own.locked?.version;
}

type PolicyCase = AppliedPolicy & { readonly obstacle: Obstacle };

/**
 * Returns the decision of the policy; `undefined` if it has none, or if it would lower or loosen a range of a
 * dependency that it does not name.
 */
function decideByPolicy(
  own: Declaration,
  others: readonly Declaration[],
  { policy, names, obstacle }: PolicyCase,
): VersionDecision | undefined {
  if (policy === 'report') return undefined;
  const { replacements, inCatalogs } = policy === 'workspace' ? followMost(own, others, names) : raise(own, others);
  return replacements.length + inCatalogs.length === 0 ? undefined : { kind: 'by policy', policy, obstacle, replacements, inCatalogs };
}

/**
 * Returns the preferred range: one in a catalog, then the imported package's own, then one that changes no version,
 * then the most frequent.
 */
function mostWanted(candidates: readonly Candidate[], own: Declaration): Candidate | undefined {
  const isSame = ({ versions }: Candidate): boolean => versions === own.versions;
  const isStill = ({ locked }: Candidate): boolean => locked !== undefined && locked.version === own.locked?.version;
  const catalogs = candidates.filter(({ from }) => from === 'catalog');
  return catalogs.find(isSame) ?? catalogs[0] ?? candidates.find(isSame) ?? candidates.find(isStill) ?? candidates[0];
}

/** Returns the replacement. `npm:^1.0.0` is not rewritten if the others have `^1.0.0`. */
function takeOver(declaration: Declaration, by: Candidate): Replacement {
  const isSame = by.from === 'manifest' && declaration.from === 'manifest' && by.versions === declaration.versions;
  return { declaration, by: isSame ? { ...by, range: declaration.range } : by };
}

function mayGet(from: Declaration, by: Pick<Candidate, 'versions'>): boolean {
  return !isLooser(by.versions, from.versions);
}

interface PolicyAnswer {
  readonly replacements: readonly Replacement[];
  readonly inCatalogs: readonly Declaration[];
}

function followMost(own: Declaration, others: readonly Declaration[], names: AppliedPolicy['names']): PolicyAnswer {
  const most = candidatesOf(others).find((one) => names === 'dependency' || mayGet(own, one));
  return { replacements: most === undefined ? [] : [takeOver(own, most)], inCatalogs: [] };
}

/**
 * Raises all to the highest range. If the others' is at least as high as the imported package's own, that is it.
 * Otherwise the others get the own one.
 */
function raise(own: Declaration, others: readonly Declaration[]): PolicyAnswer {
  const higher = candidatesOf(others).filter((one) => compare(heightOf(one), heightOf(own)) >= 0);
  const [top] = higher.filter((one) => mayGet(own, one)).sort((a, b) => compare(heightOf(b), heightOf(a)));
  if (top !== undefined) return { replacements: [takeOver(own, top)], inCatalogs: [] };
  const isLower = (one: Declaration): boolean => compare(heightOf(one), heightOf(own)) <= 0 && one.versions !== own.versions;
  const lower = others.filter((one) => isLower(one) && mayGet(one, own));
  return {
    replacements: lower.filter(({ from }) => from === 'manifest').map((declaration) => ({ declaration, by: own })),
    inCatalogs: lower.filter(({ from }) => from === 'catalog'),
  };
}

/**
 * Returns the declaration after a replacement. If no version is locked for the new range, the old version stays, if the
 * range admits it.
 */
export function replaced({ declaration, by }: Replacement): Declaration {
  const { range, versions, from } = by;
  const stays = declaration.locked !== undefined && admits(versions, declaration.locked.version);
  return { ...declaration, range, versions, from, locked: by.locked ?? (stays ? declaration.locked : undefined) };
}
