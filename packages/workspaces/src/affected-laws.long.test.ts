import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AffectedAnswer, ThroughReason } from './affected.js';
import { allEdges, bruteDirect, bruteDistances, bruteForce, nameAtHead } from './affected-brute-force.fixture.js';
import { changedFiles, FIELDS, scenes } from './affected-random.fixture.js';
import { type ChangeScene, decide, namesIn, ROOT, type SceneSide } from './affected-scene.fixture.js';

// Tests the selection on random workspaces, against laws and against a brute force that works on names and knows no indexes.

const RUNS = { numRuns: 400 };

/** The laws are about scenes in which some members are affected and some are not, so there must be many of them. */
test('the random scenes are of every kind', () => {
  const kinds = { all: 0, nobody: 0, some: 0, everybody: 0, through: 0, removed: 0 };
  for (const scene of fc.sample(scenes, { numRuns: 1000, seed: 7 })) {
    const answer = decide(scene);
    const share = answer.members.length / answer.memberCount;
    kinds[answer.all !== null ? 'all' : share === 0 ? 'nobody' : share === 1 ? 'everybody' : 'some']++;
    if (answer.members.some(({ reasons }) => reasons.some(({ kind }) => kind === 'dependency'))) kinds.through++;
    if (JSON.stringify(answer).includes('"removed"')) kinds.removed++;
  }
  for (const [kind, count] of Object.entries(kinds)) expect([kind, count >= 10]).toEqual([kind, true]);
});

