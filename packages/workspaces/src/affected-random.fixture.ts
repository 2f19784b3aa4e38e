import type { ChangedFile } from '@tributary/model/changeset';
import type { FileRule } from '@tributary/model/config';
import fc from 'fast-check';
import { type ChangeScene, ROOT, type SceneSide } from './affected-scene.fixture.js';
import type { EdgeField } from './dependency-graph.js';

const FOLDERS = ['a', 'a/in', 'a/in/deep', 'b', 'p/c', 'p/d', 'p/e'];
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
/** All possible fields of an edge. */
export const FIELDS: readonly EdgeField[] = ['any', 'dependency', 'dev', 'peer', 'optional'];
const OUTSIDE = ['README.md', 'unknown.txt', '../beside/x.ts', 'data.json'];
const FILES = [...FOLDERS.flatMap((folder) => [`${folder}/x.ts`, `${folder}/lib/data.json`]), ...OUTSIDE];

const sides: fc.Arbitrary<SceneSide> = fc
  .tuple(fc.subarray(FOLDERS), fc.shuffledSubarray(NAMES, { minLength: NAMES.length }))
  .map(([folders, names]) => ({ '': ROOT, ...Object.fromEntries(folders.map((folder, at) => [folder, names[at] ?? ''])) }))
  .chain((members) => {
    const name = fc.constantFrom(...Object.values(members));
    return fc.array(fc.tuple(name, fc.constantFrom(...FIELDS), name), { maxLength: 14 }).map((edges) => ({ members, edges }));
  });

/** Usually only little of the graph changes. */
const pairs: fc.Arbitrary<readonly [SceneSide, SceneSide]> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(sides, sides) },
  { weight: 2, arbitrary: sides.map((side) => [side, side] as const) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(sides, fc.subarray(FOLDERS, { minLength: 5 }), fc.nat())
      .map(([side, stay, drop]): readonly [SceneSide, SceneSide] => {
        const members = Object.fromEntries(Object.entries(side.members).filter(([folder]) => folder === '' || stay.includes(folder)));
        const names = Object.values(members);
        const edges = side.edges.filter(([from, , to], at) => names.includes(from) && names.includes(to) && at !== drop % 14);
        return drop % 2 === 0 ? [side, { members, edges }] : [{ members, edges }, side];
      }),
  },
);

/** Files inside and outside of workspaces, and submodules. */
export const changedFiles: fc.Arbitrary<ChangedFile> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ path: fc.constantFrom(...FILES), status: statuses(), kind: fc.constant('file' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ path: fc.constantFrom('p', 'a/in', 'b/sub'), status: statuses(), kind: fc.constant('submodule' as const) }),
  },
) as unknown as fc.Arbitrary<ChangedFile>;

function statuses(): fc.Arbitrary<ChangedFile['status']> {
  return fc.constantFrom('added', 'modified', 'deleted');
}

const globs = fc.constantFrom('**/data.json', 'a/**', 'p/*/x.ts', 'unknown.txt', '../**', '*.md');

/** Rules without names, valid for every graph. */
const freeRules = fc.record({
  files: fc.array(globs, { minLength: 1, maxLength: 2 }),
  affects: fc.constantFrom('all', 'none', 'none', 'owner', 'owner'),
}) as fc.Arbitrary<FileRule>;

/** Changes to random workspaces, with rules and found reasons. */
export const scenes: fc.Arbitrary<ChangeScene> = pairs.chain(([base, head]) => {
  const name = fc.constantFrom(...Object.values(head.members));
  const namingRules = fc.record({ files: fc.array(globs, { minLength: 1, maxLength: 2 }), affects: fc.array(name, { maxLength: 2 }) });
  return fc.record({
    base: fc.constant(base),
    head: fc.constant(head),
    files: fc.uniqueArray(changedFiles, { maxLength: 4, selector: ({ path }) => path }),
    answered: fc.subarray(FILES, { maxLength: 3 }),
    rules: fc.array(fc.oneof(freeRules, namingRules), { maxLength: 3 }),
    found: fc.array(fc.tuple(name, fc.constantFrom('dependents', 'itself')), { maxLength: 2 }),
    always: fc.uniqueArray(name, { maxLength: 2 }),
  });
});
