import { describe, expect, test } from '@jest/globals';
import type { ChangedFile } from '@tributary/model/changeset';
import type { FileRule } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import fc from 'fast-check';
import { type AffectedAnswer, type AffectedQuestion, type DirectReason, decideAffected, type ThroughReason } from './affected.js';
import { buildFileRules } from './file-rules.js';
import { joinGraphs } from './joined-graph.js';
import { buildMemberGraph, type MemberEdge, type MemberEdgeField, type MemberGraph } from './members.js';

// The selection, held against laws on random workspaces and against a brute force that works on names and knows no places.

interface Side {
  /** Folder -> name; `''` is the root. */
  readonly members: Readonly<Record<string, string>>;
  /** Who asks for whom, by name. */
  readonly edges: readonly (readonly [from: string, field: MemberEdgeField, to: string])[];
}

/** A change, written down without places. */
interface Scene {
  readonly base: Side;
  readonly head: Side;
  readonly files: readonly ChangedFile[];
  readonly answered: readonly string[];
  readonly rules: readonly FileRule[];
  /** A reason from elsewhere, for a member of the head. */
  readonly found: readonly (readonly [name: string, reach: 'dependents' | 'itself'])[];
  readonly always: readonly string[];
  readonly dev: 'transitive' | 'terminal';
  /** Pairs `from to` that count although the edge is one of dev dependencies. */
  readonly builtWith: readonly string[];
}

const ROOT = 'root';
const FOLDERS = ['a', 'a/in', 'a/in/deep', 'b', 'p/c', 'p/d', 'p/e'];
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const FIELDS: readonly MemberEdgeField[] = ['any', 'dependency', 'dev', 'peer', 'optional'];
const OUTSIDE = ['README.md', 'unknown.txt', '../beside/x.ts', 'data.json'];
const FILES = [...FOLDERS.flatMap((folder) => [`${folder}/x.ts`, `${folder}/lib/data.json`]), ...OUTSIDE];

const sides: fc.Arbitrary<Side> = fc
  .tuple(fc.subarray(FOLDERS), fc.shuffledSubarray(NAMES, { minLength: NAMES.length }))
  .map(([folders, names]) => ({ '': ROOT, ...Object.fromEntries(folders.map((folder, at) => [folder, names[at] ?? ''])) }))
  .chain((members) => {
    const name = fc.constantFrom(...Object.values(members));
    return fc.array(fc.tuple(name, fc.constantFrom(...FIELDS), name), { maxLength: 14 }).map((edges) => ({ members, edges }));
  });

/** As a rule little of the graph changes. */
const pairs: fc.Arbitrary<readonly [Side, Side]> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(sides, sides) },
  { weight: 2, arbitrary: sides.map((side) => [side, side] as const) },
  {
    weight: 3,
    arbitrary: fc.tuple(sides, fc.subarray(FOLDERS, { minLength: 5 }), fc.nat()).map(([side, stay, drop]): readonly [Side, Side] => {
      const members = Object.fromEntries(Object.entries(side.members).filter(([folder]) => folder === '' || stay.includes(folder)));
      const names = Object.values(members);
      const edges = side.edges.filter(([from, , to], at) => names.includes(from) && names.includes(to) && at !== drop % 14);
      return drop % 2 === 0 ? [side, { members, edges }] : [{ members, edges }, side];
    }),
  },
);

const changedFiles: fc.Arbitrary<ChangedFile> = fc.oneof(
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

/** Without names, so that every rule suits every graph. */
const freeRules = fc.record({
  files: fc.array(globs, { minLength: 1, maxLength: 2 }),
  affects: fc.constantFrom('all', 'none', 'none', 'owner', 'owner'),
}) as fc.Arbitrary<FileRule>;

const scenes: fc.Arbitrary<Scene> = pairs.chain(([base, head]) => {
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
    dev: fc.constantFrom('transitive', 'terminal'),
    builtWith: fc.array(
      fc.tuple(name, name).map((pair) => pair.join(' ')),
      { maxLength: 4 },
    ),
  });
});

function graphOf({ members, edges }: Side): MemberGraph {
  const entries = Object.entries(members);
  const placeOf = (name: string): number => entries.findIndex(([, one]) => one === name);
  return buildMemberGraph(
    entries.map(([path, name]) => ({ name: name as WorkspaceName, path: path as RepoFolder })),
    edges.map(([from, field, to]): MemberEdge => ({ from: placeOf(from), to: placeOf(to), field })),
  );
}

