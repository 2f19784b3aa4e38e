import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// A CI engine masks secrets in its log. What tests print reaches artifacts, reports and the summary too.

const cleanUp = cleanUpIn(afterAll);
// Put together here: services scan public repositories for tokens of their own forms.
const GITHUB = `ghs_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
const PASSWORD = 'S3cr3t/Pass+word=="quoted"&x';
const OTHER = `npm_${'zyxwvutsrqponmlkjihgfedcba9876543210'}`;

/** Prints the environment in several forms, of each value also a part. */
const LEAK = `
const { GITHUB_TOKEN, DB_PASSWORD } = process.env;
const all = [
  JSON.stringify(process.env), GITHUB_TOKEN.slice(0, 20), encodeURIComponent(DB_PASSWORD), '${OTHER}',
  'Authorization: Bearer ' + GITHUB_TOKEN, Buffer.from('me:' + GITHUB_TOKEN).toString('base64'),
].join('\\n');
`;
const REPORTED = `${LEAK}require('node:test').test('reports ' + DB_PASSWORD, () => { throw new Error(all); });`;

/** What may be in no file: the start and the middle of each value. */
const LEAKED = [
  GITHUB.slice(0, 12),
  GITHUB.slice(14, 26),
  PASSWORD,
  encodeURIComponent(PASSWORD),
  OTHER.slice(0, 16),
  btoa(`me:${GITHUB}`).slice(8, 24),
];

let one: ShardRepo;
const files: { readonly name: string; readonly text: string }[] = [];
const printed: string[] = [];

beforeAll(async () => {
  one = await ShardRepo.create(
    cleanUp,
    {
      log: { test: 'node leak.cjs', files: { 'leak.cjs': `${LEAK}console.log(all); process.exit(1);` } },
      report: { test: 'node --test leak.test.cjs', files: { 'leak.test.cjs': REPORTED } },
    },
    { changed: ['log', 'report'], files: { 'turbo.json': '{ "globalPassThroughEnv": ["*"], "tasks": { "build": {}, "test": {} } }\n' } },
  );
  const out = join(one.work, 'out');
  const at = (name: string): string => join(out, name);
  await one.affected(['plan', '--base', 'main', '--out', at('plan.json'), '--shards', '1']);
  const env = { GITHUB_TOKEN: GITHUB, DB_PASSWORD: PASSWORD, GITHUB_ACTIONS: 'true' };
  const shard = await one.affected(['run-shard', '01', '--plan', at('plan.json'), '--receipts', at('receipts')], { env });
  // The gate's job has no secrets: it reads what the shard wrote.
  const written = ['--summary', at('summary.md'), '--junit', at('junit.xml')];
  const gate = await one.affected(['gate', '--plan', at('plan.json'), '--receipts', at('receipts'), ...written]);
  expect([shard.code, gate.code]).toEqual([1, 1]);
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) files.push({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') });
  printed.push(...shard.stdout.split('\n').filter((line) => line.startsWith('::error title=')), gate.stdout, gate.stderr);
}, 240_000);

test('no file of the gate and no annotation holds a secret that tests print', () => {
  expect(files.map(({ name }) => name).sort()).toEqual(['01.json', 'junit.xml', 'plan.json', 'summary.md']);
  const texts = [...files, ...printed.map((text) => ({ name: 'printed', text }))];
  expect(texts.flatMap(({ name, text }) => LEAKED.filter((secret) => text.includes(secret)).map((secret) => [name, secret]))).toEqual([]);
});

test('what tests say around it stays', () => {
  const texts = Object.fromEntries(files.map(({ name, text }) => [name, text]));
  expect(texts['01.json']).toContain('reports ***');
  expect(texts['summary.md']).toContain('Authorization: ***');
  expect(texts['junit.xml']).toContain('reports ***');
});

test('a receipt is not written through a link in the checkout', async () => {
  const outside = join(one.work, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(one.repo.path, '.tributary'));
  const planFile = join(one.work, 'out/plan.json');
  const shard = await one.affected(['run-shard', '01', '--plan', planFile]);
  const plan = await one.affected(['plan', '--base', 'main', '--out', '.tributary/plan.json', '--shards', '1']);
  for (const { code, stderr } of [shard, plan])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is a link to .* \[FILE_UNUSABLE\]/)]);
  expect(readdirSync(outside)).toEqual([]);
});
