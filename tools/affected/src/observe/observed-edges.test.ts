import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatObservations } from './kept-observation.js';
import { ObservedRepo, reasonsIn } from './observed.fixture.js';

const cleanUp = cleanUpIn(afterAll);
let one: ObservedRepo;
let run: string;

beforeAll(() => {
  one = new ObservedRepo(cleanUp, { 'packages/other/data.json': '1\n', 'packages/other/code.js': '1\n', 'README.md': 'x\n' });
  run = `an observed run at ${one.start.slice(0, 10)}`;
});

function read(...files: readonly string[]) {
  return [one.observed('app', { files })];
}

describe('what was read and is declared nowhere selects', () => {
  test('a file of another workspace by itself', async () => {
    const result = await one.select({ 'packages/other/data.json': '2\n' }, read('packages/other/data.json'));
    expect(reasonsIn(result)).toEqual([
      `app: packages/other/data.json changed, which it read in ${run}`,
      'other: packages/other/data.json changed',
    ]);
    expect(reasonsIn(await one.select({ 'packages/other/own.js': '2\n' }, read('packages/other/data.json')))).toEqual([
      'other: packages/other/own.js changed',
    ]);
  });

  test('code of another workspace as the whole of it, also from an incomplete run', async () => {
    const gaps = [{ gap: 'daemon', detail: 'x' }] as const;
    const kept = [one.observed('app', { files: ['packages/other/code.js'], complete: false, gaps })];
    expect(reasonsIn(await one.select({ 'packages/other/own.js': '2\n' }, kept))).toContain(
      `app: through other, by ${run}: packages/other/own.js changed`,
    );
  });

  test('a folder of another workspace that was listed', async () => {
    const kept = [one.observed('app', { list: ['packages/other', '.', 'packages'] })];
    expect(reasonsIn(await one.select({ 'packages/other/own.js': '2\n' }, kept))).toHaveLength(2);
  });

  test('a file of the root that a rule lets select nothing', async () => {
    expect(reasonsIn(await one.select({ 'README.md': 'y\n' }, read('README.md')))).toEqual([
      `app: README.md changed, which it read in ${run}`,
    ]);
  });

  test('nothing of what is declared again', async () => {
    expect(reasonsIn(await one.select({ 'packages/lib/own.js': '2\n' }, read('packages/lib/own.js')))).toEqual([
      'app: through lib: packages/lib/own.js changed',
      'lib: packages/lib/own.js changed',
    ]);
  });
});

describe('what cannot be used leaves the answer as it is declared', () => {
  const data = { 'packages/other/data.json': '2\n' };
  const declared = ['other: packages/other/data.json changed'];

  test('because it is switched off, of a crawl, or of a workspace that is gone', async () => {
    const off = new ObservedRepo(cleanUp, {
      'packages/other/data.json': '1\n',
      'tributary.json': '{ "affected": { "observed": "off" } }\n',
    });
    const files = ['packages/other/data.json'];
    expect(reasonsIn(await off.select(data, [off.observed('app', { files })]))).toEqual(declared);
    const crawl = one.observed('app', { files, complete: false, gaps: [{ gap: 'crawl', detail: 'x' }] });
    expect(reasonsIn(await one.select(data, [crawl, one.observed('gone', { files })]))).toEqual(declared);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['cut off', (text) => text.slice(0, -20), /truncated/],
    ['of the future', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 2'), /not a file of/],
    ['an observation of the future', (text) => text.replaceAll('"schemaVersion":1', '"schemaVersion":2'), /its version is 2/],
    ['complete in spite of gaps', (text) => text.replace('"gaps":[]', '"gaps":[{"gap":"daemon","detail":"x"}]'), /no observation/],
    ['without a list', (text) => text.replace('"absent":[],', ''), /no observation/],
    ['something else', () => '[]', /not a file of/],
    ['empty', () => formatObservations([]), /No observations/],
  ])('because the file is %s', async (_, spoil, warning) => {
    const result = await one.select(data, spoil(formatObservations(read('packages/other/data.json'))));
    expect(reasonsIn(result)).toEqual(declared);
    expect(result.warnings.find((text) => warning.test(text))).toMatch(/Observations were ignored\.$/);
  });

  test('because the change itself brings the file', async () => {
    const text = formatObservations(read('packages/other/data.json'));
    const result = await one.select({ ...data, 'packages/other/o.json': text }, 'unused', { observations: 'packages/other/o.json' });
    expect(result.warnings.join()).toMatch(/a change must not decide which tests it gets/);
    expect(reasonsIn(result)).toEqual(['other: packages/other/data.json and 1 other file changed']);
  });
});
