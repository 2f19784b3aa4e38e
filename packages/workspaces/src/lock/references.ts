import { type Numbered, nameOf } from '@tributary/lockfile/descriptors';
import type { LockIndex } from '@tributary/lockfile/lock-index';
import type { EntryHead, LockRecord } from '@tributary/lockfile/scan';
import type { Catalogs } from '../ranges.js';
import { decode } from './bound.js';
import type { PackageExtensions } from './package-extensions.js';
import { findResolution, normalizeRange, parseResolutions, type Resolution } from './resolutions.js';

/** The settings that decide, with the lockfile, which of its entries a dependency resolves to. */
export interface LockRules {
  /** `resolutions` of the root manifest, as written. */
  readonly resolutions: ReadonlyMap<string, string>;
  /** `packageExtensions` of `.yarnrc.yml`. */
  readonly extensions: PackageExtensions;
  readonly catalogs: Catalogs;
}

/** A requested dependency. */
export interface Asked {
  /** The locator of the dependent. */
  readonly parent: Pick<EntryHead, 'resolution'>;
  readonly name: string;
  readonly range: string;
}

/** A requested dependency, with the lockfile entry of the dependent. */
export interface Reference extends Asked {
  readonly parent: LockRecord;
}

/**
 * Finds the descriptors to which references lead. They follow the order of Yarn's hooks: `resolutions`, then catalogs, then the built-in
 * patches; then relative paths are bound to the package that names them. Source: `reduceDependency` of the plugins essentials, catalog and
 * compat, `bindDescriptor`.
 */
export class References<Index extends Numbered = LockIndex> {
  readonly index: Index;
  private readonly rules: LockRules;
  private readonly resolutions: ReadonlyMap<string, readonly Resolution[]>;
  /** `typescript@npm:^5` -> the descriptors of `typescript@patch:typescript@npm%3A^5#optional!builtin<compat/typescript>`. */
  private readonly patched: ReadonlyMap<string, readonly number[]>;
  /** The source of each patch; the source as a descriptor, the patch by its number. */
  readonly patches: readonly { readonly number: number; readonly source: string }[];
  /** The packages that Yarn itself patches in this lockfile. */
  readonly patchedNames: ReadonlySet<string>;
  /** `lib@link:./lib` -> the descriptors that add `::locator=` to it. */
  private readonly bound: ReadonlyMap<string, readonly number[]>;
  private readonly root: string | undefined;
  private byName: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(index: Index, rules: LockRules) {
    this.index = index;
    this.rules = rules;
    this.resolutions = parseResolutions(rules.resolutions);
    const special = [...index.descriptors.keys()].filter((number) => /@patch:|::/.test(index.descriptors[number] ?? ''));
    this.patches = special.flatMap((number) => {
      const source = patchSource(index.descriptors[number] ?? '');
      return source === undefined ? [] : [{ number, source }];
    });
    this.patched = groupBy(special, (number) => builtinSource(index.descriptors[number] ?? ''));
    this.patchedNames = new Set([...this.patched.keys()].map(nameOf));
    this.bound = groupBy(special, (number) => unbound(index.descriptors[number] ?? ''));
    this.root = index.records.find(({ workspace }) => workspace === '')?.resolution;
    this.isPlain =
      this.resolutions.size === 0
        ? (name) => !this.patchedNames.has(name)
        : (name) => !this.patchedNames.has(name) && !this.resolutions.has(name);
  }

  /** Whether only the lockfile's keys decide about references to a package. */
  readonly isPlain: (name: string) => boolean;

  /** Returns the descriptor that the key alone gives, by number. Ranges have `npm:` in front since Yarn 4, keys had it before. */
  findPlain(name: string, range: string): number | undefined {
    if (!this.isPlain(name)) return undefined;
    const { numbers } = this.index;
    return numbers.get(`${name}@${range}`) ?? (range.includes(':') ? undefined : numbers.get(`${name}@npm:${range}`));
  }

  /**
   * Returns the descriptors to which a reference leads, by number. If none matches, returns all of that name: it is not known what Yarn
   * does then.
   */
  find(reference: Asked): readonly number[] {
    const plain = this.findPlain(reference.name, reference.range);
    if (plain !== undefined) return [plain];
    const exact = this.findExact(reference);
    return exact.length > 0 ? exact : this.findByName(reference.name);
  }

  /** Like `find`, without the fallback to the name. */
  findExact(reference: Asked): readonly number[] {
    const { name } = reference;
    const asked = normalizeRange(reference.range);
    const resolution = findResolution(this.resolutions.get(name) ?? [], reference.parent.resolution, asked);
    const binder = resolution === undefined ? reference.parent.resolution : this.root;
    const range = this.withoutCatalog(name, resolution?.to ?? asked);
    if (range === undefined) return [];
    const raw = resolution === undefined && range === asked ? reference.range : range;
    const plain = this.index.numbers.get(`${name}@${raw}`) ?? this.index.numbers.get(`${name}@${range}`);
    const patched = this.patched.get(`${name}@${range}`) ?? [];
    // Yarn's own patch exists, but for no range in this notation.
    if (patched.length === 0 && this.patchedNames.has(name)) return [];
    return [...(plain === undefined ? [] : [plain]), ...patched, ...this.findBound(`${name}@${range}`, binder)];
  }

  /** Returns all descriptors of a package. */
  findByName(name: string): readonly number[] {
    const { descriptors } = this.index;
    this.byName ??= groupBy([...descriptors.keys()], (number) => nameOf(descriptors[number] ?? ''));
    return this.byName.get(name) ?? [];
  }

  private withoutCatalog(name: string, range: string): string | undefined {
    if (!range.startsWith('catalog:')) return range;
    const meant = this.rules.catalogs.get(range.slice('catalog:'.length))?.get(name);
    return meant === undefined ? undefined : normalizeRange(meant);
  }

  private findBound(descriptor: string, binder: string | undefined): readonly number[] {
    const candidates = this.bound.get(descriptor) ?? [];
    const own = candidates.filter((number) => binder !== undefined && locatorOf(this.index.descriptors[number] ?? '') === binder);
    return own.length > 0 ? own : candidates;
  }
}

/** Returns the source of a patch: `typescript@patch:typescript@npm%3A^5#…` -> `typescript@npm:^5`. `undefined` for other descriptors. */
function patchSource(descriptor: string): string | undefined {
  const [, encoded] = /@patch:([^#]+)#/.exec(descriptor) ?? [];
  if (encoded === undefined) return undefined;
  const source = decode(encoded);
  const name = nameOf(source);
  return `${name}@${normalizeRange(source.slice(name.length + 1))}`;
}

/** Like `patchSource`, only for Yarn's built-in patches; `undefined` for other descriptors. */
export function builtinSource(descriptor: string): string | undefined {
  return /#[^#]*builtin</.test(descriptor) ? patchSource(descriptor) : undefined;
}

function unbound(descriptor: string): string | undefined {
  const end = descriptor.indexOf('::');
  return end < 0 ? undefined : descriptor.slice(0, end);
}

/** Returns the locator to which a relative path refers: `…::locator=app%40workspace%3A.` -> `app@workspace:.`. */
export function locatorOf(descriptor: string): string | undefined {
  const [, encoded] = /::(?:.*&)?locator=([^&]*)/.exec(descriptor) ?? [];
  return encoded === undefined ? undefined : decode(encoded);
}

function groupBy(numbers: readonly number[], keyOf: (number: number) => string | undefined): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const number of numbers) {
    const key = keyOf(number);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [number]);
    else group.push(number);
  }
  return groups;
}
