import { expect, test } from '@jest/globals';
import { mapOf, type ProjectTexts } from '@tributary/references/reference-map.fixture';
import { observations } from '../check-documents.fixture.js';
import { type NamedObservation, type Observation, parseObservation } from '../observe/observation.js';
import { type Followed, judgeObservations, observedEdges, observedFindings } from './observed.js';

const HEAD = 'f'.repeat(40);
const FILES: ProjectTexts = {
  'p/app/package.json': { name: 'app', dependencies: { near: 'workspace:*' } },
  'p/app/a.js': '',
  'p/near/package.json': { name: 'near', dependencies: { far: 'workspace:*' } },
  'p/near/n.js': '',
  'p/far/package.json': { name: 'far' },
  'p/far/f.js': '',
  'p/lib/package.json': { name: 'lib' },
  'p/lib/l.js': '',
  'p/lib/data.json': '',
  'README.md': '',
  'data.json': '',
  'all.js': '',
};

function named(files: readonly string[], more: Partial<Observation> = {}): NamedObservation {
  const [complete] = observations();
  if (complete === undefined) throw new Error('no observation');
  return { file: 'o.json', observation: { ...complete, commit: HEAD, workspace: 'app', files, ...more } };
}

function followed(edges: Followed['edges'] = {}): Followed {
  const { tree } = mapOf(FILES);
  return { tree, graph: tree.graph, edges, isCovered: (file) => file === 'all.js' };
}

function check(...all: readonly NamedObservation[]): { readonly said: readonly string[]; readonly warnings: readonly string[] } {
  const found = judgeObservations(followed(), all, HEAD);
  const said = observedFindings(followed().tree, found).map(
    ({ severity, path, files, missing }) => `${severity} ${path} ${files}: ${missing}`,
  );
  return { said, warnings: found.warnings };
}

test('files of the own workspace, of dependencies and of none that is tracked need no declaration; far ones are a note', () => {
  expect(check(named(['p/app/a.js', 'p/near/n.js', 'gone.js'])).said).toEqual([]);
  expect(check(named(['p/far/f.js'])).said).toEqual(['note p/far/f.js 1: "far" in the devDependencies of p/app/package.json']);
});

test('code asks for the workspace, with all that was read of it; data asks for the file', () => {
  expect(check(named(['p/lib/data.json'])).said).toEqual([
    'hole p/lib/data.json 1: "p/lib/data.json" in the edges of app in tributary.json',
  ]);
  const whole = ['hole p/lib/data.json 2: "lib" in the devDependencies of p/app/package.json'];
  expect(check(named(['p/lib/data.json', 'p/lib/l.js'])).said).toEqual(whole);
  expect(check(named(['p/lib/l.js']), named(['p/lib/data.json', 'p/lib/l.js'])).said).toEqual(whole);
});

test('a document that was really read is a hole', () => {
  expect(check(named(['README.md'])).said).toEqual(['hole README.md 1: "README.md" in the edges of app in tributary.json']);
});

test('a build that git does not track is a reading of its workspace', () => {
  const whole = ['hole p/lib/dist/l.js 1: "lib" in the devDependencies of p/app/package.json'];
  expect(check(named(['p/lib/dist/l.js', 'dist/root.js'])).said).toEqual(whole);
});

test('what cannot be used is told', () => {
  expect(check(named([], { exit: 1 })).warnings).toEqual(['o.json is from a failed command: later reads are missing.']);
  expect(check(named(['p/lib/l.js', 'p/far/f.js', 'p/near/n.js']))).toEqual({
    said: [],
    warnings: ['o.json is left out: the command read files of most workspaces, as a runner that indexes them.'],
  });
  expect(check(named(['p/lib/l.js'], { workspace: 'gone' })).warnings).toEqual(['o.json is left out: unknown workspace "gone".']);
  expect(check(named([], { commit: 'a'.repeat(40) })).warnings).toEqual(['o.json is of the commit aaaaaaaaaa, not of ffffffffff.']);
  const cut = named(['p/lib/l.js'], { incomplete: ['Line 7 could not be read.'] });
  const warnings = ['o.json is incomplete: Line 7 could not be read. More files may have been read.'];
  expect([check(cut).said.length, check(cut).warnings]).toEqual([1, warnings]);
});

test('an edge has the command as its proof, and none is found that is listed, or that a rule stands for', () => {
  const seen = named(['p/lib/l.js', 'data.json', 'all.js']);
  const found = judgeObservations(followed(), [seen], HEAD);
  expect(observedEdges(followed().tree, found).map(({ to, proof }) => [to, proof])).toEqual([
    ['lib', 'observed: yarn run test'],
    ['data.json', 'observed: yarn run test'],
  ]);
  const listed = followed({ app: { workspaces: {}, files: { 'data.json': 'a person' } } });
  expect(observedEdges(listed.tree, judgeObservations(listed, [seen], HEAD)).map(({ to }) => to)).toEqual(['lib']);
});

test('an observation is read as it was written, and nothing else is', () => {
  for (const one of observations()) expect(parseObservation(JSON.stringify(one), 'o.json')).toEqual(one);
  const [one] = observations();
  const cases: readonly (readonly [string, string])[] = [
    [JSON.stringify(one).slice(0, -9), 'it is not JSON'],
    ['[]', 'a field is missing or wrong'],
    ['{"schemaVersion": 1}', 'its schemaVersion is 1, not 2'],
    [JSON.stringify({ ...one, files: 'all' }), 'a field is missing or wrong'],
    [JSON.stringify({ ...one, files: [1] }), 'a field is missing or wrong'],
    [JSON.stringify({ ...one, incomplete: undefined }), 'a field is missing or wrong'],
    [JSON.stringify({ ...one, exit: '0' }), 'a field is missing or wrong'],
  ];
  for (const [text, problem] of cases) expect(() => parseObservation(text, 'o.json')).toThrow(problem);
});
