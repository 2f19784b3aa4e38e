import { normalizeRange } from '@tributary/workspaces/lock/resolutions';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import subset from 'semver/ranges/subset.js';
import type { ImportedPackage, LockedVersions } from '../project.js';
import type { Override } from './override-patterns.js';

/** The part of an override that the root can express without changing others' versions. */
export interface Scoped {
  /** Keys for `resolutions` of the root. Currently, each affects only the imported package. */
  readonly keys: readonly string[];
  /** Why it is not the whole override, in words; `undefined` if it is. */
  readonly rest: string | undefined;
}

interface Others {
  readonly importedPackage: ImportedPackage;
  /** The root's locked versions; `undefined` if unknown. */
  readonly rootLock: LockedVersions | undefined;
  /** The locked versions of the other imported packages. */
  readonly locks: readonly LockedVersions[];
}

/**
 * Returns the keys under which Yarn applies an override only to the imported package: directly (`left-pad/name`),
 * through a package that nobody else has, or by a range that nobody else requests.
 */
export function scopeOverride(override: Override, others: Others): Scoped {
  const { parent } = override;
  if (parent !== undefined && parent.name !== others.importedPackage.name) return scopeToParent(override, parent, others);
  const direct = directRange(override, others.importedPackage);
  const keys = direct === undefined ? [] : [`${others.importedPackage.name}/${override.name}`];
  if (parent !== undefined) return { keys, rest: undefined };
  const indirect = scopeToAskers(override, others) ?? scopeToRanges(override, others);
  return { keys: [...keys, ...indirect.keys], rest: indirect.rest };
}

/** More entries than a person wants to read for one override. */
const MOST_ASKERS = 8;

/**
 * Returns one key for each package that requires the name; `undefined` if they are unknown or too many. Unlike a range,
 * such a key does not affect what comes later.
 */
function scopeToAskers(override: Override, others: Others): Scoped | undefined {
  const { name, range, matching } = override;
  const askers = others.importedPackage.oldLock?.askersOf(name) ?? [];
  const concerned = askers.filter((one) => range === undefined || (one.range !== undefined && concerns(range, one.range, matching)));
  const names = [...new Set(concerned.map((one) => one.name))];
  if (names.length === 0 || names.length > MOST_ASKERS || askers.some((one) => one.range === undefined && range !== undefined))
    return undefined;
  const scoped = names.flatMap((parent) => {
    const ranges = range === undefined ? [undefined] : [...new Set(concerned.filter((one) => one.name === parent).map((one) => one.range))];
    return ranges.map((asked) => scopeToParent({ ...override, range: asked }, { name: parent, range: undefined }, others));
  });
  const rests = scoped.flatMap(({ rest }) => rest ?? []);
  return { keys: scoped.flatMap(({ keys }) => keys), rest: rests.length === 0 ? undefined : rests.join('; ') };
}

/** Returns the imported package's own range. Peers are provided by others. */
function directRange({ name, range, matching }: Override, { manifest }: ImportedPackage): string | undefined {
  const asked = manifest.dependencies.get(name) ?? manifest.devDependencies.get(name) ?? manifest.optionalDependencies.get(name);
  return asked !== undefined && concerns(range, asked, matching) ? asked : undefined;
}

function concerns(range: string | undefined, asked: string, matching: Override['matching']): boolean {
  if (range === undefined) return true;
  if (matching === 'text') return asked.replace(/^npm:/, '') === range;
  const [outer, inner] = [parseSemverRange(range), parseSemverRange(asked.replace(/^npm:/, ''))];
  return outer !== undefined && inner !== undefined && subset(inner, outer);
}