const SETTING: DirectReason = { kind: 'setting', file: '.yarnrc.yml', key: 'catalog.x' };

function questionOf(scene: Scene): AffectedQuestion {
  const base = graphOf(scene.base);
  const joined = joinGraphs(base, graphOf(scene.head));
  const { members } = joined.graph;
  const { files, answered, found, always, dev } = scene;
  return {
    joined,
    base,
    files,
    answered: new Set(answered),
    rules: buildFileRules(scene.rules, []),
    found: found.map(([name, reach]) => ({ place: members.findIndex((member) => member.name === name), reach, reason: SETTING })),
    always,
    policy: { dev, builtWith: ({ from, to }) => scene.builtWith.includes(`${members[from]?.name} ${members[to]?.name}`) },
    all: undefined,
  };
}

function decide(scene: Scene): AffectedAnswer {
  return decideAffected(questionOf(scene));
}

function namesIn({ members }: AffectedAnswer): readonly string[] {
  return members.map(({ name }) => name).sort();
}

// --- The brute force -------------------------------------------------------------------------------------------------------------

/** Everybody of both commits goes by the name at the head; who is gone by `gone: <name>`. */
function nameAtHead({ base, head }: Scene, name: string): string {
  if (Object.values(head.members).includes(name)) return name;
  const folder = Object.entries(base.members).find(([, one]) => one === name)?.[0] ?? '';
  const successor = head.members[folder];
  return successor !== undefined && !Object.values(base.members).includes(successor) ? successor : `gone: ${name}`;
}

function allEdges(scene: Scene): readonly (readonly [from: string, field: MemberEdgeField, to: string])[] {
  return [
    ...scene.head.edges,
    ...scene.base.edges.map(([from, field, to]) => [nameAtHead(scene, from), field, nameAtHead(scene, to)] as const),
  ];
}

/** Whether a change goes on from the dependent of an edge. */
function goesOn(scene: Scene, [from, field, to]: readonly [string, MemberEdgeField, string]): boolean {
  const named = (name: string): string => name.replace('gone: ', '');
  return scene.dev === 'transitive' || field !== 'dev' || scene.builtWith.includes(`${named(from)} ${named(to)}`);
}

function ownerAt(side: Side, file: string): string | undefined {
  const folders = Object.keys(side.members).filter((folder) => folder === '' || file === folder || file.startsWith(`${folder}/`));
  return side.members[folders.sort((a, b) => b.length - a.length)[0] ?? ''];
}

interface Direct {
  /** Who is affected, and all that depend on them. */
  readonly spreading: Set<string>;
  readonly alone: Set<string>;
}

/** Who is affected by itself; `all` for everybody. */
function bruteDirect(scene: Scene): Direct | 'all' {
  const { base, head, files, answered, found } = scene;
  const direct: Direct = { spreading: new Set(), alone: new Set() };
  const rules = buildFileRules(scene.rules, []);
  for (const [name, reach] of found) (reach === 'itself' ? direct.alone : direct.spreading).add(name);
  const before = Object.values(base.members).map((name) => nameAtHead(scene, name));
  for (const name of Object.values(head.members)) if (!before.includes(name)) direct.spreading.add(name);
  for (const name of before) if (name.startsWith('gone: ')) direct.spreading.add(name);
  for (const { path, status, kind } of files) {
    const inside = !path.startsWith('../');
    const now = status === 'deleted' ? undefined : ownerAt(head, path);
    const then = status === 'added' ? undefined : nameAtHead(scene, ownerAt(base, path) ?? '');
    const held = Object.entries(head.members).flatMap(([folder, name]) =>
      kind === 'submodule' && folder.startsWith(`${path}/`) ? [name] : [],
    );
    const owners = inside ? [now, then, ...held].filter((name) => name !== undefined && name !== ROOT) : [];
    const match = rules(path, owners.length === 0 ? 'outside' : 'workspace');
    const isAnswered = answered.includes(path);
    // What was looked into counts for its owner, and for whom the user says besides.
    const rule = isAnswered && match?.source !== 'tributary.json' ? undefined : match?.affects;
    if (rule === 'all' || (match === undefined && owners.length === 0 && !isAnswered)) return 'all';
    if (rule === 'owner') for (const name of owners.length === 0 ? [ROOT] : owners) direct.alone.add(name ?? '');
    const named = Array.isArray(rule) ? (rule as readonly string[]) : [];
    const spreads = match === undefined || isAnswered || Array.isArray(rule);
    for (const name of [...named, ...(spreads ? owners : [])]) direct.spreading.add(name ?? '');
  }
  return direct;
}

