import { normalizeRange } from '@tributary/workspaces/lock/resolutions';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import subset from 'semver/ranges/subset.js';
import type { ImportedPackage, LockedVersions } from '../project.js';
import type { Override } from './override-patterns.js';

/** What can be said at the root of an override, so that nobody else gets another version. */
export interface Scoped {
  /** Keys for `resolutions` of the root, each for the imported package alone as things are. */
  readonly keys: readonly string[];
  /** Why that is not all of it, in words; `undefined`: it is. */
  readonly rest: string | undefined;
}

interface Others {
  readonly importedPackage: ImportedPackage;
  /** What the root has locked; `undefined`: it is not known. */
  readonly rootLock: LockedVersions | undefined;
  /** What the other imported packages had locked. */
  readonly locks: readonly LockedVersions[];
}

/**
 * Finds the keys under which Yarn applies an override to what the imported package asks for, directly (`left-pad/name`), through a package that nobody else has, or by a range
 * that nobody else asks for.
 */
export function scopeOverride(override: Override, others: Others): Scoped {
  const { parent } = override;
  if (parent !== undefined && parent.name !== others.importedPackage.name) return scopeToParent(override, parent, others);
  const direct = directRange(override, others.importedPackage);
  const keys = direct === undefined ? [] : [`${others.importedPackage.name}/${override.name}`];
  if (parent !== undefined) return { keys, rest: undefined };
  const indirect = scopeToRanges(override, others);
  return { keys: indirect.keys.includes(override.name) ? [override.name] : [...keys, ...indirect.keys], rest: indirect.rest };
}

/** What the imported package itself asks for; a peer is given by others. */
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
        ? `others have ${parent.name} ${shared.join(', ')} too, and would get ${override.name} ${override.to} with it`
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

/** By which its packages ask, as far as its lockfile tells. What the imported package itself asks for has a key of its own, and counts here only if others may ask so too. */
function rangesOf(override: Override, importedPackage: ImportedPackage): readonly string[] {
  const requests = (importedPackage.oldLock?.requests ?? []).filter(
    ({ name, range }) =>
      name === override.name && range !== override.to && !range.includes('/') && concerns(override.range, range, override.matching),
  );
  const direct = directRange(override, importedPackage);
  return [...new Set(requests.map(({ range }) => range))].filter((range) => range !== direct || requests.length > 1);
}

/** Where the lockfile tells all requests, nobody but the imported package itself asks; else it can only be said for everybody, and only if nobody else has the package. */
function scopeWithoutRanges({ name, range, matching }: Override, { oldLock }: ImportedPackage, elsewhere: readonly string[]): Scoped {
  const isComplete = oldLock?.kind === 'npm' || oldLock?.kind === 'yarn classic';
  if (isComplete && oldLock.requests.length > 0) return { keys: [], rest: undefined };
  const unknown = `its lockfile does not show the ranges in which packages require ${name}`;
  if (elsewhere.length > 0) return { keys: [], rest: `${unknown}, and others have ${name} ${elsewhere.join(', ')}` };
  if (range === undefined) return { keys: [name], rest: undefined };
  return matching === 'text'
    ? { keys: [`${name}@npm:${range}`], rest: undefined }
    : { keys: [], rest: `${unknown}, and Yarn has no selector for "all within ${range}"` };
}

function unknownLock({ name }: Override): string {
  return `the root has no lockfile that shows which other packages have ${name}`;
}

/** `undefined`: it is not known. */
function versionsElsewhere(name: string, { rootLock, locks }: Others): readonly string[] | undefined {
  return rootLock === undefined ? undefined : [...new Set([rootLock, ...locks].flatMap((lock) => lock.versionsOf(name)))];
}

function versionElsewhere(name: string, range: string, { rootLock, locks }: Others): string | undefined {
  return [rootLock, ...locks].map((lock) => lock?.resolve(name, range)).find((version) => version !== undefined);
}