describe('a law', () => {
  test('the answer is that of a brute force', () => {
    fc.assert(
      fc.property(scenes, (scene) => expect(namesIn(decide(scene))).toEqual(bruteForce(scene))),
      { numRuns: 1000 },
    );
  });

  test('one more changed file never removes a workspace', () => {
    fc.assert(
      fc.property(scenes, changedFiles, fc.nat(), (scene, file, at) => {
        fc.pre(scene.files.every(({ path }) => path !== file.path));
        const more = decide({ ...scene, files: scene.files.toSpliced(at % (scene.files.length + 1), 0, file) });
        expect(namesIn(more)).toEqual(expect.arrayContaining([...namesIn(decide(scene))]));
      }),
      RUNS,
    );
  });

  test.each(['base', 'head'] as const)('one more edge in the %s never removes a workspace', (side) => {
    fc.assert(
      fc.property(scenes, fc.nat(), fc.nat(), fc.constantFrom(...FIELDS), (scene, from, to, field) => {
        const names = Object.values(scene[side].members);
        const edge = [names[from % names.length] ?? ROOT, field, names[to % names.length] ?? ROOT] as const;
        const more = decide({ ...scene, [side]: { ...scene[side], edges: [edge, ...scene[side].edges] } });
        expect(namesIn(more)).toEqual(expect.arrayContaining([...namesIn(decide(scene))]));
      }),
      RUNS,
    );
  });

  test('one more found reason never removes a workspace, nor does one that reaches farther', () => {
    fc.assert(
      fc.property(scenes, fc.nat(), (scene, at) => {
        const names = Object.values(scene.head.members);
        const less = namesIn(decide(scene));
        const name = names[at % names.length] ?? ROOT;
        for (const reach of ['itself', 'dependents'] as const)
          expect(namesIn(decide({ ...scene, found: [...scene.found, [name, reach]] }))).toEqual(expect.arrayContaining([...less]));
        const farther = scene.found.map(([one]) => [one, 'dependents'] as const);
        expect(namesIn(decide({ ...scene, found: farther }))).toEqual(expect.arrayContaining([...less]));
      }),
      RUNS,
    );
  });

  test('the order of files, members, edges and reasons is irrelevant to who is affected and how far away', () => {
    const shuffled = (side: SceneSide, order: number): SceneSide => {
      const mix = <T>(list: readonly T[]): T[] =>
        list
          .map((one, at) => [((at + 1) * (order + 3)) % 17, one] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, one]) => one);
      return { members: Object.fromEntries(mix(Object.entries(side.members))), edges: mix(side.edges) };
    };
    fc.assert(
      fc.property(scenes, fc.nat({ max: 16 }), (scene, order) => {
        const other = decide({
          ...scene,
          files: scene.files.toReversed(),
          found: scene.found.toReversed(),
          always: scene.always.toReversed(),
          base: shuffled(scene.base, order),
          head: shuffled(scene.head, order + 5),
        });
        expect(outline(other)).toEqual(outline(decide(scene)));
      }),
      RUNS,
    );
  });

  test('the same question has the same answer, word for word, and members stand in the order of their paths', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const answer = decide(scene);
        expect(JSON.stringify(decide(structuredClone(scene)))).toBe(JSON.stringify(answer));
        const paths = answer.members.map(({ path }) => path);
        expect(paths).toEqual([...new Set(paths)].sort());
      }),
      RUNS,
    );
  });

  test('what the parts of a changeset affect is together what the whole affects', () => {
    fc.assert(
      fc.property(scenes, fc.nat({ max: 63 }), (scene, mask) => {
        const part = (bit: 0 | 1): AffectedAnswer => {
          const take = <T>(list: readonly T[]): T[] => list.filter((_, at) => ((mask >> at) & 1) === bit);
          return decide({ ...scene, files: take(scene.files), found: take(scene.found) });
        };
        const [one, other, whole] = [part(0), part(1), decide(scene)];
        expect(whole.all === null).toBe(one.all === null && other.all === null);
        expect(namesIn(whole)).toEqual([...new Set([...namesIn(one), ...namesIn(other)])].sort());
        expect(whole.unclaimedFiles).toEqual([...new Set([...one.unclaimedFiles, ...other.unclaimedFiles])].sort());
      }),
      RUNS,
    );
  });

  test('nothing changed: only those that are always tested', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const answer = decide({ ...scene, base: scene.head, files: [], found: [] });
        expect(answer.all).toBe(null);
        expect(namesIn(answer)).toEqual(scene.always.toSorted());
        expect(answer.members.flatMap(({ reasons }) => reasons)).toEqual(scene.always.map(() => ({ kind: 'always' })));
      }),
      RUNS,
    );
  });

  test('everybody is affected exactly where a reason for all is given, and then each says so', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const answer = decide(scene);
        expect(answer.all !== null).toBe(bruteDirect(scene) === 'all');
        expect(answer.memberCount).toBe(Object.keys(scene.head.members).length);
        if (answer.all === null) return;
        expect(answer.members).toHaveLength(answer.memberCount);
        for (const { reasons } of answer.members) expect(reasons.at(-1)).toEqual({ kind: 'all' });
      }),
      RUNS,
    );
  });

  test('everybody that is affected has a reason, and the direct ones stand first', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { all, members } = decide(scene);
        if (all !== null) return;
        for (const { reasons } of members) {
          const through = reasons.map(({ kind }) => kind === 'dependency');
          const own = reasons.filter(({ kind }) => kind !== 'dependency' && kind !== 'always');
          expect(through.length).toBeGreaterThan(0);
          expect(through.slice(0, own.length)).not.toContain(true);
        }
      }),
      RUNS,
    );
  });

  test('every chain is a way along real edges to a member with the reason that is named, and none is shorter', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const answer = decide(scene);
        const direct = bruteDirect(scene);
        if (answer.all !== null || direct === 'all') return;
        const distances = bruteDistances(scene, direct.spreading);
        for (const { name, reasons } of answer.members) {
          for (const reason of reasons) if (reason.kind === 'dependency') checkChain(scene, { name, reason, answer, distances });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** Returns an answer without what may depend on the order: which of several files or paths is named. */
function outline({ all, members, unclaimedFiles, memberCount }: AffectedAnswer): unknown {
  return {
    all: all !== null,
    memberCount,
    unclaimedFiles,
    members: members.map(({ name, path, reasons }) => [
      name,
      path,
      reasons
        .map((reason) =>
          reason.kind === 'dependency' ? `way of ${reason.path.length}` : reason.kind === 'file' ? `${reason.others} others` : reason.kind,
        )
        .sort(),
    ]),
  };
}

interface Chain {
  readonly name: string;
  readonly reason: ThroughReason;
  readonly answer: AffectedAnswer;
  readonly distances: ReadonlyMap<string, number>;
}

function checkChain(scene: ChangeScene, { name, reason, answer, distances }: Chain): void {
  const gone = Object.values(scene.base.members).filter((one) => nameAtHead(scene, one).startsWith('gone: '));
  const path = reason.path.map((one) => (gone.includes(one) && !Object.values(scene.head.members).includes(one) ? `gone: ${one}` : one));
  expect(path[0]).toBe(name);
  for (const [at, to] of path.slice(1).entries()) {
    expect(allEdges(scene).some((edge) => edge[0] === path[at] && edge[2] === to)).toBe(true);
  }
  const last = path.at(-1) ?? '';
  expect(distances.get(last)).toBe(0);
  if (last.startsWith('gone: ')) expect(['removed', 'file', 'rule']).toContain(reason.because.kind);
  else expect(answer.members.find((member) => member.name === last)?.reasons.map(plain)).toContainEqual(plain(reason.because));
  const own = distances.get(name);
  const nearest = allEdges(scene)
    .filter((edge) => edge[0] === name)
    .map((edge) => (distances.get(edge[2]) ?? 99) + 1);
  expect(path.length - 1).toBe(own ?? Math.min(...nearest));
}

/** If several files changed, a member names the first and counts the others. */
function plain(reason: unknown): unknown {
  return { ...(reason as object), others: 0 };
}