/** A fixed point: whoever depends on one that spreads is affected, and spreads too unless the edge ends there. */
function bruteForce(scene: Scene): readonly string[] {
  const everybody = Object.values(scene.head.members);
  const direct = bruteDirect(scene);
  if (direct === 'all') return everybody.sort();
  const spreading = new Set(direct.spreading);
  const affected = new Set([...direct.spreading, ...direct.alone, ...scene.always]);
  for (let size = -1; size !== spreading.size + affected.size; ) {
    size = spreading.size + affected.size;
    for (const edge of allEdges(scene)) {
      if (!spreading.has(edge[2])) continue;
      affected.add(edge[0]);
      if (goesOn(scene, edge)) spreading.add(edge[0]);
    }
  }
  return everybody.filter((name) => affected.has(name)).sort();
}

// --- The laws --------------------------------------------------------------------------------------------------------------------

const RUNS = { numRuns: 400 };

/** Scenes in which some members are affected and some are not are what the laws are about; there must be many of them. */
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
    const shuffled = (side: Side, order: number): Side => {
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

  test('with dev edges that end, nobody is affected who would not be otherwise; and what is built with them adds to it', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const transitive = namesIn(decide({ ...scene, dev: 'transitive' }));
        const terminal = namesIn(decide({ ...scene, dev: 'terminal' }));
        const least = namesIn(decide({ ...scene, dev: 'terminal', builtWith: [] }));
        expect(transitive).toEqual(expect.arrayContaining([...terminal]));
        expect(terminal).toEqual(expect.arrayContaining([...least]));
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

/** An answer without what may depend on the order: which of several files or ways is named. */
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

/** How far each member that spreads is from a seed. */
function bruteDistances(scene: Scene, seeds: ReadonlySet<string>): ReadonlyMap<string, number> {
  const distances = new Map([...seeds].map((name) => [name, 0]));
  const edges = allEdges(scene).filter((edge) => goesOn(scene, edge));
  for (let round = 0; round < 20; round++) {
    for (const [from, , to] of edges) {
      const distance = distances.get(to);
      if (distance !== undefined && distance + 1 < (distances.get(from) ?? Number.POSITIVE_INFINITY)) distances.set(from, distance + 1);
    }
  }
  return distances;
}

interface Chain {
  readonly name: string;
  readonly reason: ThroughReason;
  readonly answer: AffectedAnswer;
  readonly distances: ReadonlyMap<string, number>;
}

function checkChain(scene: Scene, { name, reason, answer, distances }: Chain): void {
  const gone = Object.values(scene.base.members).filter((one) => nameAtHead(scene, one).startsWith('gone: '));
  const path = reason.path.map((one) => (gone.includes(one) && !Object.values(scene.head.members).includes(one) ? `gone: ${one}` : one));
  expect(path[0]).toBe(name);
  const steps = path.slice(1).map((to, at) => allEdges(scene).filter((edge) => edge[0] === path[at] && edge[2] === to));
  for (const [at, edges] of steps.entries()) {
    // The last step of the change, the first of the chain, may be one that goes no further.
    expect(edges.some((edge) => at === 0 || goesOn(scene, edge))).toBe(true);
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

/** Of several changed files a member names the first and counts the others. */
function plain(reason: unknown): unknown {
  return { ...(reason as object), others: 0 };
}

// --- Examples --------------------------------------------------------------------------------------------------------------------

/** `'lib, app -> lib, tool -dev-> app'`: each name is a member in the folder of its name, beside the root. */
function side(text: string): Side {
  const parts = text.split(',').map((part) => part.trim().split(/\s+/));
  const names = [...new Set(parts.flatMap(([from = '', , to]) => [from, ...(to === undefined ? [] : [to])]))].filter(
    (name) => name !== ROOT && name !== '',
  );
  const arrows: Readonly<Record<string, MemberEdgeField>> = { '->': 'any', '-dev->': 'dev', '-peer->': 'peer' };
  return {
    members: { '': ROOT, ...Object.fromEntries(names.map((name) => [name, name])) },
    edges: parts.flatMap(([from = '', arrow = '', to]) => (to === undefined ? [] : [[from, arrows[arrow] ?? 'any', to] as const])),
  };
}

const EMPTY = { files: [], answered: [], rules: [], found: [], always: [], dev: 'transitive', builtWith: [] } as const;

function changed(path: string, status: ChangedFile['status'] = 'modified', kind: ChangedFile['kind'] = 'file'): ChangedFile {
  return { path: path as RepoPath, status, kind };
}

describe('a change affects', () => {
  const same = (text: string): Pick<Scene, 'base' | 'head'> => ({ base: side(text), head: side(text) });
  const nested: Side = { members: { '': ROOT, a: 'one', 'a/in': 'two' }, edges: [] };
  const flat: Side = { members: { '': ROOT, a: 'one' }, edges: [] };
  test.each<[title: string, scene: Partial<Scene>, names: string]>([
    ['the deepest workspace that holds the file', { base: nested, head: nested, files: [changed('a/in/x')] }, 'two'],
    ['not one whose folder only begins alike', { base: nested, head: nested, files: [changed('a/inner')] }, 'one'],
    ['the former owner of a deleted file', { base: nested, head: flat, files: [changed('a/in/x', 'deleted')] }, ''],
    ['the new and the former owner of a modified one', { base: flat, head: nested, files: [changed('a/in/x')] }, 'one two'],
    ['dependents at any distance', { ...same('c -> b, b -> a'), files: [changed('a/x')] }, 'a b c'],
    ['no dependency', { ...same('c -> b, b -> a'), files: [changed('b/x')] }, 'b c'],
    ['all of a cycle', { ...same('a -> b, b -> a, c -> c'), files: [changed('a/x')] }, 'a b'],
    ['the root, where it depends on the workspace', { ...same('root -> a, b'), files: [changed('a/x')] }, 'a root'],
    ['a dependent over an edge that only the base has', { base: side('b -> a'), head: side('a, b'), files: [changed('a/x')] }, 'a b'],
    ['a dependent over an edge that only the head has', { base: side('a, b'), head: side('b -> a'), files: [changed('a/x')] }, 'a b'],
    ['the former dependents of a workspace that is gone', { base: side('b -> a, c -> b'), head: side('c -> b') }, 'b c'],
    ['a new workspace', { base: side('a'), head: side('a, b') }, 'b'],
    ['those who are always tested, once', { ...same('a, b, c'), files: [changed('a/x')], always: ['c', 'a'] }, 'a c'],
    [
      'a dependent by dev, and no further where that is the policy',
      { ...same('c -> b, b -dev-> a'), files: [changed('a/x')], dev: 'terminal' },
      'a b',
    ],
    [
      'further where it is built with it',
      { ...same('c -> b, b -dev-> a'), files: [changed('a/x')], dev: 'terminal', builtWith: ['b a'] },
      'a b c',
    ],
    [
      'further where there is another edge too',
      { ...same('c -> b, b -dev-> a, b -peer-> a'), files: [changed('a/x')], dev: 'terminal' },
      'a b c',
    ],
    [
      'the owner alone, by a rule',
      { ...same('b -> a'), files: [changed('a/x.md')], rules: [{ files: ['**/*.md'], affects: 'owner' }] },
      'a',
    ],
    ['nobody, by a rule', { ...same('b -> a'), files: [changed('a/x.md')], rules: [{ files: ['**/*.md'], affects: 'none' }] }, ''],
    [
      'whom a rule names, their dependents, and the owner',
      { ...same('b -> a, c'), files: [changed('c/x')], rules: [{ files: ['c/**'], affects: ['a'] }] },
      'a b c',
    ],
    [
      'the root alone, where a rule counts a file outside for its owner',
      { ...same('a'), files: [changed('x.sh')], rules: [{ files: ['x.sh'], affects: 'owner' }] },
      'root',
    ],
    [
      'whom a rule names for a file outside',
      { ...same('b -> a, c'), files: [changed('x.sh')], rules: [{ files: ['x.sh'], affects: ['a'] }] },
      'a b',
    ],
    [
      'whom a rule of the user names, where a file outside was answered for',
      { ...same('b -> a'), files: [changed('yarn.lock')], answered: ['yarn.lock'], rules: [{ files: ['yarn.lock'], affects: ['a'] }] },
      'a b',
    ],
    [
      'the owner of a file that was answered for, whatever rule there is',
      {
        ...same('b -> a'),
        files: [changed('a/package.json')],
        answered: ['a/package.json'],
        rules: [{ files: ['a/**'], affects: 'none' }],
      },
      'a b',
    ],
    ['nobody, where a file outside was answered for', { ...same('a'), files: [changed('yarn.lock')], answered: ['yarn.lock'] }, ''],
    ['workspaces inside of a submodule', { base: nested, head: nested, files: [changed('a', 'modified', 'submodule')] }, 'one two'],
    ['the owner of a symlink', { ...same('a'), files: [changed('a/x', 'modified', 'symlink')] }, 'a'],
  ])('%s', (_, scene, names) => {
    const answer = decide({ ...EMPTY, base: flat, head: flat, ...scene });
    expect({ all: answer.all, names: namesIn(answer).join(' ') }).toEqual({ all: null, names });
  });

  test.each<[title: string, scene: Partial<Scene>, all: unknown]>([
    [
      'a file outside that no rule knows',
      { files: [changed('x.txt')] },
      { code: 'FILE_UNCLAIMED', reason: 'x.txt is outside of every workspace, and no rule says whom it counts for.' },
    ],
    [
      'several',
      { files: [changed('y.txt'), changed('a/x'), changed('x.txt')] },
      { code: 'FILE_UNCLAIMED', reason: 'y.txt (and 1 more) is outside of every workspace, and no rule says whom it counts for.' },
    ],
    ['a deleted one', { files: [changed('x.txt', 'deleted')] }, expect.objectContaining({ code: 'FILE_UNCLAIMED' })],
    [
      'one beside the project, though its name ends like a workspace',
      { files: [changed('../a/x')] },
      expect.objectContaining({ code: 'FILE_UNCLAIMED' }),
    ],
    [
      'a rule',
      { files: [changed('a/x')], rules: [{ files: ['a/*'], affects: 'all' }] },
      { code: 'RULE', reason: 'a/x changed, and the rule "a/*" (tributary.json) counts it for everybody.' },
    ],
    [
      'a rule that names nobody here',
      { files: [changed('a/x')], rules: [{ files: ['a/*'], affects: ['gone'] }] },
      { code: 'RULE', reason: 'a/x changed, and its rule "a/*" names "gone", which is no workspace.' },
    ],
    [
      'a core test that is no workspace any more',
      { always: ['gone'] },
      { code: 'RULE', reason: '"affected.always" names "gone", which is no workspace.' },
    ],
  ])('everybody, because of %s', (_, scene, all) => {
    const answer = decide({ ...EMPTY, base: side('b -> a'), head: side('b -> a'), ...scene });
    expect(answer.all).toEqual(all);
    expect(namesIn(answer)).toEqual(['a', 'b', ROOT]);
  });

  test('everybody, because of what was known before; files that nobody claims are listed all the same', () => {
    const known = { code: 'NO_MERGE_BASE', reason: 'x' } as const;
    const question = questionOf({ ...EMPTY, base: side('a'), head: side('a'), files: [changed('y'), changed('x')], always: ['a'] });
    const answer = decideAffected({ ...question, all: known });
    expect(answer.all).toBe(known);
    expect(answer.unclaimedFiles).toEqual(['x', 'y']);
    expect(answer.members.map(({ reasons }) => reasons)).toEqual([[{ kind: 'all' }], [{ kind: 'always' }, { kind: 'all' }]]);
  });
});

test('a workspace names its first file and counts the others; the way through others is the shortest', () => {
  const text = 'd -> c, c -> a, d -> b, b -> x, x -> a';
  const files = [changed('a/2'), changed('a/1'), changed('a/3')];
  const answer = decide({ ...EMPTY, base: side(text), head: side(text), files, always: ['d'] });
  const because = { kind: 'file', file: 'a/2', others: 0 };
  const reasons = Object.fromEntries(answer.members.map((member) => [member.name, member.reasons]));
  expect(reasons).toMatchObject({
    a: [{ kind: 'file', file: 'a/2', others: 2 }],
    c: [{ kind: 'dependency', path: ['c', 'a'], because }],
    d: [{ kind: 'dependency', path: ['d', 'c', 'a'], because }, { kind: 'always' }],
    b: [{ kind: 'dependency', path: ['b', 'x', 'a'], because }],
  });
});

test('a renamed workspace is the same one: its former dependents are affected by it, and it is not new', () => {
  const base = side('app -> old');
  const head: Side = { members: { '': ROOT, app: 'app', old: 'fresh' }, edges: [] };
  expect(decide({ ...EMPTY, base, head }).members).toEqual([]);
  expect(namesIn(decide({ ...EMPTY, base, head, files: [changed('old/package.json')] }))).toEqual(['app', 'fresh']);
});
