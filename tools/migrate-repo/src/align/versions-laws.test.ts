import { expect, test } from '@jest/globals';
import type { VersionPolicy } from '@tributary/model/config';
import fc from 'fast-check';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import minSatisfying from 'semver/ranges/min-satisfying.js';
import { admits } from './candidates.js';
import { projectOf } from './project.fixture.js';
import type { StepOutcome } from './project.js';
import { alignVersions, type VersionFinding } from './versions.js';

const PUBLISHED = ['1.0.0', '1.0.1', '1.1.0', '1.2.0', '2.0.0', '2.1.0', '3.0.0'];
const RANGES = ['^1.0.0', '^1.0.1', '^1.1.0', '~1.0.0', '1.2.0', '1.x', '>=1.1.0', '*', '^2.0.0', '2.1.0', '^3.0.0', '^1 || ^3'];

/** A range, and which of the published versions is locked for it. */
const declared = fc.record({ range: fc.constantFrom(...RANGES), locked: fc.constantFrom('none', 'lowest', 'highest') });
const scenes = fc.record({
  others: fc.array(declared, { minLength: 1, maxLength: 3 }),
  importedPackages: fc.array(declared, { minLength: 1, maxLength: 3 }),
});
const policies = fc.constantFrom<VersionPolicy>('report', 'workspace', 'highest');

type Declared = { readonly range: string; readonly locked: string };
type Scene = { readonly others: readonly Declared[]; readonly importedPackages: readonly Declared[] };

function lockOf({ range, locked }: Declared): Readonly<Record<string, string>> {
  const version = (locked === 'highest' ? maxSatisfying : minSatisfying)(PUBLISHED, range);
  return locked === 'none' || version === null ? {} : { [`x@${range}`]: version };
}

/** `ranges`: what the manifests have now; the locks are those of the beginning. */
function align({ others, importedPackages }: Scene, policy: VersionPolicy, ranges?: readonly string[]): StepOutcome<VersionFinding> {
  const all = [
    ...others.map((one, place) => ({ ...one, name: `o${place}` })),
    ...importedPackages.map((one, place) => ({ ...one, name: `n${place}` })),
  ];
  const manifests = Object.fromEntries(
    all.map(({ name, range }, place) => [name, { name, dependencies: { x: ranges?.[place] ?? range } }]),
  );
  const locks = Object.fromEntries(importedPackages.map((one, place) => [`n${place}`, lockOf(one)]));
  const rootLock = Object.assign({}, ...others.map(lockOf)) as Readonly<Record<string, string>>;
  return alignVersions(projectOf({ manifests, importedPackages: locks, rootLock }), { policy, exceptions: new Map() });
}

function rangesAfter({ others, importedPackages }: Scene, { edits }: StepOutcome<VersionFinding>): readonly string[] {
  const names = [...others.map((_, place) => `o${place}`), ...importedPackages.map((_, place) => `n${place}`)];
  return [...others, ...importedPackages].map(({ range }, place) => {
    const text = edits.get(`${names[place]}/package.json` as never);
    return text === undefined ? range : (JSON.parse(text) as { dependencies: { x: string } }).dependencies.x;
  });
}

test('a second time changes nothing', () => {
  fc.assert(
    fc.property(scenes, policies, (scene, policy) => {
      const after = rangesAfter(scene, align(scene, policy));
      expect(align(scene, policy, after).edits.size).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test('without a policy nothing moves to a version that the imported package had excluded, and only imported packages are edited', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const { edits, findings } = align(scene, 'report');
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

test('the policy "highest" leaves one range, unless the workspace had several itself', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const after = new Set(rangesAfter(scene, align(scene, 'highest')));
      expect(after.size).toBeLessThanOrEqual(new Set(scene.others.map(({ range }) => range)).size);
    }),
    { numRuns: 500 },
  );
});

// Of several imported packages the second sees what the first has become, which may be one of two ranges that are as good.
test('whether an imported package changes does not depend on the order of the others', () => {
  fc.assert(
    fc.property(scenes, policies, (scene, policy) => {
      const importedPackages = scene.importedPackages.slice(0, 1);
      // One lockfile has one version for a range.
      const others = scene.others.filter(({ range }, place) => scene.others.findIndex((other) => other.range === range) === place);
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
