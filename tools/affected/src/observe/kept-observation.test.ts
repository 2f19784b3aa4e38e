import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { buildGraph, type DependencyGraph, type Member } from '@tributary/workspaces/dependency-graph';
import fc from 'fast-check';
import { openKeptObservations, readKeptObservations } from '../io/observations.js';
import { VERSION } from '../version.js';
import { changedSince } from './changed-since.js';
import { judgePiece } from './judge-piece.js';
import { formatObservations, type KeptObservation, keptInMemory, parseIndex } from './kept-observation.js';
import type { Observation } from './observation.js';
import { observedAt } from './observed.fixture.js';
import { declaredIn, edgesOfObservations } from './observed-edges.js';

const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());
/** KEPT_RUNS=5000 for many. */
const RUNS = Number(process.env['KEPT_RUNS'] ?? 30);
const FOLDERS = ['', 'a', 'a/b', 'a/b/c', 'a-b', 'p', 'p/x', 'p/y'];
const NAMES = ['package.json', 'x.js', 'y.json', 'tsconfig.json', 'é "q"\n.js', 'z.md'];
const PATHS = FOLDERS.flatMap((path) => NAMES.map((name) => (path === '' ? name : `${path}/${name}`)));
const COMMITS = ['1', '2'].map((digit) => digit.repeat(40));

const paths = fc.subarray(PATHS);
const observation: fc.Arbitrary<Observation> = fc
  .record({
    commit: fc.constantFrom(...COMMITS),
    workspace: fc.constantFrom(...FOLDERS.map((path) => `w-${path}`), 'gone'),
    gaps: fc.constantFrom([], [], [{ gap: 'crawl', detail: 'x' }] as const, [{ gap: 'daemon', detail: 'é' }] as const),
    files: paths,
    found: paths,
    absent: paths,
    listed: fc.subarray(FOLDERS).map((all) => all.map((path) => ({ path: path || '.', hash: 'h' }))),
    tools: fc.subarray(['package.json', 'a/package.json', 'p/x/package.json']),
  })
  .map(({ commit, workspace, tools, ...more }) => {
    const { apart, ...one } = observedAt(commit, workspace, more);
    return { ...one, complete: more.gaps.length === 0, apart: { ...apart, tools } };
  });

const graph: fc.Arbitrary<DependencyGraph> = fc
  .tuple(fc.subarray(FOLDERS.slice(1)), fc.boolean(), fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 6 }))
  .map(([folders, isMoved, edges]) => {
    // A workspace that has moved since: the folder of another one is that of its observations.
    const nameAt = (at: number): string => `w-${folders[isMoved ? (at + 1) % folders.length : at]}`;
    const members = [{ name: 'w-', path: '' }, ...folders.map((path, at) => ({ name: nameAt(at), path }))] as unknown as readonly Member[];
    const known = edges.filter((places) => places.every((place) => place < members.length));
    return buildGraph(
      members,
      known.map(([from, to]) => ({ from, to, field: 'any' })),
    );
  });

function opened(observations: readonly Observation[]): readonly KeptObservation[] {
  const file = folder.join('observations.json');
  writeFileSync(file, formatObservations(observations));
  return openKeptObservations(file);
}

/** Edges from the whole observations, whatever their first line says. */
function edgesOfAll(observations: readonly Observation[], graph: DependencyGraph): unknown {
  const all = observations.map((one) => ({ ...keptInMemory(one), home: '-' }));
  return edgesOfObservations(all, graph, declaredIn(graph, 'transitive'));
}

test('a file of which only the needed lines are read gives the answers of the whole file', () => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 5 }), graph, paths, (observations, graph, changed) => {
      const kept = opened(observations);
      const edges = edgesOfObservations(kept, graph, declaredIn(graph, 'transitive'));
      expect(JSON.stringify(edges)).toBe(JSON.stringify(edgesOfAll(observations, graph)));
      const modes = { oldMode: '000000', newMode: '100644', oldId: '', newId: '' };
      const changes = changed.map((path) => ({ ...modes, path }));
      const scene = {
        machine: { version: VERSION, platform: observedAt('', '').platform },
        since: () => ({ changed: changedSince(changes, PATHS, '') }),
      };
      for (const { name } of graph.members) {
        const piece = { workspace: name, task: 'test', folder: 'packages/other', isOthersManifest: () => false };
        expect(judgePiece(piece, kept, scene)).toEqual(judgePiece(piece, observations.map(keptInMemory), scene));
      }
      expect(kept.map(({ whole }) => whole())).toEqual(observations);
    }),
    { numRuns: RUNS },
  );
});

