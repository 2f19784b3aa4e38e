import { describe, expect, test } from '@jest/globals';
import type { EdgesConfig, WorkspaceReads } from '@tributary/model/config';
import fc from 'fast-check';
import { decideAffected } from './affected.js';
import { scenes } from './affected-random.fixture.js';
import { type ChangeScene, decide, namesIn, questionOf, type SceneSide } from './affected-scene.fixture.js';
import { type EdgeSides, findReadReasons, joinReadingEdges, withReadingEdges } from './reading-edges.js';
import { formatEdges, parseGraph } from './testing/parse-graph.js';

const RUNS = { numRuns: 400 };

const name = fc.constantFrom('root', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'nobody', '__proto__');
const file = fc.constantFrom('a/x.ts', 'data.json', 'p', '.', 'unknown.txt', 'nowhere');
const proofs = (of: fc.Arbitrary<string>): fc.Arbitrary<WorkspaceReads['files']> => fc.dictionary(of, fc.constant('x:1'), { maxKeys: 2 });
const edgeConfigs: fc.Arbitrary<EdgesConfig> = fc.dictionary(name, fc.record({ workspaces: proofs(name), files: proofs(file) }), {
  maxKeys: 3,
});
const edgeSides: fc.Arbitrary<EdgeSides> = fc.oneof(
  edgeConfigs.map((edges) => ({ base: edges, head: edges })),
  fc.record({ base: edgeConfigs, head: edgeConfigs }),
);

/** Returns the affected members with these edges. */
function withEdges(scene: ChangeScene, edges: EdgeSides): readonly string[] {
  const question = questionOf(scene);
  const joined = joinReadingEdges(question.joined, question.base, edges);
  const found = [...question.found, ...findReadReasons(scene.files, question, edges)];
  return namesIn(decideAffected({ ...question, joined, found }));
}

/** Returns the side with these edges as edges of a manifest, if it has both members. */
function declared(side: SceneSide, edges: EdgesConfig): SceneSide {
  const known = new Set(Object.values(side.members));
  const added = Object.entries(edges).flatMap(([from, { workspaces }]) =>
    Object.keys(workspaces).flatMap((to) => (known.has(from) && known.has(to) ? [[from, 'any', to] as const] : [])),
  );
  return { ...side, edges: [...side.edges, ...added] };
}

describe('a law', () => {
  test('edges never remove a workspace', () => {
    fc.assert(
      fc.property(scenes, edgeSides, (scene, edges) => {
        expect(withEdges(scene, edges)).toEqual(expect.arrayContaining([...namesIn(decide(scene))]));
      }),
      RUNS,
    );
  });

  test('an edge selects all that a dependency of the same commit would', () => {
    fc.assert(
      fc.property(scenes, edgeSides, (scene, edges) => {
        const both = { ...scene, base: declared(scene.base, edges.base), head: declared(scene.head, edges.head) };
        expect(withEdges(scene, edges)).toEqual(expect.arrayContaining([...namesIn(decide(both))]));
      }),
      RUNS,
    );
  });

  test('an edge that the head has no more selects what it did: deleting one narrows nothing', () => {
    fc.assert(
      fc.property(scenes, edgeConfigs, (scene, edges) => {
        const kept = withEdges(scene, { base: edges, head: edges });
        expect(withEdges(scene, { base: edges, head: {} })).toEqual(expect.arrayContaining([...kept]));
        expect(withEdges(scene, { base: {}, head: edges })).toEqual(expect.arrayContaining([...kept]));
      }),
      RUNS,
    );
  });

  test('the random edges select something that would not be selected', () => {
    const more = fc.sample(fc.tuple(scenes, edgeSides), { numRuns: 500, seed: 7 }).filter(([scene, edges]) => {
      return withEdges(scene, edges).length > namesIn(decide(scene)).length;
    });
    expect(more.length).toBeGreaterThan(25);
  });
});

test('edges of one commit stand beside those of manifests', () => {
  const edges = { a: { workspaces: { b: 'a:1', nobody: 'a:2' }, files: { x: 'a:3' } }, nobody: { workspaces: { a: 'a:4' }, files: {} } };
  expect(formatEdges(withReadingEdges(parseGraph('a -> c, b'), edges))).toEqual(['a -> c', 'a -read-> b']);
});
