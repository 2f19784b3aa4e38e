import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { listStageResults, removeStageResults, takeStageResults } from './stage-results.js';

let folder: TempFolder;
let stage: string;
let into: string;

const PLAN = 'a'.repeat(64);
const WANTED = new Map([
  ['ui#build', 'abc1'],
  ['core#build', 'abc2'],
]);

beforeEach(() => {
  folder = new TempFolder();
  stage = folder.join('stage');
  into = folder.join('cache');
  const texts = {
    'abc1.tar.zst': 'ui',
    'abc1-meta.json': '{}',
    'abc2.tar.zst': 'core',
    'abc2-meta.json': '{}',
    'abc1-manifest.json': '{}',
    'f00.tar.zst': 'test',
  };
  for (const [name, text] of Object.entries(texts)) folder.write(`stage/one/01/${name}`, text);
  expect(listStageResults(join(stage, 'one/01'), { plan: PLAN, builds: [...WANTED].map(([task, hash]) => ({ task, hash })) })).toEqual([]);
});

afterEach(() => folder.dispose());

function take(
  wanted = WANTED,
  plan = PLAN,
): { readonly builds: readonly string[]; readonly problems: readonly string[]; readonly files: readonly string[] } {
  removeStageResults(into);
  const { builds, problems } = takeStageResults(stage, { plan, wanted, into });
  return { builds: [...builds.values()].sort(), problems, files: existsSync(into) ? readdirSync(into).sort() : [] };
}

function changeList(change: (list: { machine?: string; builds: Record<string, unknown>[] }) => object): void {
  const file = join(stage, 'one/01/stage.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
}

test('takes listed results with the hash of this checkout, and only the two files that turborepo needs', () => {
  const files = ['abc1-meta.json', 'abc1.tar.zst', 'abc2-meta.json', 'abc2.tar.zst'];
  expect(take()).toEqual({ builds: ['core#build', 'ui#build'], problems: [], files });
});

test('takes nothing that is not wanted, and nothing with another hash', () => {
  expect(take(new Map([['ui#build', 'abc1']]))).toMatchObject({ builds: ['ui#build'], files: ['abc1-meta.json', 'abc1.tar.zst'] });
  expect(
    take(
      new Map([
        ['ui#build', 'abc2'],
        ['core#build', 'abc2'],
      ]),
    ).builds,
  ).toEqual(['core#build']);
});

test('a listed result under the name of a wanted build must have its hash', () => {
  changeList((list) => ({ ...list, builds: list.builds.map((one) => ({ ...one, task: 'ui#build', hash: 'f00' })) }));
  writeFileSync(join(stage, 'one/01/f00-meta.json'), '{}');
  expect(take(new Map([['core#build', 'abc2']]))).toEqual({ builds: [], problems: [], files: [] });
});

test.each<[what: string, spoil: () => void, problem: string]>([
  ['missing', () => rmSync(stage, { recursive: true }), 'the results of the stage are missing'],
  ['cut off', () => writeFileSync(join(stage, 'one/01/abc1.tar.zst'), 'u'), 'a result is damaged'],
  ['no file', () => rmSync(join(stage, 'one/01/abc1-meta.json')), 'a result is damaged'],
  ['a link', () => link('abc1.tar.zst'), 'a result is damaged'],
  ['in no list', () => writeFileSync(join(stage, 'one/01/stage.json'), '{ "schemaVersion": 1'), 'a list of its results is damaged'],
  ['in a list of another version', () => changeList((list) => ({ ...list, schemaVersion: 2 })), 'a list of its results is damaged'],
  [
    'listed with a path',
    () => changeList((list) => ({ ...list, builds: list.builds.map((one) => ({ ...one, hash: '../../x' })) })),
    'a list of its results is damaged',
  ],
  [
    'of another kind of machine',
    () => changeList((list) => ({ ...list, machine: 'other x64 v24.0.0' })),
    'its results are of another kind of machine (other x64 v24.0.0)',
  ],
  ['in a list without a kind of machine', () => changeList(({ machine: _, ...list }) => list), 'a list of its results is damaged'],
  ['of another plan', () => changeList((list) => ({ ...list, plan: 'b'.repeat(64) })), 'its results are for another plan'],
])('a result that is %s is not taken, and the reason is told', (_, spoil, problem) => {
  spoil();
  const taken = take();
  expect(taken.builds).not.toContain('ui#build');
  expect(taken.problems).toEqual([problem]);
});

function link(name: string): void {
  const file = join(stage, 'one/01', name);
  const content = readFileSync(file);
  rmSync(file);
  writeFileSync(folder.join('elsewhere'), content);
  symlinkSync(folder.join('elsewhere'), file);
}

test('a build without both files is not listed', () => {
  rmSync(join(stage, 'one/01/abc2.tar.zst'));
  const builds = [...WANTED].map(([task, hash]) => ({ task, hash }));
  expect(listStageResults(join(stage, 'one/01'), { plan: PLAN, builds })).toEqual(['core#build']);
  expect(take().builds).toEqual(['ui#build']);
});

test('only results of a stage are removed', () => {
  folder.write('own/01/notes.txt', 'mine');
  expect(() => removeStageResults(folder.join('own/01'))).toThrow('no result of a build stage: notes.txt');
  expect(existsSync(folder.join('own/01/notes.txt'))).toBe(true);
  removeStageResults(join(stage, 'one/01'));
  expect(existsSync(join(stage, 'one/01'))).toBe(false);
});

test('a pipe in place of a list is a damaged list, and nobody waits for it', () => {
  rmSync(join(stage, 'one/01/stage.json'));
  execFileSync('mkfifo', [join(stage, 'one/01/stage.json')]);
  expect(take().builds).toEqual([]);
});
