import { describe, expect, test } from '@jest/globals';
import { type LockEntryParts, lockText } from '@tributary/lockfile/testing/lock-text';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { diffTexts } from './lock-side.fixture.js';

// Checks `diffLocks` on any lockfile against the simplest possible walk.

/** Workspaces `w0`… and packages `p0`…, with the numbers of their dependencies. */
interface Shape {
  readonly workspaces: readonly { readonly packages: readonly number[]; readonly workspaces: readonly number[] }[];
  readonly packages: readonly { readonly packages: readonly number[]; readonly version: number }[];
}

const shapes: fc.Arbitrary<Shape> = fc
  .record({ workspaces: fc.integer({ min: 1, max: 5 }), packages: fc.integer({ min: 1, max: 9 }) })
  .chain((size) => {
    const some = (max: number) => fc.uniqueArray(fc.nat({ max: max - 1 }), { maxLength: 3 });
    return fc.record({
      workspaces: fc.array(fc.record({ packages: some(size.packages), workspaces: some(size.workspaces) }), {
        minLength: size.workspaces,
        maxLength: size.workspaces,
      }),
      packages: fc.array(fc.record({ packages: some(size.packages), version: fc.nat({ max: 3 }) }), {
        minLength: size.packages,
        maxLength: size.packages,
      }),
    });
  });

/** Returns the entries without unused packages, as Yarn writes them. */
function entriesOf(shape: Shape): readonly LockEntryParts[] {
  const used = new Set(shape.workspaces.flatMap((_, number) => reachedFrom(shape, number)));
  const asked = (packages: readonly number[]) => packages.map((number) => [`p${number}`, 'npm:^1'] as const);
  return [
    ...shape.workspaces.map(({ packages, workspaces }, number) => ({
      descriptors: [`w${number}@workspace:^`, `w${number}@workspace:packages/w${number}`],
      resolution: `w${number}@workspace:packages/w${number}`,
      dependencies: Object.fromEntries([...asked(packages), ...workspaces.map((other) => [`w${other}`, 'workspace:^'] as const)]),
    })),
    ...[...shape.packages.entries()]
      .filter(([number]) => used.has(number))
      .map(([number, { packages, version }]) => ({
        descriptors: [`p${number}@npm:^1`],
        resolution: `p${number}@npm:1.${version}.0`,
        dependencies: Object.fromEntries(asked(packages)),
      })),
  ];
}

function reachedFrom(shape: Shape, workspace: number): readonly number[] {
  const reached = new Set(shape.workspaces[workspace]?.packages);
  for (const number of reached) for (const next of shape.packages[number]?.packages ?? []) reached.add(next);
  return [...reached];
}

/** Returns all packages of a workspace, with version and dependencies, as one text. */
function closureOf(shape: Shape, workspace: number): string {
  const lines = reachedFrom(shape, workspace).map((number) => {
    const { version, packages } = shape.packages[number] ?? { version: -1, packages: [] };
    return `${number} ${version} ${[...packages].sort().join(' ')}`;
  });
  return lines.sort().join('\n');
}

function changedIn(base: Shape, head: Shape): readonly string[] {
  const diff = diffTexts({ text: lockText(entriesOf(base)) }, { text: lockText(entriesOf(head)) });
  if (diff.kind === 'unknown') throw new Error(diff.reason);
  return [...diff.changed.keys()];
}

describe('the workspaces that a comparison selects', () => {
  test('are those whose closures differ, whatever one package became', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), fc.uniqueArray(fc.nat(), { maxLength: 3 }), (base, pick, targets) => {
        if (base.packages.length === 0) return;
        const changed = pick % base.packages.length;
        const packages = targets.map((target) => target % base.packages.length);
        const head = {
          ...base,
          packages: base.packages.map((one, number) =>
            number === changed ? { ...one, version: 9, packages: [...new Set(packages)] } : one,
          ),
        };
        const expected = base.workspaces.flatMap((_, number) =>
          closureOf(base, number) === closureOf(head, number) ? [] : [`packages/w${number}`],
        );
        expect(changedIn(base, head)).toEqual(expected);
      }),
      { numRuns: cases(300) },
    );
  });

  test('are the same in both directions, and none if nothing changed', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), (base, pick) => {
        const head = {
          ...base,
          packages: base.packages.map((one, number) => (number === pick % base.packages.length ? { ...one, version: 9 } : one)),
        };
        expect(changedIn(base, head)).toEqual(changedIn(head, base));
        expect(changedIn(head, head)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('do not depend on the order of the entries on either side', () => {
    const twoOrders = shapes.chain((shape) => {
      const entries = entriesOf(shape);
      const head = entries.map((entry, at) => (at === entries.length - 1 ? { ...entry, checksum: 'ff' } : entry));
      const shuffled = (all: readonly LockEntryParts[]) => fc.shuffledSubarray([...all], { minLength: all.length });
      return fc.record({ base: fc.constant(entries), head: fc.constant(head), otherBase: shuffled(entries), otherHead: shuffled(head) });
    });
    fc.assert(
      fc.property(twoOrders, ({ base, head, otherBase, otherHead }) => {
        const diff = (one: readonly LockEntryParts[], other: readonly LockEntryParts[]) =>
          diffTexts({ text: lockText(one) }, { text: lockText(other) });
        const plain = diff(base, head);
        expect(plain.kind).toBe('compared');
        const folders = (one: typeof plain) => (one.kind === 'compared' ? [...one.changed.keys()] : one.reason);
        expect(folders(diff(otherBase, otherHead))).toEqual(folders(plain));
      }),
      { numRuns: cases(200) },
    );
  });
});
