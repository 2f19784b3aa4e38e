import { expect, test } from '@jest/globals';
import type { VersionPolicy } from '@tributary/model/config';
import fc from 'fast-check';
import compare from 'semver/functions/compare.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import minSatisfying from 'semver/ranges/min-satisfying.js';
import { admits } from './candidates.js';
import type { VersionChoices } from './choices.js';
import { projectOf } from './project.fixture.js';
import type { StepOutcome } from './project.js';
import { alignVersions, type VersionFinding } from './versions.js';

const PUBLISHED = ['1.0.0', '1.0.1', '1.1.0', '1.2.0', '2.0.0', '2.1.0', '3.0.0'];
const RANGES = ['^1.0.0', '^1.0.1', '^1.1.0', '~1.0.0', '1.2.0', '1.x', '>=1.1.0', '*', '^2.0.0', '2.1.0', '^3.0.0', '^1 || ^3'];

/** A range, and the published version that is locked for it. */
const declared = fc.record({ range: fc.constantFrom(...RANGES), locked: fc.constantFrom('none', 'lowest', 'highest') });
const fixtures = fc.record({
  others: fc.array(declared, { minLength: 1, maxLength: 3 }),
  importedPackages: fc.array(declared, { minLength: 1, maxLength: 3 }),
});
const policies = fc.constantFrom<VersionPolicy>('report', 'workspace', 'highest');

type Declared = { readonly range: string; readonly locked: string };
type Fixture = { readonly others: readonly Declared[]; readonly importedPackages: readonly Declared[] };

function lockOf({ range, locked }: Declared): Readonly<Record<string, string>> {
  const version = (locked === 'highest' ? maxSatisfying : minSatisfying)(PUBLISHED, range);
  return locked === 'none' || version === null ? {} : { [`x@${range}`]: version };
}

/** Aligns versions. `ranges` are the manifests' current ranges; the lockfiles stay those of the beginning. */
function align(
  { others, importedPackages }: Fixture,
  how: VersionPolicy | VersionChoices,
  ranges?: readonly string[],
): StepOutcome<VersionFinding> {
  const all = [
    ...others.map((one, place) => ({ ...one, name: `o${place}` })),
    ...importedPackages.map((one, place) => ({ ...one, name: `n${place}` })),
  ];
  const manifests = Object.fromEntries(
    all.map(({ name, range }, place) => [name, { name, dependencies: { x: ranges?.[place] ?? range } }]),
  );
  const locks = Object.fromEntries(importedPackages.map((one, place) => [`n${place}`, lockOf(one)]));
  const rootLock = Object.assign({}, ...others.map(lockOf)) as Readonly<Record<string, string>>;
  const choices = typeof how === 'string' ? { policy: how, exceptions: new Map() } : how;
  return alignVersions(projectOf({ manifests, importedPackages: locks, rootLock }), choices);
}

function rangesAfter({ others, importedPackages }: Fixture, { edits }: StepOutcome<VersionFinding>): readonly string[] {
  const names = [...others.map((_, place) => `o${place}`), ...importedPackages.map((_, place) => `n${place}`)];
  return [...others, ...importedPackages].map(({ range }, place) => {
    const text = edits.get(`${names[place]}/package.json` as never);
    return text === undefined ? range : (JSON.parse(text) as { dependencies: { x: string } }).dependencies.x;
  });
}