describe('of a file', () => {
  const own = (workspace: string, more: Partial<Observation> = {}): Observation =>
    observedAt(COMMITS[0] ?? '', workspace, { files: [`p/${workspace}/é.js`, `p/${workspace}/package.json`, 'data.json'], ...more });
  const file = folder.join('some.json');
  const members = ['', 'p/x', 'p/y'].map((path) => ({ name: path.slice(2) || 'root', path: path as RepoFolder })) as unknown as Member[];
  const edgesOf = (text: string, graph = buildGraph(members, [])): unknown => {
    writeFileSync(file, text);
    return edgesOfObservations(openKeptObservations(file), graph, () => false);
  };
  const text = formatObservations([own('x'), own('y')]);
  const damaged = text.replace('"absent":[]', '"absent":{}');

  test('an observation that no question needs is not parsed', () => {
    expect(edgesOf(damaged)).toEqual(edgesOf(text));
    expect(Object.keys(edgesOf(text) as object)).toEqual(['x', 'y']);
  });

  test('one that is needed is parsed, and refused if it is damaged', () => {
    const nested = buildGraph([...members, { name: 'z', path: 'p/x/z' as RepoFolder } as unknown as Member], []);
    expect(() => edgesOf(damaged, nested)).toThrow('it is no observation');
    writeFileSync(file, damaged);
    const piece = { workspace: 'x', task: 'test', folder: 'packages/other', isOthersManifest: () => false };
    const scene = { machine: { version: VERSION, platform: own('x').platform }, since: () => ({ unknown: 'x' }) };
    expect(() => judgePiece(piece, openKeptObservations(file), scene)).toThrow('it is no observation');
    expect(judgePiece({ ...piece, workspace: 'y' }, openKeptObservations(file), scene).because).toBe('x');
  });

  test.each<[string, (text: string) => string]>([
    ['the last line is missing', (text) => text.replace(/\n.*\n\] \}\n$/, '\n] }\n')],
    ['it is cut off', (text) => text.slice(0, -20)],
    ['the first line is of another file', (text) => text.replace(/^.*\n/, `${formatObservations([own('x')]).split('\n')[0]}\n`)],
    ['there is no first line', (text) => text.replace(/"index": .*, "observations"/, '"observations"')],
    ['the first line hides an input', (text) => text.replace('"files":["data.json"]', '"files":[]')],
    ['the first line lacks a list', (text) => text.replace('"lists":[],', '')],
    ['it was formatted', (text) => JSON.stringify(JSON.parse(text), undefined, 2)],
    ['it has only one line', (text) => text.replaceAll('\n', '')],
    ['it is empty', () => ''],
  ])('where %s, it is read as a whole', (_, spoil) => {
    writeFileSync(file, spoil(text));
    const read = (from: () => readonly unknown[]): unknown => {
      try {
        return from();
      } catch (error) {
        return String(error);
      }
    };
    const whole = read(() => readKeptObservations(file));
    expect(read(() => openKeptObservations(file).map((one) => one.whole()))).toEqual(whole);
  });

  test('a first line that was made to hide an input is found where the observation is needed', () => {
    const line = text.split('\n')[0] ?? '';
    expect(parseIndex(line)?.entries).toMatchObject([{ home: 'p/x', files: ['data.json'] }, {}]);
    const forged = text.replace(/"hash":"\w+","entries":(.*)\}, "obs/, (_, entries: string) => {
      const less = entries.replace('"files":["data.json"]', '"files":[]');
      return `"hash":"${createHash('sha256').update(less).digest('hex')}","entries":${less}}, "obs`;
    });
    writeFileSync(file, forged);
    expect(forged).not.toBe(text);
    expect(() => openKeptObservations(file).map((one) => one.whole())).toThrow('its first line does not fit');
  });
});