function scopeToParent(override: Override, parent: { readonly name: string; readonly range: string | undefined }, others: Others): Scoped {
  const key = (from: string): string => `${from}/${override.name}${override.range === undefined ? '' : `@npm:${override.range}`}`;
  const own = others.importedPackage.oldLock?.versionsOf(parent.name) ?? [];
  const wanted = own.filter((version) => parent.range === undefined || parseSemverRange(parent.range)?.test(version) === true);
  const elsewhere = versionsElsewhere(parent.name, others);
  if (elsewhere === undefined) return { keys: [], rest: unknownLock(override) };
  if (elsewhere.length === 0 && parent.range === undefined) return { keys: [key(parent.name)], rest: undefined };
  const alone = wanted.filter((version) => !elsewhere.includes(version));
  const shared = wanted.filter((version) => elsewhere.includes(version));
  const rest =
    wanted.length === 0
      ? `its lockfile does not show which packages have ${parent.name}`
      : shared.length > 0
        ? `other packages have ${parent.name} ${shared.join(', ')} too, and would get ${override.name} ${override.to} with it`
        : undefined;
  return { keys: alone.map((version) => key(`${parent.name}@npm:${version}`)), rest };
}

function scopeToRanges(override: Override, others: Others): Scoped {
  const { name, to } = override;
  const elsewhere = versionsElsewhere(name, others);
  if (elsewhere === undefined) return { keys: [], rest: unknownLock(override) };
  const ranges = rangesOf(override, others.importedPackage);
  if (ranges.length === 0) return scopeWithoutRanges(override, others.importedPackage, elsewhere);
  const held = ranges.map((range) => ({ range, version: versionElsewhere(name, range, others) }));
  const changed = held.filter(({ version }) => version !== undefined && version !== to);
  const alone = held.filter(({ version }) => version === undefined);
  const effects = changed.map(({ range, version }) => `dependents that require ${range} would get ${to} instead of ${version}`);
  return {
    keys: alone.map(({ range }) => `${name}@${normalizeRange(range)}`),
    rest: effects.length === 0 ? undefined : `other packages would also get it: ${effects.join('; ')}`,
  };
}

/**
 * Returns the ranges with which its packages request the name, as far as its lockfile has them. The imported package's
 * own request has its own key. It counts here only if others may make the same request.
 */
function rangesOf(override: Override, importedPackage: ImportedPackage): readonly string[] {
  const requests = (importedPackage.oldLock?.requests ?? []).filter(
    ({ name, range }) =>
      name === override.name && range !== override.to && !range.includes('/') && concerns(override.range, range, override.matching),
  );
  const direct = directRange(override, importedPackage);
  return [...new Set(requests.map(({ range }) => range))].filter((range) => range !== direct || requests.length > 1);
}

/**
 * Returns the keys if no ranges are known: only a range that the override itself names. If the lockfile records all
 * requests, only the imported package itself makes one. Otherwise an entry for all would also hold for packages that
 * others bring, now or later.
 */
function scopeWithoutRanges({ name, range, matching }: Override, { oldLock }: ImportedPackage, elsewhere: readonly string[]): Scoped {
  const isComplete = oldLock?.kind === 'npm' || oldLock?.kind === 'yarn classic';
  if (isComplete && oldLock.requests.length > 0) return { keys: [], rest: undefined };
  const unknown =
    oldLock === undefined
      ? `it has no lockfile that shows which packages require ${name}`
      : `its lockfile does not show the ranges in which packages require ${name}`;
  if (elsewhere.length === 0 && range !== undefined && matching === 'text') return { keys: [`${name}@npm:${range}`], rest: undefined };
  if (elsewhere.length === 0 && range !== undefined)
    return { keys: [], rest: `${unknown}, and Yarn has no selector for "all within ${range}"` };
  const who =
    elsewhere.length === 0 ? 'an entry for all would also apply to other packages' : `other packages have ${name} ${elsewhere.join(', ')}`;
  return { keys: [], rest: `${unknown}, and ${who}` };
}

function unknownLock({ name }: Override): string {
  return `the root has no lockfile that shows which other packages have ${name}`;
}

/** Returns the versions that others have; `undefined` if unknown. */
function versionsElsewhere(name: string, { rootLock, locks }: Others): readonly string[] | undefined {
  return rootLock === undefined ? undefined : [...new Set([rootLock, ...locks].flatMap((lock) => lock.versionsOf(name)))];
}

function versionElsewhere(name: string, range: string, { rootLock, locks }: Others): string | undefined {
  return [rootLock, ...locks].map((lock) => lock?.resolve(name, range)).find((version) => version !== undefined);
}