// The root's lockfile answers all of its ranges. "highest" edits ranges, and what is locked for the new ones is unknown here.
test('a second time changes nothing', () => {
  fc.assert(
    fc.property(fixtures, fc.constantFrom<VersionPolicy>('report', 'workspace'), ({ others, importedPackages }, policy) => {
      const fixture = {
        others: others.map((one) => ({ ...one, locked: one.locked === 'none' ? 'lowest' : one.locked })),
        importedPackages,
      };
      const after = rangesAfter(fixture, align(fixture, policy));
      expect(align(fixture, policy, after).edits.size).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test('without a policy nothing moves to a version that the imported package had excluded, and only imported packages are edited', () => {
  fc.assert(
    fc.property(fixtures, (fixture) => {
      const { edits, findings } = align(fixture, 'report');
      expect([...edits.keys()].filter((path) => path.startsWith('o'))).toEqual([]);
      for (const outcome of findings.flatMap(({ outcomes }) => outcomes)) {
        if (outcome.kind !== 'one range' && outcome.kind !== 'version moves') continue;
        const { range, version } = outcome.change;
        if (version === undefined) continue;
        expect(admits(range.from, version.to)).toBe(true);
        expect(admits(range.to, version.to)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('"highest" leaves one of exact versions, the highest, where the workspace had one, whether for all or for the dependency by its name', () => {
  const pins = fc.array(fc.record({ range: fc.constantFrom(...PUBLISHED), locked: fc.constantFrom('none', 'highest') }), {
    minLength: 1,
    maxLength: 4,
  });
  const choices = fc.constantFrom<VersionChoices>(
    { policy: 'highest', exceptions: new Map() },
    { policy: 'report', exceptions: new Map([['x', 'highest']]) },
  );
  fc.assert(
    fc.property(pins, pins, choices, ([first], importedPackages, how) => {
      const others = first === undefined ? [] : [first];
      const highest = [...others, ...importedPackages].map(({ range }) => range).sort(compare);
      expect(new Set(rangesAfter({ others, importedPackages }, align({ others, importedPackages }, how)))).toEqual(
        new Set(highest.slice(-1)),
      );
    }),
    { numRuns: 500 },
  );
});

const VERSIONS = [...PUBLISHED, '0.9.0', '1.0.0-rc.1', '1.2.1', '1.9.9', '2.0.5', '2.9.0', '3.0.1', '3.5.0', '4.0.0', '9.0.0'];
const blocks = fc.constantFrom('dependencies', 'devDependencies', 'optionalDependencies');

/** Catalogs of the root, which declarations may name. */
const CATALOG = { '.yarnrc.yml': 'catalog:\n  x: ^1.0.1\ncatalogs:\n  wide:\n    x: "*"\n' };
const MEANT: Readonly<Record<string, string>> = { 'catalog:': '^1.0.1', 'catalog:wide': '*' };
const demands = fc.record({
  block: blocks,
  range: fc.constantFrom(...RANGES, '~2.0.0', '1.0.1', '3.0.0', '>=1.1.0 <3', '^0.9.0', 'catalog:', 'catalog:wide'),
  locked: fc.constantFrom('none', 'lowest', 'highest'),
});

test('nothing lowers or loosens a range but "workspace" for a dependency by its name: not for a published package, and not for development', () => {
  const named = fc.constantFrom<VersionChoices['exceptions']>(new Map([['y', 'workspace']]), new Map([['x', 'highest']]));
  const families = fc.record({
    others: fc.array(demands, { maxLength: 3 }),
    importedPackages: fc.array(demands, { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(families, policies, named, (family, policy, exceptions) => {
      const all = [...family.others, ...family.importedPackages].map((one, at) => ({ ...one, folder: `w${at}` }));
      const manifests = {
        '': { name: 'root', packageManager: 'yarn@4.18.1', workspaces: ['*'] },
        ...Object.fromEntries(all.map(({ folder, block, range }) => [folder, { name: folder, [block]: { x: range } }])),
      };
      const locksOf = (some: typeof all) =>
        Object.assign({}, ...some.map((one) => lockOf({ ...one, range: MEANT[one.range] ?? one.range })));
      const came = all.slice(family.others.length);
      const importedPackages = Object.fromEntries(came.map((one) => [one.folder, locksOf([one])]));
      const rootLock = locksOf(all.slice(0, family.others.length));
      const project = projectOf({ manifests, importedPackages, rootLock, files: CATALOG });
      const { edits, findings } = alignVersions(project, { policy, exceptions });
      for (const { folder, block, range } of all) {
        const text = edits.get(`${folder}/package.json` as never);
        const now = text === undefined ? range : JSON.parse(text)[block].x;
        requireNoLooser(MEANT[range] ?? range, MEANT[now] ?? now);
      }
      for (const outcome of findings.flatMap(({ outcomes }) => outcomes)) {
        if (outcome.kind !== 'one range') continue;
        const { range, version } = outcome.change;
        // A catalog entry that means the same range is exempt: one lockfile has one version for a range.
        if ((MEANT[range.from] ?? range.from) !== (MEANT[range.to] ?? range.to)) expect(version?.direction).not.toBe('down');
      }
    }),
    { numRuns: 1000 },
  );
});

/** Compares ranges by the versions that they admit only. */
function requireNoLooser(from: string, to: string): void {
  const [before, after] = [from, to].map((range) => VERSIONS.filter((version) => admits(range, version)));
  if (before === undefined || after === undefined) throw new Error('two ranges');
  const lowest = (versions: readonly string[]): string => minSatisfying([...versions], '*') ?? '99.0.0';
  expect({ from, to, lower: after.filter((version) => compare(version, lowest(before)) < 0) }).toEqual({ from, to, lower: [] });
  const isWider = after.length > before.length && before.every((version) => after.includes(version));
  expect({ from, to, isWider }).toEqual({ from, to, isWider: false });
}

// With several imported packages, the second sees what the first has become. That may be either of two equally good ranges.
test('whether an imported package changes does not depend on the order of the others', () => {
  fc.assert(
    fc.property(fixtures, policies, (fixture, policy) => {
      const importedPackages = fixture.importedPackages.slice(0, 1);
      // One lockfile has one version for a range.
      const others = fixture.others.filter(({ range }, place) => fixture.others.findIndex((other) => other.range === range) === place);
      const size = others.length;
      const forward = rangesAfter({ others, importedPackages }, align({ others, importedPackages }, policy));
      const turned = { others: [...others].reverse(), importedPackages };
      const backward = rangesAfter(turned, align(turned, policy));
      const changes = (ranges: readonly string[]): readonly boolean[] =>
        ranges.slice(size).map((range, place) => range !== importedPackages[place]?.range);
      expect(changes(backward)).toEqual(changes(forward));
    }),
  );
});
